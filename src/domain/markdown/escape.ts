/**
 * Escapes text for HTML: in plain text, in attributes, and in code.
 *
 * In plain text and in attributes, entities that the author typed stay entities (`&copy;` is shown as a copyright
 * sign). In code every character is shown as typed. Source: messages.md 6.1 and the entity quirk of 6.2.
 */

const entity = /&(?!(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);)/gi

const inText = /[&<>]/
const inAttribute = /[&<>"]/

/** Escapes text between tags. Typed entities and quotes are kept. */
export const escapeText = (text: string): string =>
  inText.test(text) ? text.replace(entity, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : text

/** Escapes the value of an attribute in double quotes. Typed entities are kept. */
export const escapeAttribute = (value: string): string =>
  inAttribute.test(value) ? escapeText(value).replace(/"/g, '&quot;') : value

/** Escapes code: a typed entity is shown as its characters. Quotes are kept. */
export const escapeCode = (code: string): string =>
  inText.test(code) ? code.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : code

/** Escapes code and its quotes, as in code blocks without a language. */
export const escapeQuotes = (code: string, apostrophe = '&#39;'): string =>
  escapeCode(code).replace(/"/g, '&quot;').replace(/'/g, apostrophe)

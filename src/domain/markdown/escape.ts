/**
 * Text to HTML: three ways, because the dialect has three.
 *
 * Plain text keeps the entities its author typed (`&copy;` stays a copyright sign) and both quotes; code shows every
 * character as it is. Source: messages.md 6.1 and the entity quirk of 6.2.
 */

const entity = /&(?!(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);)/gi

const inText = /[&<>]/
const inAttribute = /[&<>"]/

/** Text between tags; entities typed by the author are kept. */
export const escapeText = (text: string): string =>
  inText.test(text) ? text.replace(entity, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : text

/** The value of an attribute, between double quotes; entities are kept. */
export const escapeAttribute = (value: string): string =>
  inAttribute.test(value) ? escapeText(value).replace(/"/g, '&quot;') : value

/** Code: nothing in it is an entity. */
export const escapeCode = (code: string): string =>
  inText.test(code) ? code.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : code

/** Code with its quotes written as entities too: blocks without a language. */
export const escapeQuotes = (code: string, apostrophe = '&#39;'): string =>
  escapeCode(code).replace(/"/g, '&quot;').replace(/'/g, apostrophe)

/**
 * HTML as a type of its own: the only place where text becomes HTML.
 *
 * 1. Every value is encoded here by the function for its place: text, code, an attribute, url() in a style.
 *    The compiler refuses plain text where Html is expected, so no other file can insert a value that was not encoded.
 * 2. The value of an attribute is encoded completely: no characters in it are an entity, and none ends it. The one
 *    exception is an address that an author typed, as in Markdown text: `&amp;` in it is an ampersand.
 * 3. `href` and `src` take a SafeUrl, which only markdown/links/link-urls.ts makes: a browser cannot execute it,
 *    however the entities in it are decoded. `style` takes a Style, which only this file makes.
 *
 * Source: protocol/messages.md 6.1 (which characters are escaped), and the entity quirk of 6.2.
 */

declare const brand: unique symbol

/** HTML in which every value is encoded: a fragment, possibly with tags that another fragment closes. */
export type Html = string & { readonly [brand]: 'html' }

/** An address that a link, an image or a frame may have. */
export type SafeUrl = string & { readonly [brand]: 'url' }

/** The value of a style attribute. */
export type Style = string & { readonly [brand]: 'style' }

/** The attributes of an element in the order in which they are written. An undefined value omits its attribute. */
export interface Attributes {
  readonly href?: SafeUrl | undefined
  readonly src?: SafeUrl | undefined
  readonly style?: Style | undefined
  readonly srcdoc?: never
  readonly [handler: `on${string}`]: never
  readonly [name: string]: string | undefined
}

/** No attributes. */
export const plain: Attributes = {}

type Heading = 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6'
type Block = Heading | 'blockquote' | 'div' | 'li' | 'ol' | 'p' | 'pre' | 'section' | 'ul'
type Table = 'table' | 'tbody' | 'td' | 'th' | 'thead' | 'tr'
type Inline = 'a' | 'code' | 'del' | 'em' | 'iframe' | 'label' | 'span' | 'strong' | 'time' | 'video'

type Field = 'option' | 'select'

export type Tag = Block | Table | Inline | Field

const typedEntity = /&(?!(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);)/gi

const inText = /[&<>]/
const inAttribute = /[&<>"]/

/** Encodes Markdown text between tags. An entity that the author typed stays one: `&copy;` is a copyright sign. */
export const escapeText = (text: string): Html =>
  (inText.test(text) ? text.replace(typedEntity, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : text) as Html

/** Encodes Markdown text of several lines, with a line break for each line end. */
export const escapeLines = (text: string): Html => {
  const html = escapeText(text)
  return html.includes('\n') ? (html.replaceAll('\n', '<br>\n') as Html) : html
}

/** Encodes text that is no Markdown, such as code, an address or a name. Every character is shown as it is. */
export const escapeCode = (code: string): Html => (inText.test(code) ? encodeSigns(code, false) : code) as Html

/** Encodes code and its quotes, as in code blocks without a language. */
export const escapeQuotes = (code: string, apostrophe: '&#39;' | '&#x27;' = '&#39;'): Html =>
  escapeCode(code).replace(/"/g, '&quot;').replace(/'/g, apostrophe) as Html

/** Encodes the value of an attribute (2). */
const encodeAttribute = (value: string): string => (inAttribute.test(value) ? encodeSigns(value, true) : value)

/** Encodes an address as an attribute: an entity that the author typed stays one (2). */
const encodeAddress = (value: string): string =>
  inAttribute.test(value) ? escapeText(value).replace(/"/g, '&quot;') : value

const isAddress = (name: string): boolean => name === 'href' || name === 'src'

/** Encodes each sign that HTML gives a meaning. A loop costs half as much as one replacement per sign. */
const encodeSigns = (text: string, isAttribute: boolean): string => {
  let encoded = ''
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const entity = entityOf(text.charCodeAt(i), isAttribute)
    if (entity === undefined) continue
    encoded += text.slice(start, i) + entity
    start = i + 1
  }
  return encoded + text.slice(start)
}

const entityOf = (code: number, isAttribute: boolean): string | undefined => {
  switch (code) {
    case 38:
      return '&amp;'
    case 60:
      return '&lt;'
    case 62:
      return '&gt;'
    case 34:
      return isAttribute ? '&quot;' : undefined
    default:
      return undefined
  }
}

/** Decodes the value of an attribute that this server wrote. */
export const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Writes an element. */
export const element = (tag: Tag, attributes: Attributes, content: Html = empty): Html =>
  `${openTag(tag, attributes)}${content}</${tag}>` as Html

/** Writes an element that has no content and no end tag. */
export const voidElement = (tag: 'img' | 'input', attributes: Attributes): Html => openTag(tag, attributes)

/** Writes the start tag of an element whose content is written after it. */
export const openTag = (tag: Tag | 'html' | 'img' | 'input', attributes: Attributes): Html => {
  if (attributes === plain) return `<${tag}>` as Html
  let html = `<${tag}`
  for (const name in attributes) {
    const value = attributes[name]
    if (value === undefined) continue
    html += ` ${name}="${isAddress(name) ? encodeAddress(value) : encodeAttribute(value)}"`
  }
  return `${html}>` as Html
}

/** Writes the end tag of an element, and a line end. */
export const closeBlock = (tag: Tag): Html => `</${tag}>\n` as Html

const checkedTemplates = new WeakSet<TemplateStringsArray>()

/**
 * Writes HTML as it is, with other HTML in it. Attributes with values are written by `element`. Throws an Error if a
 * value is inside a tag.
 */
export const html = (constants: TemplateStringsArray, ...values: readonly Html[]): Html => {
  if (!checkedTemplates.has(constants)) {
    for (let i = 1; i < constants.length; i++) {
      if (/<[^>]*$/.test(constants.slice(0, i).join(''))) throw new Error('Write this attribute with element().')
    }
    checkedTemplates.add(constants)
  }
  let text = constants[0] as string
  for (let i = 0; i < values.length; i++) text += `${values[i]}${constants[i + 1]}`
  return text as Html
}

/** No HTML. */
export const empty = '' as Html

/** `html` followed by `more`. */
export const appendHtml = (html: Html, more: Html): Html => (html + more) as Html

/** All parts, one after the other, without a separator. */
export const joinHtml = (parts: readonly Html[]): Html => parts.join('') as Html

/** Removes the line end at the end of HTML, if there is one. */
export const trimLineEnd = (html: Html): Html => (html.endsWith('\n') ? (html.slice(0, -1) as Html) : html)

/** Declares as Html what was encoded elsewhere. KaTeX encoded it, or this server before it stored the text. */
export const trustHtml = (text: string): Html => text as Html

/** The style of a table cell. */
export const textAlign = (side: 'left' | 'center' | 'right'): Style => `text-align: ${side};` as Style

/** The style of an element that shows an image. */
export const backgroundImage = (url: SafeUrl): Style => `background-image: url("${encodeCssUrl(url)}")` as Style

/** Encodes an address for url("…"): nothing but characters of addresses, and none that CSS gives a meaning. */
const encodeCssUrl = (url: string): string =>
  url.replace(/[^\w\-.~:/?#[\]@!$&*+,;=%]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )

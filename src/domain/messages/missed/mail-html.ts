/** The content of a message as HTML for mails (mail-content.ts). */
import {
  type Attributes,
  element,
  escapeCode,
  type Html,
  html,
  joinHtml,
  type Tag,
  voidElement,
} from '../../html/html.js'
import type { HtmlElement, HtmlNode } from '../../html/html-tree.js'
import { completeSafeUrl, mediaUrl } from '../../markdown/links/link-urls.js'

/** Writes content. @param nodes of composeMailContent */
export const writeMailHtml = (nodes: readonly HtmlNode[]): Html =>
  joinHtml(nodes.map((node) => (typeof node === 'string' ? escapeCode(node) : writeElement(node))))

const writeElement = ({ tag, attributes, children }: HtmlElement): Html => {
  if (tag === 'br') return html`<br>`
  if (tag === 'hr') return html`<hr>`
  if (tag === 'img') return voidElement('img', { ...attributes, src: mediaUrl(attributes.src ?? '') } as Attributes)
  const own = tag === 'a' ? { href: completeSafeUrl(attributes.href ?? '') } : (attributes as Attributes)
  return element(tag as Tag, own, writeMailHtml(children))
}

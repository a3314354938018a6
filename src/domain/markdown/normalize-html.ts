/**
 * Writes the HTML of a message again, as is done when a thumbnail is ready or impossible: the attributes of every tag
 * are sorted, and quotes are literal wherever they need not be entities. Only for HTML that this folder wrote, because
 * it is well formed. Source: protocol/messages.md 6.5.
 */

import { type Html, trustHtml } from '../html/html.js'

const tag = /<([a-z][a-z0-9]*)((?: [a-zA-Z-]+="[^"]*")+)>/g
const attribute = / [a-zA-Z-]+="[^"]*"/g

/** Returns the HTML with sorted attributes and literal quotes. */
export const normalizeHtml = (html: Html): Html =>
  trustHtml(
    html
      .replace(tag, (_, name: string, attributes: string) => `<${name}${sortAttributes(attributes)}>`)
      .replace(/>[^<]+/g, (text) => text.replaceAll('&quot;', '"').replace(/&#39;|&#x27;/g, "'")),
  )

const nameOf = (text: string): string => text.slice(1, text.indexOf('='))

const sortAttributes = (attributes: string): string =>
  (attributes.match(attribute) ?? [])
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .join('')
    .replace(/&#39;|&#x27;/g, "'")

/**
 * Renders links: `[text](address)`.
 *
 * Brackets and parentheses can nest. One walk over the text finds all pairs before any link is tried, so ten thousand
 * opening brackets take no more time than ten thousand letters. Brackets after an exclamation mark, with which other
 * dialects mark images, stay text: the address in the parentheses is then linked by itself. In the text of a link only
 * syntax of higher precedence is rendered; the rest of the text is shown as typed. A link in the text of a link, such
 * as one to a channel, is written inside it, as existing clients expect: a browser then ends the outer link there.
 * Source: protocol/messages.md 6.3.
 */
import { element, escapeText, type Html, type SafeUrl } from '../../html/html.js'
import {
  type InlinePass,
  type InlineState,
  insertPlaceholder,
  resolveLiterally,
  restoreSource,
  TextRewriter,
} from '../context/placeholders.js'
import { completeSafeHref, parseUploadPath } from './link-urls.js'

/** The pass that renders `[label](address)`. A link without a valid address stays as typed. */
export const renderLinks: InlinePass = (text, inline) => {
  if (!text.includes('](')) return text
  const brackets = findPairs(text, '[', ']')
  const parentheses = findPairs(text, '(', ')')
  const rewrite = new TextRewriter(text)
  for (let at = text.indexOf('['); at !== -1; ) {
    const close = brackets.get(at)
    const end = close === undefined ? undefined : parentheses.get(close + 1)
    const html =
      close === undefined || end === undefined || text[at - 1] === '!'
        ? undefined
        : writeLink(text.slice(at + 1, close), text.slice(close + 2, end), inline)
    if (html === undefined || end === undefined) {
      at = text.indexOf('[', at + 1)
      continue
    }
    rewrite.replace(at, end + 1, insertPlaceholder(inline, html, text.slice(at, end + 1)))
    at = text.indexOf('[', end + 1)
  }
  return rewrite.result()
}

/** Finds all pairs of two characters. Returns the closing position by opening position. */
const findPairs = (text: string, open: string, close: string): Map<number, number> => {
  const found = new Map<number, number>()
  const waiting: number[] = []
  for (let i = 0; i < text.length; i++) {
    if (text[i] === open) waiting.push(i)
    else if (text[i] === close) {
      const opening = waiting.pop()
      if (opening !== undefined) found.set(opening, i)
    }
  }
  return found
}

const writeLink = (label: string, target: string, inline: InlineState): Html | undefined => {
  const { url, title } = parseTarget(restoreSource(target, inline))
  const href = completeSafeHref(url, inline.context.realm_url)
  if (href === undefined) return undefined
  const isBare = label.trim() === ''
  recordLink(inline, href, isBare ? undefined : restoreSource(label, inline).trim())
  const text = isBare ? escapeText(href) : resolveLiterally(label, inline)
  return writeAnchor(href, text, title)
}

/** Parses what is between the parentheses: `address` or `<address>`, each with or without a "title". */
const parseTarget = (target: string): { url: string; title?: string } => {
  const trimmed = target.trim()
  const quote = trimmed.at(-1)
  const open = quote === '"' || quote === "'" ? trimmed.indexOf(quote) : -1
  const hasTitle = open > 0 && open < trimmed.length - 1 && /\s/.test(trimmed[open - 1] ?? '')
  const url = hasTitle ? trimmed.slice(0, open).trim() : trimmed
  const bare = url.startsWith('<') && url.endsWith('>') ? url.slice(1, -1) : url
  return hasTitle ? { url: bare, title: trimmed.slice(open + 1, -1) } : { url: bare }
}

/** Records a link in the render state. The record is for `has_link`, `attachments` and the previews below the text. */
export const recordLink = ({ render_state, quoted }: InlineState, href: SafeUrl, label: string | undefined): void => {
  render_state.has_link = true
  const path_id = parseUploadPath(href)
  if (path_id !== undefined) render_state.attachments.add(path_id)
  if (!quoted) render_state.links.push({ url: href, label })
}

/** Writes an `<a>` element. */
export const writeAnchor = (href: SafeUrl, text: Html, title?: string): Html => element('a', { href, title }, text)

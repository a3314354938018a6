/**
 * Writes the blocks of a message as HTML.
 *
 * 1. A line end follows every block, except a preview. The message itself does not end with a line end.
 * 2. Inline text is rendered in document order. So budgets are spent, and mentions collected, in reading order.
 * 3. A message with more than MAX_PREVIEWED_LINKS links has no previews, and the number of links is known only after
 *    the last block. So the previews are added after all blocks are written.
 *
 * Source: protocol/messages.md 6.1, 6.2 and 6.5.
 */

import {
  appendHtml,
  closeBlock,
  empty,
  type Html,
  html,
  joinHtml,
  openTag,
  plain,
  type Tag,
  trimLineEnd,
} from '../html/html.js'
import type { Block, Element } from './blocks/block-tree.js'
import { writeCodeBlock } from './code/code-blocks.js'
import type { RenderContext } from './context/render-context.js'
import type { PreviewableLink, RenderState } from './context/render-state.js'
import { writeFormulaBlock } from './formulas/formulas.js'
import { renderText } from './inline/inline-renderer.js'
import { normalizeHtml } from './normalize-html.js'
import { buildPreview, isPreviewablePage, type LinkPreview, MAX_PREVIEWED_LINKS } from './previews.js'

export interface HtmlOutput {
  readonly context: RenderContext
  readonly render_state: RenderState
  readonly quoted: boolean
  readonly parts: (Html | LinkedText)[]
  /** the links in the cells of the table that is being written */
  readonly cell_links: PreviewableLink[]
}

/** The HTML of a text with links that can have previews. */
interface LinkedText {
  html: Html
  links: PreviewableLink[]
  /** the text is a paragraph or an item of one address and nothing else: an image preview replaces it */
  is_alone: boolean
}

/**
 * Writes the HTML of a message, and lists the addresses of the pages it links to. The addresses are
 * RenderedContent.page_urls.
 */
export const writeMessage = (
  blocks: readonly Block[],
  context: RenderContext,
  render_state: RenderState,
): { html: Html; page_urls: string[] } => {
  const output: HtmlOutput = { context, render_state, quoted: false, parts: [], cell_links: [] }
  writeBlocks(blocks, output)
  const { parts, page_urls } = output.parts.every(isHtml)
    ? { parts: output.parts as Html[], page_urls: [] }
    : addPreviews(output)
  return { html: trimLineEnd(joinHtml(parts)), page_urls }
}

const isHtml = (part: Html | LinkedText): part is Html => typeof part === 'string'

const writeBlocks = (blocks: readonly Block[], output: HtmlOutput): void => {
  for (const block of blocks) writeBlock(block, output)
}

const writeBlock = (block: Block, output: HtmlOutput): void => {
  const { parts, context, render_state } = output
  switch (block.kind) {
    case 'code':
      parts.push(writeCodeBlock(block.text, block.language || context.default_code_block_language), lineEnd)
      return
    case 'formulas':
      parts.push(writeFormulaBlock(block.tex, render_state), lineEnd)
      return
    case 'spoiler':
      parts.push(html`<div class="spoiler-block"><div class="spoiler-header">\n`)
      writeBlocks(block.header, output)
      parts.push(html`</div><div class="spoiler-content" aria-hidden="true">\n`)
      writeBlocks(block.content, output)
      parts.push(html`</div></div>`, lineEnd)
      return
    case 'element':
      writeElement(block, output)
  }
}

const writeElement = (element: Element, output: HtmlOutput): void => {
  const { tag, text, children } = element
  const { parts } = output
  if (tag === 'hr') {
    parts.push(html`<hr>\n`)
  } else if (tag === 'table') {
    writeTable(element, output)
  } else if (tag === 'th' || tag === 'td') {
    writeCell(tag, element, output)
  } else if (tag === 'p' || isHeading(tag)) {
    const linked = renderLinkedText(openTag(tag, plain), text, closeBlock(tag), output)
    linked.is_alone &&= tag === 'p'
    parts.push(linked.links.length === 0 ? linked.html : linked)
  } else if (text === '') {
    writeParent(tag, element, output)
  } else {
    writeItem(text, children, output)
  }
}

const lineEnd = html`\n`

const isHeading = (tag: string): boolean => /^h[1-6]$/.test(tag)

/** Writes a list item. The previews of its text come after its children. */
const writeItem = (text: string, children: readonly Block[], output: HtmlOutput): void => {
  const { parts } = output
  const linked = renderLinkedText(empty, text, empty, output)
  parts.push(openTag('li', plain), linked.links.length === 0 || children.length > 0 ? linked.html : linked)
  writeBlocks(children, output)
  if (linked.links.length > 0 && children.length > 0) parts.push({ ...linked, html: empty })
  parts.push(closeBlock('li'))
}

/** Writes a table. The previews of all its cells come after it. */
const writeTable = (table: Element, output: HtmlOutput): void => {
  const cell_links: PreviewableLink[] = []
  writeParent('table', table, { ...output, cell_links })
  if (cell_links.length > 0) output.parts.push({ html: empty, links: cell_links, is_alone: false })
}

const writeCell = (tag: 'th' | 'td', { attributes, text, touches_pipe }: Element, output: HtmlOutput): void => {
  const { html, links } = renderLinkedText(openTag(tag, attributes), text, closeBlock(tag), output, touches_pipe)
  output.parts.push(html)
  output.cell_links.push(...links)
}

const writeParent = (tag: Tag, { attributes, children }: Element, output: HtmlOutput): void => {
  const { parts } = output
  parts.push(openTag(tag, attributes))
  if (children.length > 0) parts.push(lineEnd)
  writeBlocks(children, tag === 'blockquote' ? { ...output, quoted: true } : output)
  parts.push(closeBlock(tag))
}

const renderLinkedText = (
  before: Html,
  text: string,
  after: Html,
  output: HtmlOutput,
  touches_pipe = false,
): LinkedText => {
  const { render_state } = output
  const rendered = renderText(text, output, touches_pipe)
  const links = sortByPlace(render_state.links, rendered)
  if (links.length > 0) render_state.links = []
  const is_alone = links.length === 1 && links[0]?.label === undefined && isOneAnchor(rendered)
  return { html: appendHtml(appendHtml(before, rendered), after), links, is_alone }
}

const isOneAnchor = (html: Html): boolean => html.startsWith('<a href="') && html.indexOf('</a>') === html.length - 4

/**
 * The links in the order in which the reader sees them: each kind of link was recorded by a pass of its own over the
 * text. In linear time, because a message can have a thousand links.
 */
const sortByPlace = (links: PreviewableLink[], rendered: Html): PreviewableLink[] => {
  if (links.length < 2) return links
  const places = new Map<string, number>()
  for (const { 0: anchor, index } of rendered.matchAll(/<a href="[^"]*"/g)) {
    if (!places.has(anchor)) places.set(anchor, index)
  }
  const placeOf = ({ url }: PreviewableLink) => places.get(openTag('a', { href: url }).slice(0, -1)) ?? 0
  return links
    .map((link) => ({ link, place: placeOf(link) }))
    .sort((a, b) => a.place - b.place)
    .map(({ link }) => link)
}

const addPreviews = ({ parts, context, render_state }: HtmlOutput): { parts: Html[]; page_urls: string[] } => {
  const urls = new Set<string>()
  for (const part of parts) if (!isHtml(part)) for (const { url } of part.links) urls.add(url)
  if (urls.size > MAX_PREVIEWED_LINKS) {
    return { parts: parts.map((part) => (isHtml(part) ? part : part.html)), page_urls: [] }
  }
  const page_urls = new Set<string>()
  const shown = new Set<string>()
  let isRewritten = false
  const withPreview = ({ html, links, is_alone }: LinkedText): Html => {
    const previews: LinkPreview[] = []
    for (const link of links) {
      if (shown.has(link.url)) continue
      shown.add(link.url)
      const preview = buildPreview(link, context)
      // What has another preview is no page; this order builds each preview once.
      if ((preview === undefined || preview.is_page) && isPreviewablePage(link, context)) page_urls.add(link.url)
      if (preview === undefined) continue
      render_state.has_image ||= preview.is_image
      isRewritten ||= preview.is_rewritten
      previews.push(preview)
    }
    const shownText = is_alone && previews[0]?.replaces_link ? empty : html
    return previews.reduce((written, preview) => appendHtml(written, preview.html), shownText)
  }
  const written = parts.map((part) => (isHtml(part) ? part : withPreview(part)))
  return { parts: isRewritten ? [normalizeHtml(joinHtml(written))] : written, page_urls: [...page_urls] }
}

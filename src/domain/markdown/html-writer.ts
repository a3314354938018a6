/**
 * Blocks to HTML.
 *
 * 1. Every block is followed by a line end, except a preview; only the message itself ends without one.
 * 2. Inline text is rendered in document order, so budgets are spent and mentions found in the order people read.
 * 3. Whether there are previews at all is known only at the end, so their places are kept open until then.
 *
 * Source: messages.md 6.1, 6.2 and 6.5.
 */

import type { Block, Element } from './block-tree.js'
import { writeCodeBlock } from './code-blocks.js'
import { writeFormulaBlock } from './formulas.js'
import { renderText } from './inline-renderer.js'
import { buildPreview, isPreviewablePage, type LinkPreview, MAX_PREVIEWED_LINKS } from './previews.js'
import type { RenderContext } from './render-context.js'
import type { PreviewableLink, RenderState } from './render-state.js'
import { reserialize } from './reserialize.js'

export interface HtmlOutput {
  readonly context: RenderContext
  readonly render_state: RenderState
  readonly quoted: boolean
  readonly parts: (string | LinkedText)[]
}

/** A text with links that may be previewed. */
interface LinkedText {
  html: string
  links: PreviewableLink[]
  /** it is one address and nothing else, and may give way to its preview */
  is_alone: boolean
}

/** The HTML of a message, and the pages it links to. */
export const writeMessage = (
  blocks: readonly Block[],
  context: RenderContext,
  findings: RenderState,
): { html: string; pages: string[] } => {
  const page: HtmlOutput = { context, render_state: findings, quoted: false, parts: [] }
  writeBlocks(blocks, page)
  const { parts, pages } = page.parts.some((part) => typeof part !== 'string')
    ? addPreviews(page)
    : { parts: page.parts, pages: [] }
  const html = parts.join('')
  return { html: html.endsWith('\n') ? html.slice(0, -1) : html, pages }
}

const writeBlocks = (blocks: readonly Block[], page: HtmlOutput): void => {
  for (const block of blocks) writeBlock(block, page)
}

const writeBlock = (block: Block, page: HtmlOutput): void => {
  const { parts, context, render_state: findings } = page
  switch (block.kind) {
    case 'code':
      parts.push(writeCodeBlock(block.text, block.language || context.default_code_block_language), '\n')
      return
    case 'formulas':
      parts.push(writeFormulaBlock(block.tex, findings), '\n')
      return
    case 'spoiler':
      parts.push('<div class="spoiler-block"><div class="spoiler-header">\n')
      writeBlocks(block.header, page)
      parts.push('</div><div class="spoiler-content" aria-hidden="true">\n')
      writeBlocks(block.content, page)
      parts.push('</div></div>\n')
      return
    case 'element':
      writeElement(block, page)
  }
}

const writeElement = (element: Element, page: HtmlOutput): void => {
  const { tag, attributes, text, children } = element
  const { parts } = page
  if (tag === 'hr') {
    parts.push('<hr>\n')
  } else if (tag === 'p' || tag.startsWith('h')) {
    writeText(`<${tag}>`, text, `</${tag}>\n`, page)
  } else if (tag === 'th' || tag === 'td') {
    parts.push(`<${tag}${attributes}>`)
    writeText('', text, '', page)
    parts.push(`</${tag}>\n`)
  } else if (text === '') {
    parts.push(children.length > 0 ? `<${tag}${attributes}>\n` : `<${tag}${attributes}>`)
    writeBlocks(children, tag === 'blockquote' ? { ...page, quoted: true } : page)
    parts.push(`</${tag}>\n`)
  } else {
    writeItem(text, children, page)
  }
}

/** The previews of an item's text come at the item's end. */
const writeItem = (text: string, children: readonly Block[], page: HtmlOutput): void => {
  const { parts } = page
  const linked = renderLinkedText('', text, '', page)
  parts.push('<li>', linked.links.length === 0 || children.length > 0 ? linked.html : linked)
  writeBlocks(children, page)
  if (linked.links.length > 0 && children.length > 0) parts.push({ ...linked, html: '' })
  parts.push('</li>\n')
}

const writeText = (before: string, text: string, after: string, page: HtmlOutput): void => {
  const linked = renderLinkedText(before, text, after, page)
  page.parts.push(linked.links.length === 0 ? linked.html : linked)
}

const renderLinkedText = (before: string, text: string, after: string, page: HtmlOutput): LinkedText => {
  const { render_state: findings } = page
  const html = renderText(text, page)
  const { links } = findings
  if (links.length > 0) findings.links = []
  const is_alone = links.length === 1 && links[0]?.label === undefined && isOneAnchor(html)
  return { html: `${before}${html}${after}`, links, is_alone }
}

const isOneAnchor = (html: string): boolean => html.startsWith('<a href="') && html.indexOf('</a>') === html.length - 4

const addPreviews = ({ parts, context, render_state: findings }: HtmlOutput): { parts: string[]; pages: string[] } => {
  const linked = parts.filter((part) => typeof part !== 'string')
  const urls = new Set(linked.flatMap(({ links }) => links.map(({ url }) => url)))
  if (urls.size > MAX_PREVIEWED_LINKS) {
    return { parts: parts.map((part) => (typeof part === 'string' ? part : part.html)), pages: [] }
  }
  const pages = new Set<string>()
  const shown = new Set<string>()
  let isRewritten = false
  const withPreview = ({ html, links, is_alone }: LinkedText): string => {
    const previews: LinkPreview[] = []
    for (const link of links) {
      if (shown.has(link.url)) continue
      shown.add(link.url)
      if (isPreviewablePage(link, context)) pages.add(link.url)
      const preview = buildPreview(link, context)
      if (preview === undefined) continue
      findings.has_image ||= preview.is_image
      isRewritten ||= preview.is_rewritten
      previews.push(preview)
    }
    const shownText = is_alone && previews[0]?.replaces_link ? '' : html
    return shownText + previews.map((preview) => preview.html).join('')
  }
  const written = parts.map((part) => (typeof part === 'string' ? part : withPreview(part)))
  return { parts: isRewritten ? [reserialize(written.join(''))] : written, pages: [...pages] }
}

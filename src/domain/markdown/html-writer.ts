/**
 * Writes the blocks of a message as HTML.
 *
 * 1. A line end follows every block, except a preview. The message itself does not end with a line end.
 * 2. Inline text is rendered in document order. So budgets are spent, and mentions collected, in reading order.
 * 3. A message with more than MAX_PREVIEWED_LINKS links has no previews, and the number of links is known only after
 *    the last block. So the previews are added after all blocks are written.
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

/** The HTML of a text with links that can have previews. */
interface LinkedText {
  html: string
  links: PreviewableLink[]
  /** the text is one address and nothing else: an image preview replaces it */
  is_alone: boolean
}

/** Returns the HTML of a message, and the addresses of the pages it links to (RenderedContent.page_urls). */
export const writeMessage = (
  blocks: readonly Block[],
  context: RenderContext,
  render_state: RenderState,
): { html: string; page_urls: string[] } => {
  const output: HtmlOutput = { context, render_state, quoted: false, parts: [] }
  writeBlocks(blocks, output)
  const { parts, page_urls } = output.parts.some((part) => typeof part !== 'string')
    ? addPreviews(output)
    : { parts: output.parts, page_urls: [] }
  const html = parts.join('')
  return { html: html.endsWith('\n') ? html.slice(0, -1) : html, page_urls }
}

const writeBlocks = (blocks: readonly Block[], output: HtmlOutput): void => {
  for (const block of blocks) writeBlock(block, output)
}

const writeBlock = (block: Block, output: HtmlOutput): void => {
  const { parts, context, render_state } = output
  switch (block.kind) {
    case 'code':
      parts.push(writeCodeBlock(block.text, block.language || context.default_code_block_language), '\n')
      return
    case 'formulas':
      parts.push(writeFormulaBlock(block.tex, render_state), '\n')
      return
    case 'spoiler':
      parts.push('<div class="spoiler-block"><div class="spoiler-header">\n')
      writeBlocks(block.header, output)
      parts.push('</div><div class="spoiler-content" aria-hidden="true">\n')
      writeBlocks(block.content, output)
      parts.push('</div></div>\n')
      return
    case 'element':
      writeElement(block, output)
  }
}

const writeElement = (element: Element, output: HtmlOutput): void => {
  const { tag, attributes, text, children } = element
  const { parts } = output
  if (tag === 'hr') {
    parts.push('<hr>\n')
  } else if (tag === 'p' || tag.startsWith('h')) {
    writeText(`<${tag}>`, text, `</${tag}>\n`, output)
  } else if (tag === 'th' || tag === 'td') {
    parts.push(`<${tag}${attributes}>`)
    writeText('', text, '', output)
    parts.push(`</${tag}>\n`)
  } else if (text === '') {
    parts.push(children.length > 0 ? `<${tag}${attributes}>\n` : `<${tag}${attributes}>`)
    writeBlocks(children, tag === 'blockquote' ? { ...output, quoted: true } : output)
    parts.push(`</${tag}>\n`)
  } else {
    writeItem(text, children, output)
  }
}

/** Writes a list item. The previews of its text come after its children. */
const writeItem = (text: string, children: readonly Block[], output: HtmlOutput): void => {
  const { parts } = output
  const linked = renderLinkedText('', text, '', output)
  parts.push('<li>', linked.links.length === 0 || children.length > 0 ? linked.html : linked)
  writeBlocks(children, output)
  if (linked.links.length > 0 && children.length > 0) parts.push({ ...linked, html: '' })
  parts.push('</li>\n')
}

const writeText = (before: string, text: string, after: string, output: HtmlOutput): void => {
  const linked = renderLinkedText(before, text, after, output)
  output.parts.push(linked.links.length === 0 ? linked.html : linked)
}

const renderLinkedText = (before: string, text: string, after: string, output: HtmlOutput): LinkedText => {
  const { render_state } = output
  const html = renderText(text, output)
  const { links } = render_state
  if (links.length > 0) render_state.links = []
  const is_alone = links.length === 1 && links[0]?.label === undefined && isOneAnchor(html)
  return { html: `${before}${html}${after}`, links, is_alone }
}

const isOneAnchor = (html: string): boolean => html.startsWith('<a href="') && html.indexOf('</a>') === html.length - 4

const addPreviews = ({ parts, context, render_state }: HtmlOutput): { parts: string[]; page_urls: string[] } => {
  const linked = parts.filter((part) => typeof part !== 'string')
  const urls = new Set(linked.flatMap(({ links }) => links.map(({ url }) => url)))
  if (urls.size > MAX_PREVIEWED_LINKS) {
    return { parts: parts.map((part) => (typeof part === 'string' ? part : part.html)), page_urls: [] }
  }
  const page_urls = new Set<string>()
  const shown = new Set<string>()
  let isRewritten = false
  const withPreview = ({ html, links, is_alone }: LinkedText): string => {
    const previews: LinkPreview[] = []
    for (const link of links) {
      if (shown.has(link.url)) continue
      shown.add(link.url)
      if (isPreviewablePage(link, context)) page_urls.add(link.url)
      const preview = buildPreview(link, context)
      if (preview === undefined) continue
      render_state.has_image ||= preview.is_image
      isRewritten ||= preview.is_rewritten
      previews.push(preview)
    }
    const shownText = is_alone && previews[0]?.replaces_link ? '' : html
    return shownText + previews.map((preview) => preview.html).join('')
  }
  const written = parts.map((part) => (typeof part === 'string' ? part : withPreview(part)))
  return { parts: isRewritten ? [reserialize(written.join(''))] : written, page_urls: [...page_urls] }
}

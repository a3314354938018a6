/**
 * Markdown to the HTML that clients show: the door of this folder.
 *
 * splitFences → parseSegments → writeMessage (which renders each text with the passes of inline-renderer.ts).
 *
 * 1. Pure: the same content and the same answers of the context give the same result; nothing is awaited.
 * 2. Safe: whatever the content, tags and attributes are ours, text is escaped, addresses pass link-urls.ts.
 * 3. Bounded: every scan moves forward, nesting is limited, and what weighs more than its length (formulas,
 *    linkifiers, table cells) has a budget. In a warm process nothing of 10,000 characters takes
 *    50 ms of processor time.
 *
 * Source: messages.md section 6.
 */
import { parseSegments } from './block-parser.js'
import { LINKIFIER_BUDGET } from './compiled-linkifier.js'
import { splitFences } from './fences.js'
import { FORMULA_BUDGET } from './formulas.js'
import { writeMessage } from './html-writer.js'
import { isInert, renderText } from './inline-renderer.js'
import type { RenderContext, RenderedContent } from './render-context.js'
import { newRenderState, type RenderState } from './render-state.js'
/** Longer HTML is not stored: the message is refused with "This message is too long once rendered: shorten it.". */
export const MAX_HTML_LENGTH = 1_000_000

/** The HTML of a message, and what it mentions and links to. */
export const render = (content: string, context: RenderContext): RenderedContent =>
  isPlain(content, context)
    ? toRenderedContent(`<p>${content}</p>`, startRendering(), [])
    : renderFully(content, context)

/** The same without the short cut for plain text; for the test that compares the two. */
export const renderFully = (content: string, context: RenderContext): RenderedContent => {
  const found = startRendering()
  const blocks = parseSegments(splitFences(cleanContent(content)))
  const { html, pages } = writeMessage(blocks, context, found)
  return toRenderedContent(html, found, pages)
}

/** One paragraph without previews: descriptions of channels and folders. */
export const renderInline = (content: string, context: RenderContext): string => {
  const text = cleanContent(content)
    .replace(/\s*\n\s*/g, ' ')
    .trim()
  if (text === '') return ''
  const found = startRendering()
  return `<p>${renderText(text, { context, render_state: found, quoted: false })}</p>`
}

/** Whether clients show it as something its sender does: `/me waves`. */
export const isMeMessage = (content: string): boolean => content.startsWith('/me ')

/** Most messages are one line of plain text. It begins with a letter, so it is no list, heading or the like. */
const isPlain = (content: string, context: RenderContext): boolean =>
  /^[A-Za-z\u00c0-\u024f\u0370-\u052f\u4e00-\u9fff\uac00-\ud7a3]/.test(content) && isInert(content, context)

/** What marks pieces (placeholders.ts) must not come from outside; nor may half a character, of which no address can be made. */
const unwanted = /\r\n?|(?![\n\t\u0085])\p{Cc}|\p{Surrogate}/gu

const cleanContent = (content: string): string =>
  content.replace(unwanted, (found) => {
    if (found.startsWith('\r')) return '\n'
    return found >= '\ud800' ? '\ufffd' : ''
  })

const startRendering = (): RenderState =>
  newRenderState({ formula_budget: FORMULA_BUDGET, linkifier_budget: LINKIFIER_BUDGET })

const toRenderedContent = (html: string, found: RenderState, pages: string[]): RenderedContent => ({
  html,
  mentioned_users: [...found.mentioned_users],
  mentioned_groups: [...found.mentioned_groups],
  channel_wildcard: found.channel_wildcard,
  topic_wildcard: found.topic_wildcard,
  has_link: found.has_link,
  has_image: found.has_image,
  has_attachment: found.attachments.size > 0,
  attachments: [...found.attachments],
  page_urls: pages,
})

/**
 * Renders Markdown as the HTML that clients show. Other folders call this file.
 *
 * splitFences → parseSegments → writeMessage (which renders each text with the passes of inline-renderer.ts).
 *
 * 1. Pure: the same content and the same answers of the context give the same result. Nothing is awaited. Only a typed
 *    time without a date (`<time:5pm>`) reads the clock.
 * 2. Safe: for any content, only this folder writes tags and attributes, all text is escaped, and every address has
 *    passed link-urls.ts.
 * 3. Bounded: every scan moves forward, nesting is limited, and syntax that costs more time than its length suggests
 *    (formulas, linkifiers, table cells) has a budget. In a warm process 10,000 characters of any content take at most
 *    40 times the fixed work of test/setup/processes/processor-time.ts.
 *
 * Source: protocol/messages.md 6.
 */
import { element, empty, type Html, plain, trustHtml } from '../html/html.js'
import { parseSegments } from './blocks/block-parser.js'
import { splitFences } from './blocks/fences.js'
import { LINKIFIER_BUDGET } from './context/compiled-linkifier.js'
import type { RenderContext, RenderedContent } from './context/render-context.js'
import { createRenderState, type RenderState } from './context/render-state.js'
import { FORMULA_BUDGET } from './formulas/formulas.js'
import { writeMessage } from './html-writer.js'
import { isInert, renderText } from './inline/inline-renderer.js'
/**
 * The length of the longest HTML that is stored. The server refuses a message with longer HTML: "This message is too
 * long once rendered: shorten it.".
 */
export const MAX_HTML_LENGTH = 1_000_000

/** Renders a message: its HTML, and what it mentions and links to. */
export const render = (content: string, context: RenderContext): RenderedContent => {
  const render_state = startRendering()
  if (isPlain(content, context)) return toRenderedContent(element('p', plain, trustHtml(content)), render_state, [])
  const blocks = parseSegments(splitFences(cleanContent(content)))
  const written = writeMessage(blocks, context, render_state)
  return toRenderedContent(written.html, render_state, written.page_urls)
}

/** Renders text as one paragraph without previews. The text is the description of a channel or a folder. */
export const renderInline = (content: string, context: RenderContext): Html => {
  const text = cleanContent(content)
    .replace(/\s*\n\s*/g, ' ')
    .trim()
  if (text === '') return empty
  const render_state = startRendering()
  return element('p', plain, renderText(text, { context, render_state, quoted: false }))
}

/** Whether clients show a message as an action of its sender: `/me waves`. */
export const isMeMessage = (content: string): boolean => content.startsWith('/me ')

/**
 * Whether a message is one line of plain text, as most messages are: its HTML is then the content itself. It must begin
 * with a letter, because a list, a heading or another block begins with other characters.
 */
const isPlain = (content: string, context: RenderContext): boolean =>
  /^[A-Za-z\u00c0-\u024f\u0370-\u052f\u4e00-\u9fff\uac00-\ud7a3]/.test(content) && isInert(content, context)

/**
 * Characters that rendering removes or replaces: a content must not contain the characters of placeholders
 * (placeholders.ts), and an address cannot be made of half a surrogate pair.
 */
const unwanted = /\r\n?|(?![\n\t\u0085])\p{Cc}|\p{Surrogate}/gu

const cleanContent = (content: string): string =>
  expandTabs(
    content.replace(unwanted, (character) => {
      if (character.startsWith('\r')) return '\n'
      return character >= '\ud800' ? '\ufffd' : ''
    }),
  )

/** Replaces each tab by spaces up to the next multiple of four columns. */
const expandTabs = (text: string): string => {
  if (!text.includes('\t')) return text
  return text
    .split('\n')
    .map((line) => {
      const [first = '', ...rest] = line.split('\t')
      return rest.reduce((done, part) => `${done}${' '.repeat(4 - (done.length % 4))}${part}`, first)
    })
    .join('\n')
}

const startRendering = (): RenderState =>
  createRenderState({ formula_budget: FORMULA_BUDGET, linkifier_budget: LINKIFIER_BUDGET })

const toRenderedContent = (html: Html, render_state: RenderState, page_urls: string[]): RenderedContent => ({
  html,
  mentioned_users: [...render_state.mentioned_users],
  mentioned_groups: [...render_state.mentioned_groups],
  channel_wildcard: render_state.channel_wildcard,
  topic_wildcard: render_state.topic_wildcard,
  has_link: render_state.has_link,
  has_image: render_state.has_image,
  has_attachment: render_state.attachments.size > 0,
  attachments: [...render_state.attachments],
  page_urls,
})

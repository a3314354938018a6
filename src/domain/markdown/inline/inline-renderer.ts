/**
 * Renders inline syntax in order of precedence.
 *
 * Each pass goes over the text once and replaces what it recognises by placeholders (placeholders.ts). So a syntax of
 * higher precedence is recognised first, whatever characters of a lower one are around it: code first, emoji last. The
 * text inside emphasis is rendered with the passes after that syntax. The scanners of Markdown
 * libraries go from left to right and decide by position, so they give other results: in `**a [b**](c)` the link wins
 * here.
 *
 * Line breaks, entities and Unicode emoji are rendered together after the last pass, in context/plain-text.ts.
 * Source: protocol/messages.md 6.3.
 */
import { type Html, trustHtml } from '../../html/html.js'
import { type InlinePass, type InlineState, resolvePlaceholders } from '../context/placeholders.js'
import { renderFormulas } from '../formulas/formulas.js'
import { renderAutolinks } from '../links/autolinks.js'
import { renderLinkifierLinks } from '../links/linkifier-links.js'
import { renderLinks } from '../links/links.js'
import { renderChannelLinks } from './channel-links.js'
import { renderCodeSpans } from './code-spans.js'
import { renderEmoticons, renderNamedEmoji } from './emoji-syntax.js'
import { renderDeletion, renderEmphasis, renderStrong, renderStrongEmphasis } from './emphasis.js'
import { renderGlobalTimes } from './global-times.js'
import { renderGroupMentions, renderUserMentions } from './mentions.js'

const passes: readonly InlinePass[] = [
  renderCodeSpans,
  renderStrongEmphasis,
  renderUserMentions,
  renderFormulas,
  renderChannelLinks,
  renderGlobalTimes,
  renderGroupMentions,
  renderLinks,
  renderAutolinks,
  renderLinkifierLinks,
  renderStrong,
  renderEmphasis,
  renderDeletion,
  renderNamedEmoji,
  renderEmoticons,
]

/** What the renderer must know about the text of a block. */
type InlineText = Pick<InlineState, 'context' | 'render_state' | 'quoted'>

/** Renders the text of one block. `touches_pipe` is as in InlineState. */
export const renderText = (text: string, input: InlineText, touches_pipe = false): Html =>
  isInert(text, input.context) ? trustHtml(text) : renderFrom(0, text, createInline(input, touches_pipe))

/**
 * Letters, digits and signs that no syntax uses, as in most messages. Each dot ends a word, so there is no address.
 * There is no colon and no angle bracket, so there is no emoticon. No character needs escaping.
 */
const inert = /^(?:[A-Za-z0-9 ,'"!?()\u00c0-\u024f\u0370-\u052f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3-]|\.(?= |$))*$/

/** Whether no pass can change the text. May be false for a text that no pass changes. */
export const isInert = (text: string, { linkifiers }: Pick<InlineState['context'], 'linkifiers'>): boolean =>
  inert.test(text) && linkifiers.every(({ required_character: mark }) => mark !== '' && !text.includes(mark))

const createInline = ({ context, render_state, quoted }: InlineText, touches_pipe: boolean): InlineState => ({
  context,
  render_state,
  quoted,
  touches_pipe,
  fragments: [],
})

const renderFrom = (first: number, text: string, inline: InlineState): Html => {
  let rest = text
  for (let i = first; i < passes.length; i++)
    rest = (passes[i] as InlinePass)(rest, inline, inners[i] as (typeof inners)[0])
  return resolvePlaceholders(rest, inline)
}

const inners = passes.map((_, i) => (text: string, inline: InlineState) => renderFrom(i + 1, text, inline))

/**
 * Inline syntax, in order of precedence.
 *
 * Each pass goes over the text once and takes out what it recognises (placeholders.ts), so a higher one is never disturbed
 * by what a lower one would see in its place: code first, emoji last. What stands inside a piece, the text of a link
 * or of emphasis, is rendered with the passes after its own. A left-to-right scanner, as Markdown libraries have,
 * decides by position instead and so differently: in `**a [b**](c)` the link wins here.
 *
 * Line breaks, entities and Unicode emoji come last and together, in plain-text.ts. Source: messages.md 6.3.
 */
import { renderAutolinks } from './autolinks.js'
import { renderChannelLinks } from './channel-links.js'
import { renderCodeSpans } from './code-spans.js'
import { renderEmoticons, renderNamedEmoji } from './emoji-syntax.js'
import { renderDeletion, renderEmphasis, renderStrong, renderStrongEmphasis } from './emphasis.js'
import { renderFormulas } from './formulas.js'
import { renderGlobalTimes } from './global-times.js'
import { renderLinkifierLinks } from './linkifier-links.js'
import { renderLinks } from './links.js'
import { renderGroupMentions, renderUserMentions } from './mentions.js'
import { type InlinePass, type InlineState, resolvePlaceholders } from './placeholders.js'

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

/** The HTML of one run of text. */
export const renderText = (text: string, page: Pick<InlineState, 'context' | 'render_state' | 'quoted'>): string =>
  isInert(text, page.context) ? text : renderFrom(0, text, newInline(page))

/**
 * Letters, digits and the signs that mean nothing in any syntax: most of what people write. A dot ends a word, so there
 * is no address; there is no colon and no angle bracket, so there is no emoticon; nothing needs escaping.
 */
const inert = /^(?:[A-Za-z0-9 ,'"!?()\u00c0-\u024f\u0370-\u052f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3-]|\.(?= |$))*$/

/** Whether every pass would leave the text as it is: true only if so. */
export const isInert = (text: string, { linkifiers }: Pick<InlineState['context'], 'linkifiers'>): boolean =>
  inert.test(text) && linkifiers.every(({ required_character: mark }) => mark !== '' && !text.includes(mark))

const newInline = ({
  context,
  render_state: findings,
  quoted,
}: Pick<InlineState, 'context' | 'render_state' | 'quoted'>): InlineState => ({
  context,
  render_state: findings,
  quoted,
  in_link: false,
  fragments: [],
})

const renderFrom = (first: number, text: string, inline: InlineState): string => {
  let rest = text
  for (let i = first; i < passes.length; i++)
    rest = (passes[i] as InlinePass)(rest, inline, inners[i] as (typeof inners)[0])
  return resolvePlaceholders(rest, inline)
}

const inners = passes.map((_, i) => (text: string, inline: InlineState) => renderFrom(i + 1, text, inline))

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
import { autolinks } from './autolinks.js'
import { channelLinks } from './channel-links.js'
import { codeSpans } from './code-spans.js'
import { emoticons, namedEmoji } from './emoji-syntax.js'
import { deletion, emphasis, strong, strongEmphasis } from './emphasis.js'
import { formulas } from './formulas.js'
import { times } from './global-times.js'
import { linkifiers } from './linkifier-links.js'
import { links } from './links.js'
import { groupMentions, userMentions } from './mentions.js'
import { finish, type Inline, type Pass } from './placeholders.js'

const passes: readonly Pass[] = [
  codeSpans,
  strongEmphasis,
  userMentions,
  formulas,
  channelLinks,
  times,
  groupMentions,
  links,
  autolinks,
  linkifiers,
  strong,
  emphasis,
  deletion,
  namedEmoji,
  emoticons,
]

/** The HTML of one run of text. */
export const renderText = (text: string, page: Pick<Inline, 'context' | 'findings' | 'quoted'>): string =>
  isInert(text, page.context) ? text : renderFrom(0, text, newInline(page))

/**
 * Letters, digits and the signs that mean nothing in any syntax: most of what people write. A dot ends a word, so there
 * is no address; there is no colon and no angle bracket, so there is no emoticon; nothing needs escaping.
 */
const inert = /^(?:[A-Za-z0-9 ,'"!?()\u00c0-\u024f\u0370-\u052f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3-]|\.(?= |$))*$/

/** Whether every pass would leave the text as it is: true only if so. */
export const isInert = (text: string, { linkifiers }: Pick<Inline['context'], 'linkifiers'>): boolean =>
  inert.test(text) && linkifiers.every(({ mark }) => mark !== '' && !text.includes(mark))

const newInline = ({ context, findings, quoted }: Pick<Inline, 'context' | 'findings' | 'quoted'>): Inline => ({
  context,
  findings,
  quoted,
  in_link: false,
  pieces: [],
})

const renderFrom = (first: number, text: string, inline: Inline): string => {
  let rest = text
  for (let i = first; i < passes.length; i++) rest = (passes[i] as Pass)(rest, inline, inners[i] as (typeof inners)[0])
  return finish(rest, inline)
}

const inners = passes.map((_, i) => (text: string, inline: Inline) => renderFrom(i + 1, text, inline))

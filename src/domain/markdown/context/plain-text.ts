/**
 * Plain text to HTML, after all inline passes: line breaks, entities and Unicode emoji.
 *
 * A sequence of emoji that is not one emoji as a whole stays as typed, even when its parts are emoji: a part alone can
 * show another person or another flag. A character that Unicode shows as text by default (`©`, `❤` without U+FE0F)
 * stays as typed too. Source: protocol/messages.md 6.3.
 */
import { emojiNames } from '../../emoji/emoji-table.js'
import { emojiCode } from '../../emoji/unicode-names.js'
import { appendHtml, element, empty, escapeCode, escapeLines, type Html } from '../../html/html.js'

const singleEmoji = String.raw`(?:[0-9#*]\uFE0F?\u20E3|(?![0-9#*])\p{Emoji}(?:\p{Emoji_Modifier}|\uFE0F|[\u{E0020}-\u{E007E}]+\u{E007F})?)`
const emojiSequence = new RegExp(
  String.raw`\p{Regional_Indicator}{2}|${singleEmoji}(?:\u200D${singleEmoji})*\uFE0E?`,
  'gu',
)
const emojiByDefault = /^\p{Emoji_Presentation}$/u
const beyondAscii = /\P{ASCII}/u

/** Returns the HTML of text without markup. */
export const renderPlainText = (text: string): Html => {
  if (!beyondAscii.test(text)) return escapeLines(text)
  let html = empty
  let done = 0
  emojiSequence.lastIndex = 0
  for (let found = emojiSequence.exec(text); found !== null; found = emojiSequence.exec(text)) {
    const { 0: typed, index } = found
    const emoji = writeSequence(typed)
    if (emoji === undefined) continue
    html = appendHtml(appendHtml(html, escapeLines(removeIndentation(text.slice(done, index)))), emoji)
    done = index + typed.length
  }
  return done === 0 ? escapeLines(text) : appendHtml(html, escapeLines(text.slice(done)))
}

const indentation = /\n[^\S\n]+$/

/** Removes the spaces between a line break and the element that follows the text. */
export const removeIndentation = (text: string): string => (text.endsWith(' ') ? text.replace(indentation, '\n') : text)

/** Returns the HTML of a sequence of emoji that is one emoji as a whole; undefined: it stays as typed. */
const writeSequence = (typed: string): Html | undefined => {
  if (typed.endsWith('\ufe0e')) return undefined
  const code = emojiCode(typed)
  const [name] = emojiNames(code)
  if (name === undefined) return undefined
  const isSingle = typed.length <= 2 && !typed.endsWith('\ufe0f')
  return isSingle && !emojiByDefault.test(typed) ? undefined : writeEmojiSpan(name, code)
}

const emojiSpans = new Map<string, Html>()

/**
 * Returns the HTML of a built-in emoji under the given name. `code` is as in domain/emoji/emoji-table.ts. The HTML
 * of a name is written once, because the table has few names.
 */
export const writeEmojiSpan = (name: string, code: string): Html => {
  let span = emojiSpans.get(name)
  if (span === undefined) {
    const label = name.replaceAll('_', ' ')
    const attributes = { 'aria-label': label, class: `emoji emoji-${code}`, role: 'img', title: label }
    span = element('span', attributes, escapeCode(`:${name}:`))
    emojiSpans.set(name, span)
  }
  return span
}

/**
 * Plain text to HTML, after all inline passes: line breaks, entities and Unicode emoji.
 *
 * A sequence of emoji that is not one emoji as a whole stays as typed, even when its parts are emoji: a part alone can
 * show another person or another flag. A character that Unicode shows as text by default (`©`, `❤` without U+FE0F)
 * stays as typed too. Source: messages.md 6.3.
 */
import { emojiCode, emojiNames } from '../emoji/emoji-table.js'
import { escapeText } from './escape.js'

const singleEmoji = String.raw`(?:[0-9#*]\uFE0F?\u20E3|(?![0-9#*])\p{Emoji}(?:\p{Emoji_Modifier}|\uFE0F|[\u{E0020}-\u{E007E}]+\u{E007F})?)`
const emojiSequence = new RegExp(
  String.raw`\p{Regional_Indicator}{2}|${singleEmoji}(?:\u200D${singleEmoji})*\uFE0E?`,
  'gu',
)
const emojiByDefault = /^\p{Emoji_Presentation}$/u
const beyondAscii = /\P{ASCII}/u

/** Returns the HTML of text without markup. */
export const renderPlainText = (text: string): string => {
  let html = escapeText(text)
  if (html.includes('\n')) html = html.replaceAll('\n', '<br>\n')
  return beyondAscii.test(html) ? html.replace(emojiSequence, renderSequence) : html
}

const renderSequence = (typed: string): string => {
  if (typed.endsWith('\ufe0e')) return typed
  const code = emojiCode(typed)
  const [name] = emojiNames(code)
  if (name === undefined) return typed
  const isSingle = typed.length <= 2 && !typed.endsWith('\ufe0f')
  return isSingle && !emojiByDefault.test(typed) ? typed : writeEmojiSpan(name, code)
}

/** Returns the HTML of a built-in emoji under the given name. `code` is as in emoji-table.ts. */
export const writeEmojiSpan = (name: string, code: string): string => {
  const label = name.replaceAll('_', ' ')
  return `<span aria-label="${label}" class="emoji emoji-${code}" role="img" title="${label}">:${name}:</span>`
}

/**
 * Renders emoji that are typed by name, and emoticons if the sender's settings ask for it. Source: protocol/messages.md
 * 6.3.
 */
import { findEmojiCode } from '../../emoji/emoji-table.js'
import { type Html, voidElement } from '../../html/html.js'
import { wordCharacter } from '../../text/characters.js'
import { type InlinePass, insertPlaceholder, TextRewriter } from '../context/placeholders.js'
import { writeEmojiSpan } from '../context/plain-text.js'
import type { RenderContext } from '../context/render-context.js'
import { mediaUrl } from '../links/link-urls.js'

/** The only emoji that every server has as an image, without an upload and without a Unicode character. */
const extraEmoji = { name: 'zulip', src: '/static/generated/emoji/images/emoji/unicode/zulip.png' }

const emoticonNames: Readonly<Record<string, string>> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  ':|': 'expressionless',
  ':/': 'oh_no',
  ';)': 'wink',
  ':D': 'grinning',
  ':P': 'stuck_out_tongue',
  ':p': 'stuck_out_tongue',
  ':O': 'open_mouth',
  ':o': 'open_mouth',
  '<3': 'heart',
  '</3': 'broken_heart',
}

/** Renders `:smile:`. A custom emoji wins over a built-in one of the same name; unknown names stay as typed. */
export const renderNamedEmoji: InlinePass = (text, inline) => {
  if (!text.includes(':')) return text
  const rewrite = new TextRewriter(text)
  for (const { 0: typed, 1: name = '', index } of text.matchAll(/:([\p{L}\p{M}\p{N}_+-]+):/gu)) {
    const html = writeEmoji(name, inline.context)
    if (html !== undefined) rewrite.replace(index, index + typed.length, insertPlaceholder(inline, html, typed))
  }
  return rewrite.result()
}

const emoticon = new RegExp(String.raw`(?<!${wordCharacter})(?::[)(|/DPpOo]|\(:|;\)|<\/?3)(?!${wordCharacter})`, 'gu')

/** Renders `:)` that does not touch a word, if the sender translates emoticons. */
export const renderEmoticons: InlinePass = (text, inline) => {
  if (!inline.context.translate_emoticons || !/[:;]|<\/?3/.test(text)) return text
  const rewrite = new TextRewriter(text)
  for (const { 0: typed, index } of text.matchAll(emoticon)) {
    const html = writeEmoji(emoticonNames[typed] ?? '', inline.context)
    if (html !== undefined) rewrite.replace(index, index + typed.length, insertPlaceholder(inline, html, typed))
  }
  return rewrite.result()
}

const writeEmoji = (name: string, context: RenderContext): Html | undefined => {
  const custom = context.customEmoji(name)
  if (custom !== undefined) return writeEmojiImage(name, custom.source_url)
  if (name === extraEmoji.name) return writeEmojiImage(name, extraEmoji.src)
  const code = findEmojiCode(name)
  return code === undefined ? undefined : writeEmojiSpan(name, code)
}

const writeEmojiImage = (name: string, src: string): Html =>
  voidElement('img', { alt: `:${name}:`, class: 'emoji', src: mediaUrl(src), title: name.replaceAll('_', ' ') })

import { useChat } from '../realm/chat.js'
import { emojiGlyph } from './emoji-table.js'
import './emoji.css'

interface EmojiMarkProps {
  code: string
  name: string
  type: string
  url?: string | undefined
  /** another character for it, such as the same one with a skin tone */
  glyph?: string | undefined
  /** also for a user who reads emoji as text: where emoji are chosen */
  isDrawn?: boolean
}

/** Draws an emoji, or writes its name for a user who wants that. The element around it says its name. */
export const EmojiMark = ({ code, name, type, url, glyph: input, isDrawn = false }: EmojiMarkProps) => {
  if (useChat().settings.value.emojiset === 'text' && !isDrawn) {
    return (
      <bdi dir="ltr" aria-hidden="true">
        :{name}:
      </bdi>
    )
  }
  if (url !== undefined) return <img class="emoji-mark" src={url} alt="" />
  const glyph = input ?? (type === 'unicode_emoji' ? emojiGlyph(code) : undefined)
  return (
    <span class={glyph === undefined ? undefined : 'emoji-mark'} aria-hidden="true">
      {glyph ?? `:${name}:`}
    </span>
  )
}

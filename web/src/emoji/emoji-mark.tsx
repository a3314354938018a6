import { emojiGlyph } from './emoji-table.js'
import './emoji.css'

interface EmojiMarkProps {
  code: string
  name: string
  type: string
  url?: string | undefined
}

/** Draws an emoji. The element around it says its name. */
export const EmojiMark = ({ code, name, type, url }: EmojiMarkProps) => {
  if (url !== undefined) return <img class="emoji-mark" src={url} alt="" />
  const glyph = type === 'unicode_emoji' ? emojiGlyph(code) : undefined
  return (
    <span class={glyph === undefined ? undefined : 'emoji-mark'} aria-hidden="true">
      {glyph ?? `:${name}:`}
    </span>
  )
}

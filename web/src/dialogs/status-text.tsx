import { EmojiMark } from '../emoji/emoji-mark.js'
import { useChat } from '../realm/chat.js'

/** The status of a user: an emoji and a text. */
export const StatusText = ({ userId }: { userId: number }) => {
  const chat = useChat()
  const status = chat.statuses.value.get(userId)
  if (status === undefined) return null
  const { emoji_name: name, emoji_code: code = '', reaction_type: type = '', status_text } = status
  return (
    <p class="soft-text" dir="auto">
      {name !== undefined && (
        <EmojiMark name={name} code={code} type={type} url={chat.emoji.value.get(code)?.source_url} />
      )}{' '}
      {status_text}
    </p>
  )
}

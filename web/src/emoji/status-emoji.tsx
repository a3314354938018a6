import type { UserStatus } from '@parley/client/realm'
import { useChat } from '../realm/chat.js'
import { EmojiMark } from './emoji-mark.js'

/** The emoji of a user's status, beside the name. Its label is the text of the status. */
export const StatusEmoji = ({ userId }: { userId: number }) => {
  const chat = useChat()
  const status = chat.statuses.value.get(userId)
  if (status?.emoji_name === undefined) return null
  const { emoji_name: name, emoji_code: code = '', reaction_type: type = '' } = status
  const label = describeStatus(status)
  return (
    <span class="status-emoji" role="img" aria-label={label} title={label}>
      <EmojiMark name={name} code={code} type={type} url={chat.emoji.value.get(code)?.source_url} />
    </span>
  )
}

/** The text of a status; the name of its emoji if it has none. */
export const describeStatus = ({ status_text: text, emoji_name: name = '' }: UserStatus): string =>
  text === undefined || text === '' ? name.replaceAll('_', ' ') : text

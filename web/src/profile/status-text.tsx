import { EmojiMark } from '../emoji/emoji-mark.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { formatNearMoment } from '../ui/times.js'

/** The status of a user: an emoji and a text. */
export const StatusText = ({ userId }: { userId: number }) => {
  const chat = useChat()
  const status = chat.statuses.value.get(userId)
  if (status === undefined) return null
  const { emoji_name: name, emoji_code: code = '', reaction_type: type = '', status_text, scheduled_end_time } = status
  return (
    <p class="soft-text">
      {name !== undefined && (
        <EmojiMark name={name} code={code} type={type} url={chat.emoji.value.get(code)?.source_url} />
      )}{' '}
      <bdi>{status_text}</bdi>
      {scheduled_end_time !== undefined && ` · ${t('until {time}', { time: formatNearMoment(scheduled_end_time) })}`}
    </p>
  )
}

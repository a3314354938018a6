import { useChat } from '../realm/chat.js'

const words = { active: 'Active', idle: 'Away', offline: 'Offline' }

/** A dot that says whether a user is at a computer. */
export const PresenceMark = ({ userId }: { userId: number | undefined }) => {
  const chat = useChat()
  const presence = (userId !== undefined && chat.presence.value.get(userId)) || 'offline'
  return (
    <span class={`presence-mark presence-${presence}`} title={words[presence]}>
      <span class="only-for-screen-readers">{words[presence]}. </span>
    </span>
  )
}

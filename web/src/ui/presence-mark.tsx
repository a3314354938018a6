import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import './presence-mark.css'

const words = { active: t('Active'), idle: t('Away'), offline: t('Offline') }

/**
 * A dot that says whether a user is at a computer. It is drawn as a circle: a box with round corners gets the sides
 * that the pixels of the screen allow, and looks like an egg where these differ.
 */
export const PresenceMark = ({ userId }: { userId: number | undefined }) => {
  const chat = useChat()
  const presence = (userId !== undefined && chat.presence.value.get(userId)) || 'offline'
  return (
    <span class={`presence-mark presence-${presence}`} title={words[presence]}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <circle cx="5" cy="5" r="3.75" />
        {presence === 'idle' && <path d="M1.25 5a3.75 3.75 0 0 0 7.5 0Z" />}
      </svg>
      <span class="only-for-screen-readers">{words[presence]}. </span>
    </span>
  )
}

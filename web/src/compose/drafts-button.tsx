import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { linkTo } from '../routing/location.js'

/** The way to the list of drafts, with their number; nothing if there are none. */
export const DraftsButton = () => {
  const { size } = useChat().drafts.value
  if (size === 0) return null
  return (
    <a class="button" href={linkTo({ name: 'drafts' })}>
      {t('Drafts ({count, number})', { count: size })}
    </a>
  )
}

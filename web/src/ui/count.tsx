/** Numbers of unread messages. */
import { formatCount } from '../languages/locale.js'
import { t } from '../languages/t.js'
import type { Count as Counted } from '../realm/unread.js'

/** Above it, the number only says that there are more. */
const MOST = 9999

/** Shows how many messages are unread. It adds `@` if one mentions the user, and shows nothing for none. */
export const Count = ({ count, isSoft = false }: { count: Counted; isSoft?: boolean }) => (
  <>
    {count.mentions > 0 && (
      <span class="mention-badge">
        <span aria-hidden="true">@</span>
        <span class="only-for-screen-readers">{t('You are mentioned.')} </span>
      </span>
    )}
    {count.unread > 0 && (
      <span class={isSoft ? 'count-badge count-badge-soft' : 'count-badge'}>
        {count.unread > MOST ? `${formatCount(MOST)}+` : formatCount(count.unread)}
        <span class="only-for-screen-readers"> {t('unread')}</span>
      </span>
    )}
  </>
)

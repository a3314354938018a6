/** Warns before a direct message to guests, who are often people of another organization. */

import { signal } from '@preact/signals'
import { isGuest } from '#rules/roles.js'
import { language, t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { fullName } from '../realm/names.js'
import { Icon } from '../ui/icon.js'
import type { Target } from './compose-target.js'

/** The guests about whom the user closed the warning, while the page is open. */
const closed = signal<ReadonlySet<string>>(new Set())

/** Shows the warning. It needs guests among the recipients, and an organization that wants it. */
export const GuestNotice = ({ target }: { target: Target }) => {
  const chat = useChat()
  const guests = findGuests(chat, target)
  const key = guests.join()
  if (guests.length === 0 || closed.value.has(key)) return null
  const names = new Intl.ListFormat(language).format(guests.map((id) => fullName(chat, id)))
  return (
    <div class="compose-guests">
      <p role="status" dir="auto">
        {t(
          '{count, plural, one {{names} is a guest in this organization.} other {{names} are guests in this organization.}}',
          { count: guests.length, names },
        )}
      </p>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Close the warning')}
        title={t('Close the warning')}
        onClick={() => {
          closed.value = new Set([...closed.value, key])
        }}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}

/** The guests to whom the message goes, in the order of their ids. */
const findGuests = (chat: Chat, target: Target): number[] => {
  if (target.kind !== 'direct' || chat.organization.value.realm_enable_guest_user_dm_warning !== true) return []
  const isOtherGuest = (id: number) => {
    const user = chat.users.value.get(id)
    return id !== chat.ownUserId && user !== undefined && isGuest(user)
  }
  return target.userIds.filter(isOtherGuest).sort((one, other) => one - other)
}

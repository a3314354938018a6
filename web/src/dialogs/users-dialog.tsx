/** The dialog `#organization/users`: all accounts, also the deactivated ones. */
import { useComputed, useSignal } from '@preact/signals'
import { filterByName } from '../members/member-rows.js'
import { useChat } from '../realm/chat.js'
import { roleName } from '../realm/roles.js'
import { Avatar } from '../ui/avatar.js'
import { VirtualList } from '../ui/virtual-list.js'
import { AddressDialog } from './address-dialog.js'
import { SelectField, TextField } from './fields.js'

const ROW_HEIGHT = 44

type Kind = 'people' | 'bots' | 'deactivated'

const kinds: { value: Kind; label: string }[] = [
  { value: 'people', label: 'People' },
  { value: 'bots', label: 'Bots' },
  { value: 'deactivated', label: 'Deactivated accounts' },
]

/** The list. A name leads to the card, on which administrators change the account. */
export const UsersDialog = () => {
  const chat = useChat()
  const words = useSignal('')
  const kind = useSignal<Kind>('people')
  const sorted = useComputed(() =>
    [...chat.users.value.values()]
      .filter(({ is_active, is_bot }) => {
        if (kind.value === 'deactivated') return !is_active
        return is_active && is_bot === (kind.value === 'bots')
      })
      .sort((one, other) => one.full_name.localeCompare(other.full_name)),
  )
  const users = filterByName(sorted.value, words.value)
  return (
    <AddressDialog title="Users" size="large">
      <div class="dialog-page">
        <div class="dialog-two-columns">
          <TextField
            label="Search users"
            type="search"
            value={words.value}
            onChange={(value) => {
              words.value = value
            }}
          />
          <SelectField
            label="Show"
            value={kind.value}
            options={kinds}
            onChange={(value) => {
              kind.value = value
            }}
          />
        </div>
        <div class="people-list">
          <VirtualList
            items={users}
            rowHeight={ROW_HEIGHT}
            label="Users"
            keyOf={({ user_id }) => user_id}
            renderRow={(user, focus) => (
              <div class="people-line">
                <Avatar user={user} size="small" />
                <a href={`#user/${user.user_id}`} {...focus}>
                  {user.full_name}
                </a>
                <span class="soft-text">{user.is_bot ? 'Bot' : roleName(user.role)}</span>
              </div>
            )}
          />
        </div>
        {users.length === 0 && <p class="soft-text">There is no such account.</p>}
      </div>
    </AddressDialog>
  )
}

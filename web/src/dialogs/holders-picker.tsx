/** A field in which the user chooses groups, and people where a permission is given. */

import type { UserGroup } from '@parley/client/realm'
import { useComputed } from '@preact/signals'
import { t } from '../languages/t.js'
import { filterByName, sortByName } from '../members/member-rows.js'
import { useChat } from '../realm/chat.js'
import { groupName, type Holders } from '../realm/groups.js'
import { userName } from '../realm/names.js'
import { Avatar } from '../ui/avatar.js'
import { Icon } from '../ui/icon.js'
import { Picker } from './picker.js'

interface HoldersPickerProps {
  label: string
  value: Holders
  onChange: (holders: Holders) => void
  isOffered: (group: UserGroup) => boolean
  /** Whether people are offered too, when something is written. */
  withPeople?: boolean
  /** people who cannot be chosen */
  isExcluded?: (userId: number) => boolean
  hint?: string
}

/** The field. It offers groups at once. */
export const HoldersPicker = (props: HoldersPickerProps) => {
  const { label, value: chosen, onChange, isOffered, withPeople = false, isExcluded = () => false, hint } = props
  const chat = useChat()
  const people = useComputed(() => sortByName(chat.users.value))
  const find = (words: string) => {
    const wanted = words.trim().toLowerCase()
    const groups = [...chat.groups.value.values()]
      .filter((group) => !group.deactivated && isOffered(group) && groupName(group).toLowerCase().includes(wanted))
      .map((group) => ({ key: `group:${group.id}`, name: groupName(group), picture: <Icon name="people" size={16} /> }))
    if (!withPeople || wanted === '') return groups
    const users = filterByName(people.value, words)
      .filter(({ user_id }) => !isExcluded(user_id))
      .map((user) => ({
        key: `user:${user.user_id}`,
        name: userName(chat, user.user_id),
        picture: <Avatar user={user} size="small" />,
      }))
    return [...groups, ...users]
  }
  const idsOf = (kind: string, keys: readonly string[]) =>
    keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => Number(key.slice(kind.length + 1)))
  return (
    <Picker
      label={label}
      {...(hint !== undefined && { hint })}
      placeholder={composePlaceholder(withPeople, chosen)}
      chosen={[
        ...chosen.groupIds.flatMap((id) => {
          const group = chat.groups.value.get(id)
          return group === undefined ? [] : [{ key: `group:${id}`, name: groupName(group) }]
        }),
        ...chosen.userIds.map((id) => ({ key: `user:${id}`, name: userName(chat, id) })),
      ]}
      find={find}
      onChange={(keys) => onChange({ userIds: idsOf('user', keys), groupIds: idsOf('group', keys) })}
    />
  )
}

/** A permission without anyone says so. */
const composePlaceholder = (withPeople: boolean, { userIds, groupIds }: Holders): string => {
  if (!withPeople) return t('Group')
  return userIds.length + groupIds.length === 0 ? t('Nobody. Add a group or a name') : t('Group or name')
}

/** A field in which the user chooses people by their names. */
import { useComputed } from '@preact/signals'
import { filterByName, sortByName } from '../members/member-rows.js'
import { useChat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import { Avatar } from '../ui/avatar.js'
import { Picker } from './picker.js'

interface PeoplePickerProps {
  label: string
  value: readonly number[]
  onChange: (userIds: number[]) => void
  /** people who cannot be chosen */
  isExcluded?: (userId: number) => boolean
  hint?: string
}

/** The field. It offers people when something is written. */
export const PeoplePicker = ({ label, value: chosen, onChange, isExcluded = () => false, hint }: PeoplePickerProps) => {
  const chat = useChat()
  const sorted = useComputed(() => sortByName(chat.users.value))
  return (
    <Picker
      label={label}
      {...(hint !== undefined && { hint })}
      chosen={chosen.map((userId) => ({ key: String(userId), name: userName(chat, userId) }))}
      find={(words) =>
        words.trim() === ''
          ? []
          : filterByName(sorted.value, words)
              .filter(({ user_id }) => !isExcluded(user_id))
              .map((user) => ({
                key: String(user.user_id),
                name: userName(chat, user.user_id),
                picture: <Avatar user={user} size="small" />,
              }))
      }
      onChange={(keys) => onChange(keys.map(Number))}
    />
  )
}

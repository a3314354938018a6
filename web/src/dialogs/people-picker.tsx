/** A field in which the user chooses people by their names. */
import type { User } from '@parley/client/realm'
import { useComputed, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { filterByName, sortByName } from '../members/member-rows.js'
import { useChat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import { Avatar } from '../ui/avatar.js'
import { Icon } from '../ui/icon.js'

/** People that are offered at once. */
const OFFERED = 8

interface PeoplePickerProps {
  label: string
  chosen: readonly number[]
  onChange: (userIds: number[]) => void
  /** people who cannot be chosen */
  isExcluded?: (userId: number) => boolean
}

/** The field: arrow keys choose among the people it offers, Enter adds one, Backspace removes the last. */
export const PeoplePicker = ({ label, chosen, onChange, isExcluded = () => false }: PeoplePickerProps) => {
  const chat = useChat()
  const id = useId()
  const words = useSignal('')
  const active = useSignal(0)
  const sorted = useComputed(() => sortByName(chat.users.value))
  const offered =
    words.value.trim() === ''
      ? []
      : filterByName(sorted.value, words.value)
          .filter(({ user_id }) => !chosen.includes(user_id) && !isExcluded(user_id))
          .slice(0, OFFERED)
  const add = (user: User | undefined) => {
    if (user === undefined) return
    onChange([...chosen, user.user_id])
    words.value = ''
    active.value = 0
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && offered.length > 0) {
      event.preventDefault()
      active.value = (active.value + step + offered.length) % offered.length
    } else if (event.key === 'Enter' && words.value.trim() !== '') {
      event.preventDefault()
      add(offered[active.value])
    } else if (event.key === 'Backspace' && words.value === '') onChange(chosen.slice(0, -1))
    else if (event.key === 'Escape' && words.value !== '') {
      event.preventDefault()
      words.value = ''
    }
  }
  return (
    <div class="people-picker">
      <label class="field-label" for={id}>
        {label}
      </label>
      <ul class="chosen-people" aria-label="Chosen people">
        {chosen.map((userId) => (
          <li key={userId} class="chosen-person">
            {userName(chat, userId)}
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove ${userName(chat, userId)}`}
              onClick={() => onChange(chosen.filter((each) => each !== userId))}
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
      </ul>
      <input
        id={id}
        class="text-field"
        type="text"
        role="combobox"
        autocomplete="off"
        placeholder="Name"
        aria-autocomplete="list"
        aria-expanded={offered.length > 0}
        aria-controls={`${id}-options`}
        {...(offered[active.value] !== undefined && { 'aria-activedescendant': `${id}-${active.value}` })}
        value={words.value}
        onInput={(event) => {
          words.value = event.currentTarget.value
          active.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <div class={offered.length > 0 ? 'people-options' : ''} id={`${id}-options`} role="listbox" aria-label={label}>
        {offered.map((user, index) => (
          <div
            key={user.user_id}
            id={`${id}-${index}`}
            class="people-option"
            role="option"
            tabIndex={-1}
            aria-selected={index === active.value}
            onPointerDown={(event) => {
              event.preventDefault()
              add(user)
            }}
          >
            <Avatar user={user} size="small" />
            {user.full_name}
          </div>
        ))}
      </div>
    </div>
  )
}

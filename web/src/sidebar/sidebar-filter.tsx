/** The field that filters the conversations of the sidebar. Enter opens the first one, Escape clears the field. */

import { signal } from '@preact/signals'
import { t } from '../languages/t.js'
import { keyOf } from '../ui/shortcut-table.js'

/** What the user typed, without spaces around it. */
export const filterText = signal('')

const typed = signal('')

/** Shows all conversations again. */
export const clearFilter = (): void => {
  typed.value = ''
  filterText.value = ''
}

/** Shows the field. */
export const SidebarFilter = () => (
  <input
    class="text-field sidebar-filter"
    id="sidebar-filter"
    type="search"
    dir="auto"
    placeholder={t('Filter conversations')}
    aria-label={t('Filter channels, topics and direct messages')}
    title={t('Filter conversations ({key})', { key: keyOf('filterConversations') })}
    value={typed.value}
    onInput={({ currentTarget: { value } }) => {
      typed.value = value
      filterText.value = value.trim()
    }}
    onKeyDown={onKeyDown}
  />
)

const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }): void => {
  const { key, currentTarget: field } = event
  if (event.isComposing) return
  if (key === 'Escape') {
    event.preventDefault()
    if (typed.peek() === '') field.blur()
    else clearFilter()
  } else if (key === 'ArrowDown' || key === 'Enter') {
    event.preventDefault()
    // The column moves the focus from its first line on, which is above the field.
    event.stopPropagation()
    const first = field.closest('nav')?.querySelector<HTMLElement>('.sidebar-section a')
    if (key === 'ArrowDown') first?.focus()
    else if (filterText.peek() !== '') first?.click()
  }
}

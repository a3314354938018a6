/** The completions of a text field. The focus stays in the field, which names the chosen one. */
import type { ComponentChildren } from 'preact'
import './suggestion-list.css'

interface SuggestionListProps<Item> {
  id: string
  label: string
  items: readonly Item[]
  chosen: number
  keyOf: (item: Item) => string
  render: (item: Item) => ComponentChildren
  onPick: (item: Item) => void
}

/** Shows the completions as a list; `optionId` names them. */
export const SuggestionList = <Item,>({
  id,
  label,
  items,
  chosen,
  keyOf,
  render,
  onPick,
}: SuggestionListProps<Item>) => (
  // Browsers give a list that scrolls a place in the order of Tab, in which it would close.
  <div class="suggestion-list" id={id} role="listbox" aria-label={label} tabIndex={-1}>
    {items.map((item, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: The field keeps the focus.
      <div
        key={keyOf(item)}
        id={optionId(id, index)}
        class="suggestion-row"
        role="option"
        aria-selected={index === chosen}
        ref={index === chosen ? showRow : null}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onPick(item)}
      >
        {render(item)}
      </div>
    ))}
  </div>
)

const showRow = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'nearest' })

/** The id of an option, for `aria-activedescendant`. */
export const optionId = (id: string, index: number): string => `${id}-${index}`

/**
 * Returns what a key does to a list of completions. It is the index that is chosen next, `pick`, `close`, or nothing.
 */
export const handleListKey = (key: string, chosen: number, count: number): number | 'pick' | 'close' | undefined => {
  if (key === 'ArrowDown') return (chosen + 1) % count
  if (key === 'ArrowUp') return (chosen - 1 + count) % count
  if (key === 'Enter' || key === 'Tab') return 'pick'
  return key === 'Escape' ? 'close' : undefined
}

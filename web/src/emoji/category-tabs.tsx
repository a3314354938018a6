/** The tabs of the categories of emoji. The arrow keys open the tab beside, and lead on to the grid. */

import { useRef } from 'preact/hooks'
import { stepOfArrow } from '../languages/direction.js'
import { t } from '../languages/t.js'
import { Icon } from '../ui/icon.js'
import { moveFocus } from '../ui/move-focus.js'
import { EmojiMark } from './emoji-mark.js'
import type { Emoji, EmojiCategory } from './emoji-table.js'

/** The first tab: all emoji, what the user uses most before the others. */
export const MOST_USED = t('All, the most used first')

interface CategoryTabsProps {
  categories: readonly EmojiCategory[]
  /** undefined while the grid has the results of a search */
  current: string | undefined
  gridId: string
  onShow: (name: string) => void
  /** Is called when the user goes on to the grid. */
  onLeave: () => void
}

/** Shows a tab for each category, with its first emoji. Without categories, there are none. */
export const CategoryTabs = ({ categories, current, gridId, onShow, onLeave }: CategoryTabsProps) => {
  const list = useRef<HTMLDivElement>(null)
  const names = [MOST_USED, ...categories.map(({ name }) => name)]
  if (categories.length === 0) return null
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      return onLeave()
    }
    const step = stepOfArrow(event.key)
    if (step === 0) return
    event.preventDefault()
    moveFocus(list.current, 'button', step)
    const name = (document.activeElement as HTMLElement).title
    if (names.includes(name)) onShow(name)
  }
  return (
    <div class="emoji-tabs" role="tablist" aria-label={t('Categories')} ref={list} tabIndex={-1} onKeyDown={onKeyDown}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class="emoji-tab"
          role="tab"
          title={name}
          aria-label={name}
          aria-selected={name === current}
          aria-controls={gridId}
          tabIndex={name === (current ?? MOST_USED) ? 0 : -1}
          onClick={() => onShow(name)}
        >
          <TabMark emoji={categories.find((category) => category.name === name)?.emoji[0]} />
        </button>
      ))}
    </div>
  )
}

const TabMark = ({ emoji }: { emoji: Emoji | undefined }) =>
  emoji === undefined ? <Icon name="history" size={16} /> : <EmojiMark {...emoji} />

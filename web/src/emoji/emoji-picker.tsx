/**
 * A grid of emoji with a search field and tabs of categories. The focus is in the field: arrow keys choose, Enter
 * picks. The key Tab leads to the tabs, between which arrow keys move, too.
 */

import { useComputed, useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { stepOfArrow } from '../languages/direction.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { Popup } from '../ui/popup.js'
import { CategoryTabs, MOST_USED } from './category-tabs.js'
import { EmojiMark } from './emoji-mark.js'
import { type Emoji, emojiCategories, emojiState, searchEmoji } from './emoji-table.js'
import { SkinToneSelect, toneGlyph } from './skin-tone.js'
import './emoji.css'

interface EmojiPickerProps {
  anchor: HTMLElement
  /** @param glyph the emoji with the skin tone of the user, as a character */
  onPick: (emoji: Emoji, glyph?: string) => void
  /** whether emoji of people have the skin tone of the user, which is chosen here */
  hasTones?: boolean
  onClose: () => void
}

const COLUMNS = 8
/** More emoji get into the page when the user scrolls to their end. */
const PAGE = 160

/** Why no emoji is shown. */
const absence = {
  loading: t('Loading…'),
  loaded: t('No emoji has this name.'),
  failed: t('The emoji could not be loaded. They are asked for again when you type.'),
}

/** By how many emoji an arrow key moves; 0 for any other key. */
const moveOfKey = (key: string): number =>
  key === 'ArrowDown' ? COLUMNS : key === 'ArrowUp' ? -COLUMNS : stepOfArrow(key)

/** Shows the picker beside its anchor. */
export const EmojiPicker = ({ anchor, onPick, onClose, hasTones = false }: EmojiPickerProps) => {
  const chat = useChat()
  const query = useSignal('')
  const chosen = useSignal(0)
  const count = useSignal(PAGE)
  const input = useRef<HTMLInputElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  /** Enter was pressed before the emoji were loaded. */
  const isEntered = useRef(false)
  const id = useId()
  useLayoutEffect(() => input.current?.focus(), [])

  const category = useSignal(MOST_USED)
  const categories = useComputed(() => emojiCategories(chat)).value
  const opened = query.value.trim() === '' ? categories.find(({ name }) => name === category.value) : undefined
  const found = opened === undefined ? searchEmoji(chat, query.value) : opened.emoji
  const shown = found.slice(0, count.value)
  const current = shown[Math.min(chosen.value, shown.length - 1)]
  const show = (name: string) => {
    category.value = name
    query.value = ''
    if (input.current !== null) input.current.value = ''
    chosen.value = 0
    count.value = PAGE
    grid.current?.scrollTo(0, 0)
  }
  const pick = (emoji: Emoji) => {
    onClose()
    onPick(emoji, hasTones ? toneGlyph(emoji) : undefined)
  }
  useLayoutEffect(() => {
    if (isEntered.current && current !== undefined) pick(current)
  }, [current])
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveOfKey(event.key)
    if (event.key === 'Enter') {
      event.preventDefault()
      if (current !== undefined) pick(current)
      else isEntered.current = emojiState.peek() !== 'loaded'
    } else if (move !== 0) {
      event.preventDefault()
      chosen.value = Math.max(0, Math.min(shown.length - 1, chosen.value + move))
      grid.current?.children[chosen.value]?.scrollIntoView({ block: 'nearest' })
    }
  }
  return (
    <Popup anchor={anchor} label={t('Choose an emoji')} role="dialog" onClose={onClose}>
      <div class="emoji-picker">
        <input
          class="text-field"
          ref={input}
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-grid`}
          aria-activedescendant={current === undefined ? undefined : `${id}-${current.code}`}
          aria-label={t('Search emoji')}
          placeholder={t('Search emoji')}
          onInput={(event) => {
            query.value = event.currentTarget.value
            chosen.value = 0
            count.value = PAGE
            isEntered.current = false
          }}
          onKeyDown={onKeyDown}
        />
        <CategoryTabs
          categories={categories}
          current={query.value.trim() === '' ? category.value : undefined}
          gridId={`${id}-grid`}
          onShow={show}
          onLeave={() => input.current?.focus()}
        />
        <div
          class="emoji-grid"
          id={`${id}-grid`}
          ref={grid}
          role="listbox"
          tabIndex={-1}
          aria-label={t('Emoji')}
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            if (scrollTop + clientHeight * 2 > scrollHeight && count.value < found.length) count.value += PAGE
          }}
        >
          {shown.map((emoji, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: The keys are those of the field, which keeps the focus.
            <span
              key={`${emoji.type}${emoji.code}`}
              id={`${id}-${emoji.code}`}
              class="emoji-choice"
              role="option"
              aria-label={emoji.name.replaceAll('_', ' ')}
              aria-selected={emoji === current}
              onClick={() => pick(emoji)}
              onPointerMove={() => {
                chosen.value = index
              }}
            >
              <EmojiMark {...emoji} glyph={hasTones ? toneGlyph(emoji) : undefined} isDrawn />
            </span>
          ))}
        </div>
        {hasTones && <SkinToneSelect />}
        <p class="emoji-name">
          {current === undefined ? absence[emojiState.value] : <bdi dir="ltr">:{current.name}:</bdi>}
        </p>
      </div>
    </Popup>
  )
}

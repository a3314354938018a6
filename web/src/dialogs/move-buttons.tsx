/** Buttons that move an entry of a list up and down. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { Icon } from '../ui/icon.js'

/** The place of an entry in a list whose order the user changes. */
export interface EntryPlace {
  index: number
  count: number
  onMove: (to: number) => unknown
}

/** The buttons. The one that was pressed keeps the focus when the entry has moved, or passes it on to the other one. */
export const MoveButtons = ({ name, place: { index, count, onMove } }: { name: string; place: EntryPlace }) => {
  const up = useRef<HTMLButtonElement>(null)
  const down = useRef<HTMLButtonElement>(null)
  const pressed = useRef<'up' | 'down' | undefined>(undefined)
  useLayoutEffect(() => {
    if (pressed.current === undefined) return
    const [button, other] = pressed.current === 'up' ? [up.current, down.current] : [down.current, up.current]
    pressed.current = undefined
    if (button?.disabled === true) other?.focus()
    else button?.focus()
  }, [index])
  return (
    <>
      <button
        ref={up}
        type="button"
        class="icon-button"
        aria-label={t('Move {name} up', { name })}
        disabled={index === 0}
        onClick={() => {
          pressed.current = 'up'
          onMove(index - 1)
        }}
      >
        <Icon name="up" size={16} />
      </button>
      <button
        ref={down}
        type="button"
        class="icon-button"
        aria-label={t('Move {name} down', { name })}
        disabled={index === count - 1}
        onClick={() => {
          pressed.current = 'down'
          onMove(index + 1)
        }}
      >
        <Icon name="down" size={16} />
      </button>
    </>
  )
}

/** The list with one entry moved to another place. */
export const moveEntry = <T,>(list: readonly T[], from: number, to: number): T[] => {
  const others = list.toSpliced(from, 1)
  return others.toSpliced(to, 0, ...list.slice(from, from + 1))
}

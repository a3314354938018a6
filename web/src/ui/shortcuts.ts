/**
 * Keys that work everywhere but in text fields and dialogs. A part of the page adds its keys while it is shown; for a key
 * that two parts have, the part that was added last is called.
 */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** What a key does. */
export interface Shortcut {
  /** values of `KeyboardEvent.key` */
  keys: readonly string[]
  label: string
  run: (event: KeyboardEvent) => void
}

/** All keys that work now, for the list that a user can open. */
export const shortcuts = signal<readonly { readonly current: readonly Shortcut[] }[]>([])

/** Adds keys while the component is shown. */
export const useShortcuts = (list: readonly Shortcut[]): void => {
  const latest = useRef(list)
  latest.current = list
  useEffect(() => {
    shortcuts.value = [...shortcuts.peek(), latest]
    return () => {
      shortcuts.value = shortcuts.peek().filter((each) => each !== latest)
    }
  }, [])
}

/** Listens for keys until the returned function is called. */
export const listenForShortcuts = (): (() => void) => {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
    const all = shortcuts.peek().flatMap(({ current }) => current)
    const found = all.findLast(({ keys }) => keys.includes(event.key))
    if (found === undefined || isOwnKey(event)) return
    event.preventDefault()
    found.run(event)
  }
  addEventListener('keydown', onKeyDown)
  return () => removeEventListener('keydown', onKeyDown)
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Enter and the space key belong to the button or the link that has the focus. */
const isOwnKey = ({ key, target }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') && target instanceof HTMLElement && target.matches('a, button, summary')

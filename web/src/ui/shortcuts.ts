/**
 * Keys that work everywhere but in dialogs and, without Control, in text fields. A part of the page binds its shortcuts
 * while it is shown; for a key that two parts have, the part that was added last is called.
 */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type ShortcutName, shortcutEntry } from './shortcut-table.js'
import { hasSingleKeys } from './single-keys.js'

/** What shortcuts do. */
export type ShortcutBindings = Partial<Record<ShortcutName, () => void>>

let bound: readonly { readonly current: ShortcutBindings }[] = []

/** Binds shortcuts while the component is shown. */
export const useShortcuts = (bindings: ShortcutBindings): void => {
  const latest = useRef(bindings)
  latest.current = bindings
  // With the drawing, and not after it: the next key can come before.
  useLayoutEffect(() => {
    bound = [...bound, latest]
    return () => {
      bound = bound.filter((each) => each !== latest)
    }
  }, [])
}

/** Listens for keys until the returned function is called. */
export const listenForShortcuts = (): (() => void) => {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return
    const hasControl = event.ctrlKey || event.metaKey
    if (!hasControl && event.key.length === 1 && !hasSingleKeys.peek()) return
    // A key with Control writes nothing, so it works in text fields too.
    if ((isTyping(event.target) && !hasControl) || document.querySelector('dialog[open]') !== null) return
    const run = findBinding(hasControl ? `Ctrl+${event.key.toUpperCase()}` : event.key)
    if (run === undefined || isOwnKey(event)) return
    event.preventDefault()
    run()
  }
  addEventListener('keydown', onKeyDown)
  return () => removeEventListener('keydown', onKeyDown)
}

const findBinding = (key: string): (() => void) | undefined => {
  for (const { current } of bound.toReversed()) {
    const names = Object.keys(current) as ShortcutName[]
    const name = names.find((each) => shortcutEntry(each).keys.includes(key))
    if (name !== undefined) return current[name]
  }
  return undefined
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Enter and the space key belong to the button or the link that has the focus. */
const isOwnKey = ({ key, target }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') && target instanceof HTMLElement && target.matches('a, button, summary')

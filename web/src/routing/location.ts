/**
 * The place that the address of the page names, as signals.
 *
 * 1. `view` is what the centre shows. An overlay leaves it as it was.
 * 2. The address changes first; the signals follow it. So the browser's back and forward buttons need no code.
 * 3. Where a conversation was moved, the view and its address change together, and nothing is opened again.
 */
import { signal } from '@preact/signals'
import type { Names } from '#rules/narrow-links.js'
import { formatView, type Overlay, parseFragment, type View } from './fragment.js'

/** What the centre shows. */
export const view = signal<View>({ name: 'inbox' })

/** The dialog of the address, if it names one. */
export const overlay = signal<Overlay | undefined>(undefined)

let isReturn = false

/**
 * Whether the user came to the address by the back or forward button. The browser keeps a mark with each address of its
 * history; an address that a link opened has none yet.
 */
export const cameByHistory = (): boolean => isReturn

const noteArrival = (): void => {
  isReturn = (history.state as { isKnown?: boolean } | null)?.isKnown === true
  if (!isReturn) history.replaceState({ isKnown: true }, '')
}

let names: Names = { channel: () => undefined, user: () => undefined }

/**
 * Follows the address of the page until the returned function is called.
 * @param dialogs the names of the dialogs that have an address
 * @param home returns what an address without a place shows
 */
export const followLocation = (known: Names, dialogs: ReadonlySet<string>, home: () => View): (() => void) => {
  names = known
  const follow = () => {
    noteArrival()
    const place = parseFragment(location.hash, dialogs)
    if (place !== undefined && 'overlay' in place) {
      overlay.value = place.overlay
      return
    }
    overlay.value = undefined
    view.value = place?.view ?? home()
  }
  follow()
  addEventListener('hashchange', follow)
  return () => removeEventListener('hashchange', follow)
}

/** The address of a view, for links. */
export const linkTo = (target: View): string => formatView(target, names)

/** Opens a view; with `replace`, the back button skips the view that was open. */
export const open = (target: View, { replace = false } = {}): void => openFragment(linkTo(target), replace)

/**
 * Gives the open view another address, because its conversation was moved. The history has no entry for the former one.
 */
export const moveView = (target: View): void => {
  if (overlay.peek() === undefined) history.replaceState(history.state, '', linkTo(target))
  view.value = target
}

/** Opens an overlay over the view: `openOverlay('settings', 'profile')`. */
export const openOverlay = (name: string, ...path: string[]): void =>
  openFragment(`#${[name, ...path.map(encodeURIComponent)].join('/')}`, false)

/** Closes the overlay; the address is again that of the view. */
export const closeOverlay = (): void => openFragment(linkTo(view.value), true)

const openFragment = (fragment: string, replace: boolean): void => {
  if (replace) location.replace(fragment)
  else location.hash = fragment
}

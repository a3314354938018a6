/**
 * Lets the browser's back button, and the gesture of a phone, close what covers the page.
 *
 * 1. What opens adds an entry to the history; the address stays the same. Going back closes it.
 * 2. What closes by itself removes its entry. A view that is opened from it replaces the entry: `open(view, { replace
 *    })`.
 */
interface State {
  isCover?: boolean
}

const isOpenEntry = (): boolean => (history.state as State | null)?.isCover === true

/** True from `history.back()` until the browser has gone back, which it does a little later. */
let isRemoving = false

/** Adds the entry. @returns removes it again */
export const closeOnBack = (close: () => void): (() => void) => {
  const addEntry = () => history.pushState({ ...(history.state as State | null), isCover: true }, '')
  const onPop = () => {
    if (isOpenEntry()) return
    // What closed just before took the entry of this one with its own.
    if (isRemoving) addEntry()
    else close()
  }
  addEntry()
  addEventListener('popstate', onPop)
  return () => {
    removeEventListener('popstate', onPop)
    if (!isOpenEntry()) return
    isRemoving = true
    // The other listeners of the event ask for it first.
    addEventListener('popstate', () => setTimeout(() => (isRemoving = false)), { once: true })
    history.back()
  }
}

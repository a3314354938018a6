/**
 * Lets the browser's back button, and the gesture of a phone, close what covers the page.
 *
 * 1. What opens adds an entry to the history; the address stays the same. Going back closes it.
 * 2. What closes by itself removes its entry. A view that is opened from it replaces the entry: `open(view, { replace })`.
 */
interface State {
  isCover?: boolean
}

const isOpenEntry = (): boolean => (history.state as State | null)?.isCover === true

/** Adds the entry. @returns removes it again */
export const closeOnBack = (close: () => void): (() => void) => {
  history.pushState({ ...(history.state as State | null), isCover: true }, '')
  const onPop = () => {
    if (!isOpenEntry()) close()
  }
  addEventListener('popstate', onPop)
  return () => {
    removeEventListener('popstate', onPop)
    if (isOpenEntry()) history.back()
  }
}

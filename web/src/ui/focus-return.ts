/**
 * Returns the focus to where it was before a dialog.
 *
 * The element that opened a dialog may be gone, such as the line of a menu. So the last few elements are remembered,
 * and the newest that is still in the page gets the focus.
 */
const REMEMBERED = 6
let recent: HTMLElement[] = []

/** Remembers which elements outside of dialogs have the focus. It does so until the returned function is called. */
export const rememberFocus = (): (() => void) => {
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || target.closest('dialog') !== null) return
    recent = [...recent.filter((each) => each !== target), target].slice(-REMEMBERED)
  }
  document.addEventListener('focusin', note)
  return () => {
    document.removeEventListener('focusin', note)
    recent = []
  }
}

/** Gives the focus back to the element that had it last and is still in the page. */
export const returnFocus = (): void => {
  const element = recent.findLast((each) => each.isConnected && each.checkVisibility())
  element?.focus({ preventScroll: true })
}

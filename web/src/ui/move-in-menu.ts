/** Moves the focus in a menu by the arrow keys, Home and End; Tab closes the menu. */
export const moveInMenu = (event: KeyboardEvent & { currentTarget: HTMLElement }, onClose: () => void): void => {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
  const current = items.indexOf(document.activeElement as HTMLElement)
  const places: Record<string, number> = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: -1 }
  const next = places[event.key]
  if (event.key === 'Tab') onClose()
  if (next === undefined) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
}

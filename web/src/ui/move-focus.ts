/**
 * Moves the focus to the next (1) or the previous (-1) element of a list. It goes to the first one if none has the
 * focus.
 */
export const moveFocus = (root: ParentNode | null, selector: string, step: 1 | -1): void => {
  const elements = [...(root?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(isShown)
  const current = elements.indexOf(document.activeElement as HTMLElement)
  const next = current === -1 ? elements[0] : elements[current + step]
  next?.focus()
}

const isShown = (element: HTMLElement): boolean => element.offsetParent !== null

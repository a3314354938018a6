/**
 * Hides what appears over a line while the pointer or the focus is on it, because it can cover other text (WCAG 2.2,
 * 1.4.13): Control, pressed and released alone, hides it until the pointer or the focus is on another line.
 */
import './dismiss-hover.css'

/** A message can have lists of its own. */
const lineOf = (element: Element | undefined): Element | null =>
  element?.closest('article') ?? element?.closest('li, .member-line, .inbox-heading') ?? null

/** Listens until the returned function is called. */
export const listenForDismissal = (): (() => void) => {
  const { dataset } = document.documentElement
  let isAlone = false
  let line: Element | null = null
  const onKeyDown = ({ key, repeat }: KeyboardEvent) => {
    if (!repeat) isAlone = key === 'Control'
  }
  const onKeyUp = ({ key }: KeyboardEvent) => {
    if (key !== 'Control' || !isAlone) return
    line = lineOf([...document.querySelectorAll(':hover')].at(-1))
    dataset.hover = 'dismissed'
  }
  const show = () => {
    delete dataset.hover
  }
  const onPointerOver = ({ target }: Event) => {
    if (dataset.hover !== undefined && lineOf(target as Element) !== line) show()
  }
  const onPointerDown = () => {
    isAlone = false
  }
  const listeners = {
    keydown: onKeyDown,
    keyup: onKeyUp,
    pointerover: onPointerOver,
    pointerdown: onPointerDown,
    focusin: show,
  }
  const entries = Object.entries(listeners) as [string, EventListener][]
  for (const [name, listener] of entries) addEventListener(name, listener, true)
  return () => {
    show()
    for (const [name, listener] of entries) removeEventListener(name, listener, true)
  }
}

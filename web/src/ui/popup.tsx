/** A panel beside the element that opened it. It is in the top layer, so no scrolling area cuts it off. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isRightToLeft } from '../languages/direction.js'
import './dialog.css'

/** A place on the screen, in pixels. */
export interface Point {
  x: number
  y: number
}

interface PopupProps {
  /** the element that opened the panel; the focus returns to it */
  anchor: HTMLElement
  /** where the panel is, if not beside its anchor */
  at?: Point | undefined
  label: string
  role: 'menu' | 'dialog'
  onClose: () => void
  children: ComponentChildren
}

/** The space to the edges of the page and to the anchor. */
const GAP = 6

/** Shows the panel below its anchor, or above it where there is more room. */
export const Popup = ({ anchor, at, label, role, onClose, children }: PopupProps) => {
  const panel = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose

  useLayoutEffect(() => {
    const element = panel.current
    if (element === null) return
    element.showPopover()
    place(element, anchor, at)
    const closeOutside = (event: Event) => {
      const target = event.target as Node
      if (!element.contains(target) && !anchor.contains(target)) close.current()
    }
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      close.current()
      anchor.focus()
    }
    const replace = () => (anchor.isConnected ? place(element, anchor, at) : close.current())
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    document.addEventListener('keydown', closeOnEscape, true)
    document.addEventListener('scroll', replace, true)
    addEventListener('resize', replace)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
      document.removeEventListener('keydown', closeOnEscape, true)
      document.removeEventListener('scroll', replace, true)
      removeEventListener('resize', replace)
    }
  }, [anchor, at])

  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: Both roles that the panel can have support a label.
    <div class="popup-panel" ref={panel} popover="manual" role={role} aria-label={label}>
      {children}
    </div>
  )
}

/** Puts the panel where it fits: at the edge of its anchor, or from a point on in the direction of writing. */
const place = (panel: HTMLElement, anchor: HTMLElement, at: Point | undefined): void => {
  const { offsetWidth: width, offsetHeight: height } = panel
  const { top, left, bottom } = at === undefined ? beside(anchor, width) : fromPoint(at, width)
  const fitsBelow = bottom + height <= innerHeight
  const y = fitsBelow || top < innerHeight - bottom ? bottom : top - height
  const x = Math.max(GAP, Math.min(left, innerWidth - width - GAP))
  panel.style.setProperty('top', `${Math.max(GAP, Math.min(y, innerHeight - height - GAP))}px`)
  panel.style.setProperty('left', `${x}px`)
}

interface Place {
  top: number
  left: number
  bottom: number
}

/** The panel ends where its anchor ends. */
const beside = (anchor: HTMLElement, width: number): Place => {
  const { top, left, right, bottom } = anchor.getBoundingClientRect()
  return { top: top - GAP, left: isRightToLeft ? left : right - width, bottom: bottom + GAP }
}

const fromPoint = ({ x, y }: Point, width: number): Place => ({
  top: y,
  left: isRightToLeft ? x - width : x,
  bottom: y,
})

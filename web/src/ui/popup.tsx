/** A panel beside the element that opened it. It is in the top layer, so no scrolling area cuts it off. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import './dialog.css'

interface PopupProps {
  /** the element that opened the panel; the focus returns to it */
  anchor: HTMLElement
  label: string
  role: 'menu' | 'dialog'
  onClose: () => void
  children: ComponentChildren
}

/** The space to the edges of the page and to the anchor. */
const GAP = 6

/** Shows the panel below its anchor, or above it where there is more room. */
export const Popup = ({ anchor, label, role, onClose, children }: PopupProps) => {
  const panel = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose

  useLayoutEffect(() => {
    const element = panel.current
    if (element === null) return
    element.showPopover()
    place(element, anchor)
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
    const replace = () => (anchor.isConnected ? place(element, anchor) : close.current())
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
  }, [anchor])

  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: Both roles that the panel can have support a label.
    <div class="popup-panel" ref={panel} popover="manual" role={role} aria-label={label}>
      {children}
    </div>
  )
}

const place = (panel: HTMLElement, anchor: HTMLElement): void => {
  const rect = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = panel
  const fitsBelow = rect.bottom + GAP + height <= innerHeight
  const top = fitsBelow || rect.top < innerHeight - rect.bottom ? rect.bottom + GAP : rect.top - GAP - height
  const left = Math.max(GAP, Math.min(rect.right - width, innerWidth - width - GAP))
  panel.style.setProperty('top', `${Math.max(GAP, Math.min(top, innerHeight - height - GAP))}px`)
  panel.style.setProperty('left', `${left}px`)
}

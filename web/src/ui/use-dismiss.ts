import type { Signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/**
 * Closes a panel when the user leaves it. The user does so by a click elsewhere, by Escape, or by moving the focus out
 * of it.
 */
export const useDismiss = (root: RefObject<HTMLElement | null>, isOpen: Signal<boolean>): void => {
  useEffect(() => {
    if (!isOpen.value) return
    const closeOutside = (event: Event) => {
      if (root.current?.contains(event.target as Node) === false) isOpen.value = false
    }
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      isOpen.value = false
      root.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    document.addEventListener('keydown', closeOnEscape, true)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
      document.removeEventListener('keydown', closeOnEscape, true)
    }
  }, [isOpen.value])
}

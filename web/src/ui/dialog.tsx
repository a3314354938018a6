/** A modal dialog: the rest of the page can neither be clicked nor focused until it is closed. */

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { returnFocus } from './focus-return.js'
import { Icon } from './icon.js'
import './dialog.css'

interface DialogProps {
  title: string
  size?: 'small' | 'large' | 'whole'
  onClose: () => void
  children: ComponentChildren
}

/** Shows a dialog. Escape, the button and a click beside it close it; the focus returns to where it was. */
export const Dialog = ({ title, size = 'small', onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      element?.close()
      returnFocus()
    }
  }, [])
  useEffect(() => {
    // What had the focus may be gone with the former content.
    if (dialog.current?.contains(document.activeElement) !== true) heading.current?.focus()
  }, [title])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog too.
    <dialog
      class={`dialog-box dialog-${size}`}
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class="dialog-head">
        <h2 id={titleId} ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h2>
        <button type="button" class="icon-button" aria-label={t('Close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-content">{children}</div>
    </dialog>
  )
}

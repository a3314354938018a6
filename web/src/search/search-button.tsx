/** On small screens, the button that opens the search field over the bar. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { closeOnBack } from '../ui/close-on-back.js'
import { Icon } from '../ui/icon.js'
import { useShortcuts } from '../ui/shortcuts.js'
import { SearchBox } from './search-box.js'

/** The button, and the field over the bar. Escape, the back button and a click beside the field close it. */
export const SearchButton = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
    dialog.current?.close()
  }
  const open = () => {
    isOpen.value = true
    // At once: a phone shows its keyboard only for a field that gets the focus during the touch.
    dialog.current?.showModal()
    const field = dialog.current?.querySelector('input')
    field?.focus()
    field?.select()
  }
  useEffect(() => (isOpen.value ? closeOnBack(close) : undefined), [isOpen.value])
  useShortcuts({ search: open })
  return (
    <>
      <button
        type="button"
        class="icon-button search-button"
        aria-label={t('Search messages')}
        title={t('Search messages')}
        aria-haspopup="dialog"
        aria-expanded={isOpen.value}
        onClick={open}
      >
        <Icon name="search" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog too. */}
      <dialog
        class="search-dialog"
        ref={dialog}
        aria-label={t('Search messages')}
        onCancel={(event) => {
          event.preventDefault()
          close()
        }}
        onClick={(event) => {
          if (event.target === dialog.current) close()
        }}
      >
        <button
          type="button"
          class="icon-button"
          aria-label={t('Close the search')}
          title={t('Close the search')}
          onClick={close}
        >
          <Icon name="back" />
        </button>
        <SearchBox onClose={close} />
      </dialog>
    </>
  )
}

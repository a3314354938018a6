import { useSignal } from '@preact/signals'

interface ConfirmButtonProps {
  label: string
  /** what the button says after the first press */
  confirmLabel: string
  onConfirm: () => unknown
}

/**
 * A button for what cannot be undone easily: it acts when it is pressed twice. Leaving it takes the first press back.
 */
export const ConfirmButton = ({ label, confirmLabel, onConfirm }: ConfirmButtonProps) => {
  const isSure = useSignal(false)
  return (
    <button
      type="button"
      class={isSure.value ? 'button button-danger' : 'button'}
      onClick={() => {
        if (isSure.value) onConfirm()
        isSure.value = !isSure.value
      }}
      onBlur={() => {
        isSure.value = false
      }}
    >
      {isSure.value ? confirmLabel : label}
    </button>
  )
}

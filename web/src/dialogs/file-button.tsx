import { useRef } from 'preact/hooks'

interface FileButtonProps {
  label: string
  /** what the file can be, for screen readers */
  description: string
  isDisabled: boolean
  onChoose: (file: File) => Promise<unknown>
}

/** A button that lets the user choose a picture. */
export const FileButton = ({ label, description, isDisabled, onChoose }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null)
  const choose = async () => {
    const file = input.current?.files?.[0]
    if (file === undefined) return
    await onChoose(file)
    // The same file can be chosen again.
    if (input.current !== null) input.current.value = ''
  }
  return (
    <>
      <input
        ref={input}
        class="only-for-screen-readers"
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        aria-label={description}
        tabIndex={-1}
        onChange={choose}
      />
      <button type="button" class="button" disabled={isDisabled} onClick={() => input.current?.click()}>
        {label}
      </button>
    </>
  )
}

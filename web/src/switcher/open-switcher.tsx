/** Opens the switcher with its key. Its code is loaded with the first use. */
import { useSignal } from '@preact/signals'
import { useShortcuts } from '../ui/shortcuts.js'
import { useLoaded } from '../ui/use-loaded.js'

/** Waits for the key, and shows the switcher. */
export const OpenSwitcher = () => {
  const isOpen = useSignal(false)
  useShortcuts({
    switchConversation() {
      isOpen.value = true
    },
  })
  if (!isOpen.value) return null
  return (
    <LoadedSwitcher
      onClose={() => {
        isOpen.value = false
      }}
    />
  )
}

const LoadedSwitcher = ({ onClose }: { onClose: () => void }) => {
  const Switcher = useLoaded(async () => (await import('./switcher.js')).Switcher, undefined)
  return Switcher === undefined ? null : <Switcher onClose={onClose} />
}

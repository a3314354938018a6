/** Opens the switcher with its key. Its code is loaded when the page has been open for a while, or with the first use. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useShortcuts } from '../ui/shortcuts.js'
import { useLoaded } from '../ui/use-loaded.js'

const load = async () => (await import('./switcher.js')).Switcher

/** After so long, what the first view needs has arrived. */
const PAUSE_MS = 4_000

/** Waits for the key, and shows the switcher. */
export const OpenSwitcher = () => {
  const isOpen = useSignal(false)
  useEffect(() => {
    // Otherwise the letters that follow the key would go where the focus is while the code is loaded.
    const timer = setTimeout(() => load().catch(() => undefined), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [])
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
  const Switcher = useLoaded<Awaited<ReturnType<typeof load>> | undefined>(load, undefined)
  return Switcher === undefined ? null : <Switcher onClose={onClose} />
}

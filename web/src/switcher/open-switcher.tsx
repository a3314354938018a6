/**
 * Opens the switcher with its key. Its code is loaded when the page has been open for a while, or with the first use.
 */
import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useShortcuts } from '../ui/shortcuts.js'

/** The switcher, once its code has arrived. It is drawn at once then, so the letters that follow the key reach it. */
const loaded = signal<typeof import('./switcher.js')['Switcher'] | undefined>(undefined)

const load = async (): Promise<void> => {
  try {
    loaded.value ??= (await import('./switcher.js')).Switcher
  } catch {
    // The next press of the key tries again.
  }
}

/** After so long, what the first view needs has arrived. */
const PAUSE_MS = 4_000

/** Waits for the key, and shows the switcher. */
export const OpenSwitcher = () => {
  const isOpen = useSignal(false)
  useEffect(() => {
    // Otherwise the letters that follow the key would go where the focus is while the code is loaded.
    const timer = setTimeout(load, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [])
  useShortcuts({
    switchConversation() {
      isOpen.value = true
      void load()
    },
  })
  const Switcher = loaded.value
  if (!isOpen.value || Switcher === undefined) return null
  return (
    <Switcher
      onClose={() => {
        isOpen.value = false
      }}
    />
  )
}

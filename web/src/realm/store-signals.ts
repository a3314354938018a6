/**
 * Turns the stores of the client library into signals.
 *
 * Events can arrive faster than a screen is drawn. So changed stores are collected, and all signals are set together
 * before the next frame, at most every INTERVAL_MS; in a page that is not drawn, every HIDDEN_MS.
 */
import type { Store } from '@parley/client'
import { batch, type ReadonlySignal, signal } from '@preact/signals'

const INTERVAL_MS = 50
const HIDDEN_MS = 250

const changed = new Set<() => void>()
let isScheduled = false
let lastFlush = 0

const flush = (): void => {
  isScheduled = false
  lastFlush = performance.now()
  const updates = [...changed]
  changed.clear()
  batch(() => {
    for (const update of updates) update()
  })
}

const schedule = (): void => {
  if (isScheduled) return
  isScheduled = true
  if (document.hidden) setTimeout(flush, HIDDEN_MS)
  else if (performance.now() - lastFlush >= INTERVAL_MS) requestAnimationFrame(flush)
  else setTimeout(flush, INTERVAL_MS)
}

// A frame that was requested before the page was hidden comes only when it is shown again.
document.addEventListener('visibilitychange', () => {
  if (document.hidden && isScheduled) setTimeout(flush, HIDDEN_MS)
})

/** A signal that follows a store until `stop` is called. */
export const followStore = <T>(store: Store<T>): { signal: ReadonlySignal<T>; stop: () => void } => {
  const value = signal(store.get())
  const update = () => {
    value.value = store.get()
  }
  const unsubscribe = store.subscribe(() => {
    changed.add(update)
    schedule()
  })
  const stop = () => {
    unsubscribe()
    changed.delete(update)
  }
  return { signal: value, stop }
}

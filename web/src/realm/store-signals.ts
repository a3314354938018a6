/**
 * Turns the stores of the client library into signals.
 *
 * 1. Events can arrive faster than a screen is drawn. So changed stores are collected, and all signals are set together
 *    before the next frame, at most every INTERVAL_MS; in a page that is not drawn, every HIDDEN_MS.
 * 2. Drawing takes at most a part of the time, however much changes: the longer it took, the longer is the pause before
 *    the next time, up to LONGEST_PAUSE_MS. So the page never falls behind the events.
 * 3. A message that the user sends is shown without such a pause (showNow).
 */
import type { Store } from '@parley/client'
import { batch, type ReadonlySignal, signal } from '@preact/signals'

const INTERVAL_MS = 50
const HIDDEN_MS = 250
/** The pause after drawing, as a multiple of the time that it took. */
const PAUSES = 4
const LONGEST_PAUSE_MS = 1_000

const changed = new Set<() => void>()
let isScheduled = false
let lastFlush = 0
let pause = INTERVAL_MS
let frame = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Sets the signals of all changed stores now, without a pause before it. */
export const showNow = (): void => {
  cancelAnimationFrame(frame)
  clearTimeout(timer)
  isScheduled = false
  lastFlush = performance.now()
  const updates = [...changed]
  changed.clear()
  batch(() => {
    for (const update of updates) update()
  })
  // What the signals changed is drawn before the next task.
  setTimeout(() => {
    pause = Math.min(LONGEST_PAUSE_MS, Math.max(INTERVAL_MS, (performance.now() - lastFlush) * PAUSES))
  })
}

const schedule = (): void => {
  if (isScheduled) return
  isScheduled = true
  const since = performance.now() - lastFlush
  const isDue = since >= pause
  if (isDue && !document.hidden) frame = requestAnimationFrame(showNow)
  // A page that is hidden before the frame, or that another window covers, gets the frame only when it is shown again.
  timer = setTimeout(showNow, isDue || document.hidden ? HIDDEN_MS : pause - since)
}

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

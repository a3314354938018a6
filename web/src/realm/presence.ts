/** Who is at a computer: reports the user's own presence, and turns times into words. */
import type { Presence, Realm } from '@parley/client/realm'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { PresenceWord } from './chat.js'

const REPORT_MS = 60_000
/** A user without input for this long is away. */
const IDLE_MS = 300_000
/** A presence that was not repeated for this long has ended, when the server does not name a time. */
const OFFLINE_SECONDS = 200

/**
 * The presence of all users who are not offline.
 * @param reports whether the user's own presence is reported
 */
export const followPresence = (
  realm: Realm,
  presences: ReadonlySignal<ReadonlyMap<number, Presence>>,
  reports: boolean,
): { signal: ReadonlySignal<ReadonlyMap<number, PresenceWord>>; stop: () => void } => {
  const now = signal(Date.now() / 1000)
  let lastInput = Date.now()
  const noteInput = () => {
    lastInput = Date.now()
  }
  const report = () => {
    now.value = Date.now() / 1000
    if (!reports) return
    const status = Date.now() - lastInput < IDLE_MS ? 'active' : 'idle'
    // While offline, the next report is enough.
    realm.reportPresence(status).catch(() => undefined)
  }
  const inputs = ['pointerdown', 'keydown', 'wheel'] as const
  for (const input of inputs) addEventListener(input, noteInput, { passive: true })
  const timer = setInterval(report, REPORT_MS)
  report()
  const threshold = realm.organization.get().server_presence_offline_threshold_seconds ?? OFFLINE_SECONDS
  return {
    signal: computed(() => describePresences(presences.value, now.value, threshold)),
    stop() {
      clearInterval(timer)
      for (const input of inputs) removeEventListener(input, noteInput)
    },
  }
}

/** The users who were seen within `threshold` seconds, each with a word. */
export const describePresences = (
  presences: ReadonlyMap<number, Presence>,
  now: number,
  threshold: number,
): ReadonlyMap<number, PresenceWord> => {
  const words = new Map<number, PresenceWord>()
  for (const [id, { active_timestamp, idle_timestamp }] of presences) {
    if (now - active_timestamp < threshold) words.set(id, 'active')
    else if (now - idle_timestamp < threshold) words.set(id, 'idle')
  }
  return words
}

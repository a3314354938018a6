/**
 * The ephemeral events of the last 15 seconds, for clients that are between two polls or two connections.
 *
 * 1. Events are kept in the order of the ids that this gateway assigned, which increase. A client has missed the events
 *    whose id is above its cursor.
 * 2. The list is bounded by age and by number, and the oldest events are removed first. A client that was away for
 *    longer gets its state from the next event of the same kind, as after an outage of Redis.
 *
 * Each gateway assigns these ids on its own. The ids are nearly equal on all gateways: each gateway counts from the
 * last entry, and continues from the id that the event got on the gateway that announced it. Two events that are
 * announced at the same moment may have swapped ids on another gateway, so a client that changes the gateway at that
 * moment may receive one of them twice or not at all. A client that stays on its gateway receives each event once.
 */
import { isNamed, type Viewer } from '../../domain/log/audience.js'
import { findKind } from '../../domain/log/entry-kind.js'
import { acceptsType, eventForm, type Profile } from '../../domain/log/profile.js'
import type { QueuedEvent } from '../../store/events/backlog.js'
import { encodeEvent, type ProjectedRealm } from '../../store/events/event-json.js'
import type { Ephemeral } from '../../store/log/bus.js'

/** Typing is announced again at least every 10 seconds, so a client that was away for longer misses nothing by this. */
const MAX_AGE_MS = 15_000
const MAX_EVENTS = 256

interface RecentEvent {
  id: number
  /** UNIX milliseconds */
  addedAt: number
  event: Ephemeral
  encodeFor: (profile: Profile) => string | null
}

/** The recent ephemeral events of one realm. */
export class RecentEphemeralEvents {
  readonly #realm: ProjectedRealm
  #events: RecentEvent[] = []

  constructor(realm: ProjectedRealm) {
    this.#realm = realm
  }

  /**
   * Adds an event.
   * @returns a function that encodes the event for a profile, once per profile; null: the profile does not receive it
   */
  add(id: number, event: Ephemeral, now = Date.now()): RecentEvent['encodeFor'] {
    const jsonByProfile = new Map<Profile, string | null>()
    const encodeFor = (profile: Profile): string | null => {
      const cached = jsonByProfile.get(profile)
      if (cached !== undefined) return cached
      const json = encode(this.#realm, id, event, profile)
      jsonByProfile.set(profile, json)
      return json
    }
    const isFull = this.#events.length >= MAX_EVENTS
    if (isFull || (this.#events[0] !== undefined && this.#events[0].addedAt < now - MAX_AGE_MS))
      this.#forget(now, isFull)
    this.#events.push({ id, addedAt: now, event, encodeFor })
    return encodeFor
  }

  /** The events that a client has missed, oldest first. @param lastId the client's cursor (1) */
  after(lastId: number, profile: Profile, viewer: Viewer, now = Date.now()): QueuedEvent[] {
    const events: QueuedEvent[] = []
    for (let i = this.#events.length - 1; i >= 0; i--) {
      const recent = this.#events[i]
      if (recent === undefined || recent.id <= lastId || recent.addedAt < now - MAX_AGE_MS) break
      const json = isNamed(recent.event.audience, viewer) ? recent.encodeFor(profile) : null
      if (json !== null) events.push({ id: recent.id, json })
    }
    return events.reverse()
  }

  /** Removes old events (2). A full list also loses its oldest quarter, so that not every `add` copies the list. */
  #forget(now: number, isFull: boolean): void {
    const firstRecent = this.#events.findIndex((recent) => recent.addedAt >= now - MAX_AGE_MS)
    const removed = firstRecent === -1 ? this.#events.length : firstRecent
    this.#events = this.#events.slice(isFull ? Math.max(removed, MAX_EVENTS / 4) : removed)
  }
}

const encode = (realm: ProjectedRealm, id: number, event: Ephemeral, profile: Profile): string | null => {
  const kind = findKind(realm.kinds, event.kind)
  if (!acceptsType(profile, kind.type)) return null
  const wire = kind.project(event.data, eventForm(profile), { deployment: realm.state.deployment })
  return wire === null ? null : encodeEvent(id, wire)
}

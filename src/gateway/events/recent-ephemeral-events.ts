/**
 * The ephemeral events of the last moments, for clients that are between two polls or two connections.
 *
 * 1. They are kept under the ids that this gateway gave them, which increase: what a client has not had is what lies
 *    behind its cursor.
 * 2. They are bounded in time and in number, and the oldest go first: who was away for longer learns from the next
 *    event of the kind, as after a moment without Redis.
 *
 * Gateways give these ids each for itself, and nearly alike: all count from the last entry, and on from the id that an
 * event got where it was announced. Two that are announced in the same moment may change places, so a client that
 * changes the gateway just then may get one twice or not at all; a client that stays gets each once.
 */
import { isNamed, type Viewer } from '../../domain/log/audience.js'
import { requireKind } from '../../domain/log/entry-kind.js'
import { type Profile, takesType } from '../../domain/log/profile.js'
import type { Ephemeral } from '../../store/log/bus.js'
import type { Piece } from './backlog.js'
import { eventText, type ProjectedRealm } from './event-json.js'

/** As long as clients believe that somebody writes without hearing of it again (register.md: 15,000 ms). */
const KEPT_MS = 15_000
const MOST_KEPT = 256

interface Kept {
  id: number
  /** milliseconds */
  at: number
  event: Ephemeral
  textFor: (profile: Profile) => string | null
}

export class Recent {
  readonly #realm: ProjectedRealm
  #kept: Kept[] = []

  constructor(realm: ProjectedRealm) {
    this.#realm = realm
  }

  /** Keeps an event. @returns its text for a profile, built once; null: nothing */
  add(id: number, event: Ephemeral, now = Date.now()): Kept['textFor'] {
    const texts = new Map<Profile, string | null>()
    const textFor = (profile: Profile): string | null => {
      const built = texts.get(profile)
      if (built !== undefined) return built
      const text = textOf(this.#realm, id, event, profile)
      texts.set(profile, text)
      return text
    }
    const isFull = this.#kept.length >= MOST_KEPT
    if (isFull || (this.#kept[0] !== undefined && this.#kept[0].at < now - KEPT_MS)) this.#forget(now, isFull)
    this.#kept.push({ id, at: now, event, textFor })
    return textFor
  }

  /** What a client has not had, oldest first. @param lastId its cursor (1) */
  after(lastId: number, profile: Profile, viewer: Viewer, now = Date.now()): Piece[] {
    const pieces: Piece[] = []
    for (let i = this.#kept.length - 1; i >= 0; i--) {
      const kept = this.#kept[i]
      if (kept === undefined || kept.id <= lastId || kept.at < now - KEPT_MS) break
      const text = isNamed(kept.event.audience, viewer) ? kept.textFor(profile) : null
      if (text !== null) pieces.push({ id: kept.id, text })
    }
    return pieces.reverse()
  }

  /** Lets go what is too old; of those that are too many a quarter, so that not each one moves all others (2). */
  #forget(now: number, isFull: boolean): void {
    const alive = this.#kept.findIndex((kept) => kept.at >= now - KEPT_MS)
    const old = alive === -1 ? this.#kept.length : alive
    this.#kept = this.#kept.slice(isFull ? Math.max(old, MOST_KEPT / 4) : old)
  }
}

const textOf = (realm: ProjectedRealm, id: number, event: Ephemeral, profile: Profile): string | null => {
  const kind = requireKind(realm.kinds, event.kind)
  if (!takesType(profile, kind.type)) return null
  const wire = kind.project(event.data, profile, { deployment: realm.state.deployment })
  return wire === null ? null : eventText(id, wire)
}

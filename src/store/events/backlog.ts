/**
 * The backlog of a queue: the events after a cursor, each with the permissions that held when it happened.
 *
 * 1. Whether the user is in the audience of entry N is decided by the user's state at N: the structural changes since
 *    the cursor are undone on a movable viewer, which then moves forward with the entries.
 * 2. The last step reads the ring synchronously. A client that attaches to the hub in the same tick misses no event and
 *    receives none twice.
 * 3. Content entries that the registration's snapshot already contained are skipped
 *    (decisions/011-snapshot-plus-events.md).
 */
import { isNamed, MovableViewer, type Viewer, viewerNow } from '../../domain/log/audience.js'
import type { Entry } from '../../domain/log/entry.js'
import { findKind } from '../../domain/log/entry-kind.js'
import { eventId, toSeq } from '../../domain/log/event-id.js'
import { loadEntriesAfter, loadStructuralChanges } from '../log/log.js'
import type { Realm } from '../log/realm.js'
import type { Queue } from '../register/event-queues.js'
import type { Sql } from '../sql.js'
import { encodeEntry, encodeForExtraAudience, encodeShared, type ProjectedRealm } from './event-json.js'

const ENTRIES_PER_QUERY = 2_000

/** What decides which events a queue gets. Subscriptions that the server delivers have the same. */
export type ReadQueue = Pick<Queue, 'id' | 'user_id' | 'profile' | 'content_seq'>

export interface QueuedEvent {
  id: number
  json: string
}

export interface Backlog {
  events: QueuedEvent[]
  /** the id up to which this backlog is complete */
  cursor: number
  /** no entry follows `cursor` in this tick */
  isComplete: boolean
}

/** Thrown when the log was trimmed beyond the cursor. The queue cannot be served any more. */
export class LogTrimmedError extends Error {}

/**
 * The event of an entry for one queue, as JSON.
 * @param viewer the queue's user right after the entry
 * @returns null when the queue does not receive the entry
 */
export const composeQueueEvent = (
  realm: ProjectedRealm,
  entry: Entry,
  queue: ReadQueue,
  viewer: Viewer,
): string | null => {
  const kind = findKind(realm.kinds, entry.kind)
  if (kind.content && entry.seq <= queue.content_seq) return null
  const is_outside = !isNamed(entry.audience, viewer)
  if (is_outside) {
    const extraAudience = kind.extraAudience(entry.data, queue.profile)
    if (extraAudience === undefined || !isNamed(extraAudience, viewer)) return null
  }
  if (kind.personalRecipients(entry.data).includes(queue.user_id)) {
    return encodeEntry(realm, entry, queue.profile, { user_id: queue.user_id, queue_id: queue.id, is_outside })
  }
  return is_outside ? encodeForExtraAudience(realm, entry, queue.profile) : encodeShared(realm, entry, queue.profile)
}

/** How much of a backlog is loaded at a time. */
export interface BacklogBounds {
  events: number
  characters: number
}

const usualBounds: BacklogBounds = { events: 2_000, characters: 4_000_000 }

/**
 * Loads the events after `lastId`, oldest first. It loads at most so many events, and about so many characters.
 * Waits until this replica has applied `lastId`. Throws LogTrimmedError.
 */
export const loadBacklog = async (
  sql: Sql,
  realm: Realm,
  queue: ReadQueue,
  lastId: number,
  bounds = usualBounds,
): Promise<Backlog> => {
  await realm.waitForSeq(Math.max(toSeq(lastId), queue.content_seq))
  if (toSeq(lastId) < realm.ringStart) await realm.extendRing(toSeq(lastId))
  const events: QueuedEvent[] = []
  let characters = 0
  let seq = toSeq(lastId)
  let viewer: MovableViewer | undefined

  const isFull = () => events.length >= bounds.events || characters >= bounds.characters
  const appendEvent = (entry: Entry, by: Viewer) => {
    const json = composeQueueEvent(realm, entry, queue, by)
    seq = entry.seq
    if (json === null) return
    events.push({ id: eventId(entry.seq), json })
    characters += json.length
  }
  const appendEvents = (entries: readonly Entry[], by: MovableViewer) => {
    for (const entry of entries) {
      if (isFull()) return
      for (const change of entry.rows ?? []) by.applyForward(change)
      appendEvent(entry, by)
    }
  }

  while (seq < realm.ringStart && !isFull()) {
    viewer ??= await rewindViewer(sql, realm, queue.user_id, seq)
    const entries = await loadEntriesAfter(sql, realm.id, seq, ENTRIES_PER_QUERY)
    if (entries[0]?.seq !== seq + 1) throw new LogTrimmedError()
    appendEvents(entries, viewer)
    // Postgres may be ahead of this replica: entries that were read there must not be sent again by the hub.
    await realm.waitForSeq(seq)
  }
  if (isFull()) return { events, cursor: eventId(seq), isComplete: false }

  // No await from here on (2).
  const rest = realm.ring.slice(realm.ring.length - (realm.seq - seq))
  if (viewer === undefined && realm.structureSeq <= seq) {
    const now = viewerNow(realm.state, queue.user_id)
    for (const entry of rest) {
      if (isFull()) break
      appendEvent(entry, now)
    }
  } else {
    appendEvents(rest, viewer ?? rewindViewerInRing(realm, queue.user_id, seq))
  }
  const isComplete = seq >= realm.seq
  return { events, cursor: isComplete ? Math.max(lastId, eventId(seq)) : eventId(seq), isComplete }
}

/** The part of the hub that keeps recent ephemeral events. */
interface EphemeralSource {
  missedEphemeral(queue: Queue, lastId: number): QueuedEvent[]
}

/**
 * Merges the events of a backlog by id with the missed ephemeral events. The latter come after `lastId`, and are added
 * only if the backlog is complete. Synchronous (2).
 */
export const insertMissedEphemeral = (
  backlog: Backlog,
  hub: EphemeralSource,
  queue: Queue,
  lastId: number,
): QueuedEvent[] => {
  const missed = backlog.isComplete ? hub.missedEphemeral(queue, lastId) : []
  return missed.length === 0 ? backlog.events : [...backlog.events, ...missed].sort((a, b) => a.id - b.id)
}

/** The user's state right after entry `seq`, which must be in the ring. */
const rewindViewerInRing = (realm: Realm, user_id: number, seq: number): MovableViewer => {
  const viewer = new MovableViewer(realm.state, user_id)
  for (let i = realm.ring.length - 1; i >= 0; i--) {
    const entry = realm.ring[i]
    if (entry === undefined || entry.seq <= seq) break
    undoRowChanges(viewer, entry.rows)
  }
  return viewer
}

/** The user's state right after entry `seq`, which must be in the log. */
const rewindViewer = async (sql: Sql, realm: Realm, user_id: number, seq: number): Promise<MovableViewer> => {
  // Copied before the await: the viewer is as of `now` even if the realm applies entries meanwhile.
  const now = realm.seq
  const viewer = new MovableViewer(realm.state, user_id)
  for (const { rows } of await loadStructuralChanges(sql, realm.id, seq, now)) undoRowChanges(viewer, rows)
  return viewer
}

const undoRowChanges = (viewer: MovableViewer, rows: Entry['rows']): void => {
  for (let i = (rows?.length ?? 0) - 1; i >= 0; i--) {
    const change = rows?.[i]
    if (change !== undefined) viewer.applyBackward(change)
  }
}

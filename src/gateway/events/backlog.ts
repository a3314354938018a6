/**
 * What a queue has not had yet: the entries after a cursor, judged as they were when they happened.
 *
 * 1. Whether the user was in the audience of entry N is asked of the user as they were at N: the structural changes
 *    since the cursor are undone on a movable viewer, which then walks forward with the entries.
 * 2. The last step, out of the ring, is synchronous: whoever attaches to the hub in the same tick misses nothing and
 *    gets nothing twice.
 * 3. Content entries that the registration's snapshot held already are passed over (DESIGN section 3).
 */
import { isNamed, MovableViewer, type Viewer, viewerNow } from '../../domain/log/audience.js'
import type { Entry } from '../../domain/log/entry.js'
import { requireKind } from '../../domain/log/entry-kind.js'
import { eventId, seqOf } from '../../domain/log/event-id.js'
import { entriesAfter, structuralBetween } from '../../store/log/log.js'
import type { Realm } from '../../store/log/realm.js'
import type { Queue } from '../../store/register/queues.js'
import type { Sql } from '../../store/sql.js'
import { outsideText, ownText, type ProjectedRealm, sharedText } from './event-json.js'

/** Bounds one answer; the client asks again from where it ends. */
const MOST_EVENTS = 2_000
const MOST_CHARACTERS = 4_000_000
const PAGE = 2_000

export interface Piece {
  id: number
  text: string
}

export interface Backlog {
  pieces: Piece[]
  /** the cursor after this backlog: behind it nothing is left out */
  upTo: number
  /** nothing follows: `upTo` is where the realm stands, in this very tick */
  complete: boolean
}

/** Thrown when the log no longer reaches back to the cursor: the queue cannot be served any more. */
export class LogTrimmed extends Error {}

/** The text of `entry` for this queue, given the viewer right after the entry; null: nothing. */
export const textFor = (realm: ProjectedRealm, entry: Entry, queue: Queue, viewer: Viewer): string | null => {
  const kind = requireKind(realm.kinds, entry.kind)
  if (kind.content && entry.seq <= queue.content_seq) return null
  const is_outside = !isNamed(entry.audience, viewer)
  if (is_outside) {
    const wider = kind.extraAudience(entry.data, queue.profile)
    if (wider === undefined || !isNamed(wider, viewer)) return null
  }
  if (kind.personalRecipients(entry.data).includes(queue.user_id)) {
    return ownText(realm, entry, queue.profile, { user_id: queue.user_id, queue_id: queue.id, is_outside })
  }
  return is_outside ? outsideText(realm, entry, queue.profile) : sharedText(realm, entry, queue.profile)
}

/**
 * Events after `lastId`, oldest first. Returns once `lastId` itself is applied here, however far this replica lags.
 * Throws LogTrimmed.
 */
export const backlogOf = async (sql: Sql, realm: Realm, queue: Queue, lastId: number): Promise<Backlog> => {
  await realm.reach(Math.max(seqOf(lastId), queue.content_seq))
  const pieces: Piece[] = []
  let characters = 0
  let seq = seqOf(lastId)
  let viewer: MovableViewer | undefined

  const full = () => pieces.length >= MOST_EVENTS || characters >= MOST_CHARACTERS
  const take = (entry: Entry, by: Viewer) => {
    const text = textFor(realm, entry, queue, by)
    seq = entry.seq
    if (text === null) return
    pieces.push({ id: eventId(entry.seq), text })
    characters += text.length
  }
  const walk = (entries: readonly Entry[], by: MovableViewer) => {
    for (const entry of entries) {
      if (full()) return
      for (const change of entry.rows ?? []) by.pass(change)
      take(entry, by)
    }
  }

  while (seq < realm.ringStart && !full()) {
    viewer ??= await viewerAt(sql, realm, queue.user_id, seq)
    const entries = await entriesAfter(sql, realm.id, seq, PAGE)
    if (entries[0]?.seq !== seq + 1) throw new LogTrimmed()
    walk(entries, viewer)
    // Postgres may be ahead of this replica: what was read there must not come again through the hub.
    await realm.reach(seq)
  }
  if (full()) return { pieces, upTo: eventId(seq), complete: false }

  // From here on nothing awaits (2).
  const rest = realm.ring.slice(realm.ring.length - (realm.seq - seq))
  if (viewer === undefined && realm.structureSeq <= seq) {
    const now = viewerNow(realm.state, queue.user_id)
    for (const entry of rest) {
      if (full()) break
      take(entry, now)
    }
  } else {
    walk(rest, viewer ?? undoneInRing(realm, queue.user_id, seq))
  }
  const complete = seq >= realm.seq
  return { pieces, upTo: complete ? Math.max(lastId, eventId(seq)) : eventId(seq), complete }
}

/** What the hub remembers of events that no log keeps. */
interface Rememberer {
  missed(queue: Queue, lastId: number): Piece[]
}

/** The backlog, with the ephemeral events after `lastId` in their places if it is the last part. Does not await (2). */
export const withMissed = (backlog: Backlog, hub: Rememberer, queue: Queue, lastId: number): Piece[] => {
  const missed = backlog.complete ? hub.missed(queue, lastId) : []
  return missed.length === 0 ? backlog.pieces : [...backlog.pieces, ...missed].sort((a, b) => a.id - b.id)
}

/** The user as they were right after entry `seq`, which the ring still reaches. */
const undoneInRing = (realm: Realm, user_id: number, seq: number): MovableViewer => {
  const viewer = new MovableViewer(realm.state, user_id)
  for (let i = realm.ring.length - 1; i >= 0; i--) {
    const entry = realm.ring[i]
    if (entry === undefined || entry.seq <= seq) break
    passBack(viewer, entry.rows)
  }
  return viewer
}

/** The same for any seq that the log still reaches. */
const viewerAt = async (sql: Sql, realm: Realm, user_id: number, seq: number): Promise<MovableViewer> => {
  // Taken before the await, so that it stands at exactly `now` however far the realm moves meanwhile.
  const now = realm.seq
  const viewer = new MovableViewer(realm.state, user_id)
  for (const { rows } of await structuralBetween(sql, realm.id, seq, now)) passBack(viewer, rows)
  return viewer
}

const passBack = (viewer: MovableViewer, rows: Entry['rows']): void => {
  for (let i = (rows?.length ?? 0) - 1; i >= 0; i--) {
    const change = rows?.[i]
    if (change !== undefined) viewer.passBack(change)
  }
}

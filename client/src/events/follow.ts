/**
 * Follows the page that leads (shared-lead.ts): passes on the events that it tells, and asks the gateway for those that
 * this page has missed.
 */
import { ApiError } from '../kernel/errors.js'
import { type Http, limitTime } from '../kernel/http.js'
import { type ConnectionState, type Cursor, type End, endOfError, type WireEvent } from './connection.js'

/** What the page that leads tells the others. */
export interface News {
  /** where the queue is read before these events; undefined while that page registers */
  readonly cursor: Cursor | undefined
  readonly events: readonly WireEvent[]
  readonly state: ConnectionState
}

/** What a page learns by following. After `onEnd`, and after `close`, it learns nothing more. */
export interface FollowListener {
  onEvents(events: readonly WireEvent[]): void
  /** The page reads another queue from now on, or has all events up to this one. */
  onCursor(cursor: Cursor): void
  /** how the page that leads is connected; this page has what that one has */
  onState(state: ConnectionState): void
  onEnd(end: End): void
}

/** A page that follows. */
export interface Follower {
  take(news: News): void
  close(): void
}

const CATCH_UP_MS = 30_000

/** Follows from a cursor on. */
export const followPage = (http: Http, gateway: string, from: Cursor, listener: FollowListener): Follower => {
  let cursor = from
  /** what was told and not taken yet: this page asks for what it missed, or takes what came before */
  const waiting: News[] = []
  let isTaking = false
  const closing = new AbortController()
  const isClosed = () => closing.signal.aborted

  const move = (next: Cursor) => {
    cursor = next
    listener.onCursor(cursor)
  }

  const pass = (events: readonly WireEvent[]) => {
    const last = events.at(-1)?.id ?? 0
    cursor = { ...cursor, lastEventId: Math.max(cursor.lastEventId, last) }
    listener.onEvents(events)
  }

  /** @param seen the answers lack no event up to this one (docs/clients.md, "heartbeat") */
  const catchUp = async (seen: number) => {
    for (;;) {
      const events = await fetchEvents(http, gateway, cursor, seen, closing.signal)
      if (isClosed()) return
      if (events.length === 0) return move({ ...cursor, lastEventId: Math.max(cursor.lastEventId, seen) })
      pass(events)
    }
  }

  const takeOne = async ({ cursor: at, events, state }: News) => {
    if (at !== undefined) {
      if (at.queueId !== cursor.queueId) move({ ...cursor, queueId: at.queueId })
      if (at.lastEventId > cursor.lastEventId) await catchUp(at.lastEventId)
      if (!isClosed() && events.length > 0) pass(events)
    }
    if (!isClosed()) listener.onState(state)
  }

  const takeAll = async () => {
    isTaking = true
    try {
      for (let news = waiting.shift(); news !== undefined && !isClosed(); news = waiting.shift()) await takeOne(news)
    } catch (error) {
      if (isClosed()) return
      listener.onEnd(error instanceof ApiError ? endOfError(error) : { kind: 'again', reason: String(error) })
    } finally {
      isTaking = false
    }
  }

  return {
    take(news) {
      waiting.push(news)
      if (!isTaking) void takeAll()
    },
    close: () => closing.abort(),
  }
}

/** Asks a gateway for the events after a cursor, up to one that it surely has. */
const fetchEvents = async (
  http: Http,
  gateway: string,
  { queueId: queue_id, lastEventId: last_event_id }: Cursor,
  seen_event_id: number,
  signal: AbortSignal,
): Promise<readonly WireEvent[]> => {
  const values = { queue_id, last_event_id, dont_block: true, seen_event_id }
  const request = { method: 'GET', path: '/events', values, signal }
  const answer = await limitTime(CATCH_UP_MS, request, (limited) => http.call(gateway, limited))
  return answer.events as readonly WireEvent[]
}

/**
 * The long poll: answer at once with what is there, else wait for the first event or a heartbeat.
 *
 * 1. Entries applied together go out together: the answer is given after the tick that brought the first event.
 * 2. A waiting poll never ends without an event, except when a newer one takes its queue over: a client that gets an
 *    empty list would have nothing to move its cursor with, and one existing client crashes on it (clients.md 10).
 */

import type { Realm } from '../../store/log/realm.js'
import type { Queue } from '../../store/register/queues.js'
import type { Sql } from '../../store/sql.js'
import { backlogOf, type Piece, withMissed } from './backlog.js'
import type { Client, CloseReason } from './connected-client.js'
import { eventText } from './event-json.js'
import type { Hub } from './hub.js'

export interface PollRequest {
  sql: Sql
  realm: Realm
  hub: Hub
  queue: Queue
  last_event_id: number
  dont_block: boolean
  /** the shortest wait; up to 10 seconds are added at random, so that clients do not move in step (events.md 1.5) */
  heartbeat_ms: number
  exchange: {
    /** Calls back when the client goes away. */
    onAborted(listener: () => void): void
  }
}

/** The events that answer this poll, oldest first. Throws LogTrimmed. */
export const poll = async (request: PollRequest): Promise<Piece[]> => {
  let lastId = request.last_event_id
  for (;;) {
    const backlog = await backlogOf(request.sql, request.realm, request.queue, lastId)
    const pieces = withMissed(backlog, request.hub, request.queue, lastId)
    if (pieces.length > 0) return pieces
    lastId = backlog.upTo
    if (!backlog.complete) continue
    if (request.dont_block) return []
    // No await stands between the complete backlog and the attachment (hub.ts 1).
    return wait(request, lastId)
  }
}

const SPREAD_SECONDS = 10
const OUT_OF_IDS_MS = 100

const wait = (request: PollRequest, lastId: number): Promise<Piece[]> =>
  new Promise((resolve) => request.hub.attach(new WaitingPoll(request, lastId, resolve)))

/** A parked poll. A class, because thousands of them wait: methods are shared, closures would be each one's own. */
class WaitingPoll implements Client {
  readonly isPoll = true
  readonly queue: Queue
  lastId: number
  readonly #hub: Hub
  readonly #answer: (pieces: Piece[]) => void
  readonly #pieces: Piece[] = []
  #timer: NodeJS.Timeout

  constructor({ hub, queue, heartbeat_ms, exchange }: PollRequest, lastId: number, answer: (pieces: Piece[]) => void) {
    this.queue = queue
    this.lastId = lastId
    this.#hub = hub
    this.#answer = answer
    // Whole seconds, so that thousands of polls share a few timer lists.
    const seconds = heartbeat_ms >= 10_000 ? Math.floor(Math.random() * SPREAD_SECONDS) : 0
    this.#timer = setTimeout(heartbeat, heartbeat_ms + seconds * 1000, this)
    exchange.onAborted(() => this.finish())
  }

  push(id: number, text: string): void {
    this.#pieces.push({ id, text })
    if (this.#pieces.length === 1) queueMicrotask(() => this.finish())
  }

  close(reason: CloseReason): void {
    if (reason === 'draining' && this.#pieces.length === 0) this.heartbeat()
    else this.finish()
  }

  heartbeat(): void {
    const id = this.#hub.idAfter(this.lastId)
    if (id === undefined) {
      // Ids have run out under the last entry; a new one is on its way.
      this.#timer = setTimeout(heartbeat, OUT_OF_IDS_MS, this)
      return
    }
    this.#pieces.push({ id, text: eventText(id, { type: 'heartbeat' }) })
    this.finish()
  }

  finish(): void {
    clearTimeout(this.#timer)
    this.#hub.detach(this)
    this.#answer(this.#pieces)
  }
}

const heartbeat = (waiting: WaitingPoll): void => waiting.heartbeat()

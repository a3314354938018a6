/**
 * The long poll: it answers at once when the queue has events, otherwise it waits for the first event or a heartbeat.
 *
 * 1. Entries that are applied together are sent together: the poll answers in the microtask after the first event. When
 *    many polls answer, some wait for the next turn of the event loop, with what they collect until then
 *    (paced-sends.ts).
 * 2. A waiting poll never returns an empty list, except when its queue is deleted or a newer poll replaces it: an empty
 *    list would not move the client's cursor, and one existing client crashes on it (protocol/clients.md 10).
 */

import { insertMissedEphemeral, loadBacklog, type QueuedEvent } from '../../store/events/backlog.js'
import { encodeEvent } from '../../store/events/event-json.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { Realm } from '../../store/log/realm.js'
import type { Queue } from '../../store/register/event-queues.js'
import type { Sql } from '../../store/sql.js'
import type { Client, CloseReason } from './connected-client.js'
import type { Hub } from './hub.js'

export interface PollRequest {
  sql: Sql
  realm: Realm
  hub: Hub
  queue: Queue
  /** see Client */
  key_version: number
  /** see Client */
  session_id: number | undefined
  /** see Client */
  api_key_id: number | undefined
  last_event_id: number
  dont_block: boolean
  /**
   * the minimum wait in milliseconds; up to 9 seconds are added at random, so that
   * polls do not return together (protocol/events.md 1.5)
   */
  heartbeat_ms: number
  exchange: {
    /** Calls `listener` when the client closes the connection. */
    onAborted(listener: () => void): void
  }
  /** Answers a poll that waited. May be called more than once: only the first time counts. */
  answer(events: readonly QueuedEvent[]): void
  /** Called instead when the account lost its rights meanwhile: the call is to run again, and is refused. */
  runAgain(): void
}

/**
 * Reads the events that answer this poll, oldest first. Returns undefined if there are none yet; `request.answer` gets
 * them then.
 * Throws LogTrimmedError.
 */
export const poll = (request: PollRequest): MaybePromise<QueuedEvent[] | undefined> => {
  const { realm, hub, queue, last_event_id, dont_block } = request
  // Most polls come back before anything has happened: there is nothing to read.
  const isCurrent = last_event_id >= hub.lastId() && queue.content_seq <= realm.seq
  if (!isCurrent) return readBacklog(request)
  if (dont_block) return []
  hub.attach(new WaitingPoll(request, last_event_id))
  return undefined
}

const readBacklog = async (request: PollRequest): Promise<QueuedEvent[] | undefined> => {
  let lastId = request.last_event_id
  for (;;) {
    const backlog = await loadBacklog(request.sql, request.realm, request.queue, lastId)
    const events = insertMissedEphemeral(backlog, request.hub, request.queue, lastId)
    if (events.length > 0) return events
    lastId = backlog.cursor
    if (!backlog.isComplete) continue
    if (request.dont_block) return []
    // No await between the complete backlog and `attach` (hub.ts 1).
    request.hub.attach(new WaitingPoll(request, lastId))
    return undefined
  }
}

const HEARTBEAT_JITTER_SECONDS = 10
/** An answer takes about as long as so many writes to sockets. */
const WRITES_OF_ANSWER = 10
const RETRY_ID_MS = 100

/** A waiting poll. It is a class because thousands of polls wait: instances share methods, closures would not. */
class WaitingPoll implements Client {
  readonly isPoll = true
  readonly writes = WRITES_OF_ANSWER
  readonly queue: Queue
  readonly key_version: number
  readonly session_id: number | undefined
  readonly api_key_id: number | undefined
  lastId: number
  readonly #hub: Hub
  readonly #answer: PollRequest['answer']
  readonly #runAgain: PollRequest['runAgain']
  readonly #events: QueuedEvent[] = []
  #timer: NodeJS.Timeout

  constructor(
    { hub, queue, key_version, session_id, api_key_id, heartbeat_ms, exchange, answer, runAgain }: PollRequest,
    lastId: number,
  ) {
    this.queue = queue
    this.key_version = key_version
    this.session_id = session_id
    this.api_key_id = api_key_id
    this.lastId = lastId
    this.#hub = hub
    this.#answer = answer
    this.#runAgain = runAgain
    // Node keeps one timer list per duration. With whole seconds thousands of polls share a few lists.
    const seconds = heartbeat_ms >= 10_000 ? Math.floor(Math.random() * HEARTBEAT_JITTER_SECONDS) : 0
    this.#timer = setTimeout(heartbeat, heartbeat_ms + seconds * 1000, this)
    exchange.onAborted(() => this.finish())
  }

  push(id: number, json: string): void {
    this.#events.push({ id, json })
    if (this.#events.length === 1) this.#hub.sends.sendAfterEntries(this)
  }

  send(): void {
    this.finish()
  }

  close(reason: CloseReason): void {
    // Events that came before, in the same tick, are answered: the deactivation of an organization is one of them.
    if (reason === 'unauthorized' && this.#events.length === 0) this.#runAgain()
    if (reason === 'draining' && this.#events.length === 0) this.heartbeat()
    else this.finish()
  }

  heartbeat(): void {
    const id = this.#hub.idAfter(this.lastId)
    if (id === undefined) {
      // No id is left at the current seq. The hub has requested a new entry, so try again.
      this.#timer = setTimeout(heartbeat, RETRY_ID_MS, this)
      return
    }
    this.#events.push({ id, json: encodeEvent(id, { type: 'heartbeat' }) })
    this.finish()
  }

  finish(): void {
    clearTimeout(this.#timer)
    this.#hub.detach(this)
    this.#answer(this.#events)
  }
}

const heartbeat = (waiting: WaitingPoll): void => waiting.heartbeat()

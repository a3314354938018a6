/**
 * Reads the registrations of queues that come from other gateways. When a gateway ends, all of its clients connect to
 * the others within a second or two.
 *
 * 1. One statement runs at a time, and reads up to MAX_ROWS registrations, in the order of the calls. So the rate of
 *    statements is bounded by the round trip, and a client alone waits for no other.
 * 2. Everything that a client costs after its registration was read (handshake, backlog, attachment) follows the
 *    statement. So in one pass of the event loop a gateway takes over at most MAX_ROWS clients, and sends and
 *    deliveries run between two statements, however many clients wait, on whichever transport.
 * 3. A call is refused instead of waiting: with SERVER_BUSY when the calls before it will take longer than MAX_WAIT_MS,
 *    with OverloadError when the current statement takes longer than MAX_STATEMENT_MS.
 *
 * This is no fair queue (store/fairness): a call takes no slot of its own, but a row of the next statement.
 */
import { createAdmission, createWorkTimer } from '../overload.js'
import type { Sql } from '../sql.js'

/** Which registration. */
export interface QueueKey {
  realm_id: number
  id: string
  user_id: number
}

/** A registration as it is stored. */
export interface QueueRow extends QueueKey {
  profile: string
  state_seq: number
  content_seq: number
  lifespan_secs: number
  position_name: string | null
}

/** Reads the registration of this user; undefined: there is none. Throws SERVER_BUSY and OverloadError. */
export type ReadQueueRow = (key: QueueKey) => Promise<QueueRow | undefined>

/** The work of so many clients takes a few milliseconds. */
const MAX_ROWS = 32
const MAX_STATEMENT_MS = 5_000
/** Shorter than clients wait for a handshake: the client library gives up after ten seconds. */
const MAX_WAIT_MS = 5_000

interface WaitingCall {
  key: QueueKey
  resolve(row: QueueRow | undefined): void
  reject(error: unknown): void
}

/** Creates the function that reads registrations, with the queue of its calls (1). */
export const createQueueRowReader = (sql: Sql): ReadQueueRow => {
  let waiting: WaitingCall[] = []
  let isRunning = false
  const admission = createAdmission(MAX_WAIT_MS)
  const timer = createWorkTimer(MAX_STATEMENT_MS)

  const readRows = async (calls: readonly WaitingCall[]) => {
    timer.begin()
    try {
      const rows = await selectRows(
        sql,
        calls.map(({ key }) => key),
      )
      const found = new Map(rows.map((row) => [row.id, row]))
      for (const { key, resolve } of calls) {
        const row = found.get(key.id)
        resolve(row?.realm_id === key.realm_id && row.user_id === key.user_id ? row : undefined)
      }
    } catch (error) {
      for (const { reject } of calls) reject(error)
    } finally {
      timer.end()
    }
  }

  const run = async () => {
    isRunning = true
    while (waiting.length > 0) {
      const began = performance.now()
      const calls = waiting.slice(0, MAX_ROWS)
      waiting = waiting.slice(MAX_ROWS)
      await readRows(calls)
      // What the callers do now, and everything else of this pass, comes before the next statement (2).
      await new Promise((resolve) => setImmediate(resolve))
      admission.noteServed(calls.length, performance.now() - began)
    }
    isRunning = false
  }

  return (key) =>
    new Promise((resolve, reject) => {
      timer.requireProgress()
      admission.admit(waiting.length)
      waiting.push({ key, resolve, reject })
      if (!isRunning) void run()
    })
}

/** One probe of the primary key per queue: the limit in the lateral join holds the planner to it. */
const selectRows = (sql: Sql, keys: readonly QueueKey[]) => {
  const realm_ids = keys.map(({ realm_id }) => realm_id)
  const ids = keys.map(({ id }) => id)
  const user_ids = keys.map(({ user_id }) => user_id)
  return sql<QueueRow[]>`
    select q.id, q.realm_id, q.user_id, q.profile, q.state_seq, q.content_seq, q.lifespan_secs, q.position_name
    from unnest(${realm_ids}::int[], ${ids}::uuid[], ${user_ids}::int[]) as w (realm_id, id, user_id)
    cross join lateral (
      select id, realm_id, user_id, profile, state_seq, content_seq, lifespan_secs, position_name from event_queues
      where realm_id = w.realm_id and id = w.id and user_id = w.user_id
      limit 1
    ) q`
}

/**
 * The named positions of accounts: where a bot continues, whichever queue it reads
 * (decisions/013-a-bot-answers-once.md).
 *
 * 1. A position is the id of the last event that was acknowledged. Only writes that acknowledge an event move it
 *    (store/log/event-ack.ts).
 * 2. The first registration with a name creates its position at the end of the log. Registrations at the same time get
 *    the same position: one inserts it, and the others read it.
 * 3. A position whose next entry is not in the log any more cannot be continued. It is moved to the end of the log, and
 *    the registration is told that events were lost. Registrations at the same time get the same new position: each
 *    moves it only if it is still where it was read.
 * 4. A position that was not used for as long as the log is kept is deleted: it could not be continued either.
 */
import { limits } from '../../domain/limits/limits.js'
import { eventId, toSeq } from '../../domain/log/event-id.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Sql } from '../sql.js'

/** Whose position, and its name. */
export interface PositionKey {
  realm_id: number
  user_id: number
  name: string
}

/** Where a registration begins to read. */
export interface OpenedPosition {
  event_id: number
  /** `new`: the name was not known. `lost`: events after the position are not in the log any more */
  status: 'new' | 'continued' | 'lost'
}

/** A position, as its account sees it. */
export interface StoredPosition {
  queue_name: string
  event_id: number
  /** UNIX seconds */
  last_used: number
}

/**
 * Finds the position of this name, or creates it. Throws a BAD_REQUEST if the account has too many.
 * @param seq the end of the log
 */
export const openPosition = async (sql: Sql, key: PositionKey, seq: number): Promise<OpenedPosition> => {
  for (;;) {
    const found = await findPosition(sql, key)
    if (found === undefined) {
      if (await insertPosition(sql, key, eventId(seq))) return { event_id: eventId(seq), status: 'new' }
      if ((await findPosition(sql, key)) === undefined) {
        throw errors.tooManyPositions({ max: limits.max_queue_positions_per_user })
      }
    } else if (found.can_continue) {
      return { event_id: found.event_id, status: 'continued' }
    } else if (await movePosition(sql, key, found.event_id, eventId(seq))) {
      return { event_id: eventId(seq), status: 'lost' }
    }
  }
}

/** Reads a position, which counts as use. */
const findPosition = async (sql: Sql, { realm_id, user_id, name }: PositionKey) => {
  const [position] = await sql<{ event_id: number }[]>`
    update queue_positions set used_at = now()
    where realm_id = ${realm_id} and user_id = ${user_id} and name = ${name}
    returning event_id`
  if (position === undefined) return undefined
  const seq = toSeq(position.event_id)
  const [log] = await sql<{ can_continue: boolean }[]>`
    select log_seq <= ${seq} or exists (select from log where realm_id = ${realm_id} and seq = ${seq + 1}) as can_continue
    from log_heads where realm_id = ${realm_id}`
  return { event_id: position.event_id, can_continue: log?.can_continue === true }
}

/** @returns false: there is one already, or the account has too many */
const insertPosition = async (sql: Sql, { realm_id, user_id, name }: PositionKey, event_id: number) => {
  const inserted = await sql`
    insert into queue_positions (realm_id, user_id, name, event_id)
    select ${realm_id}, ${user_id}, ${name}, ${event_id}
    where (
      select count(*) from queue_positions where realm_id = ${realm_id} and user_id = ${user_id}
    ) < ${limits.max_queue_positions_per_user}
    on conflict do nothing`
  return inserted.count === 1
}

const movePosition = async (sql: Sql, { realm_id, user_id, name }: PositionKey, from: number, to: number) => {
  const moved = await sql`
    update queue_positions set event_id = ${to}
    where realm_id = ${realm_id} and user_id = ${user_id} and name = ${name} and event_id = ${from}`
  return moved.count === 1
}

/** The positions of an account, by name. */
export const loadPositions = (sql: Sql, realm_id: number, user_id: number): Promise<StoredPosition[]> =>
  sql<StoredPosition[]>`
    select name as queue_name, event_id, floor(extract(epoch from used_at))::float8 as last_used from queue_positions
    where realm_id = ${realm_id} and user_id = ${user_id}
    order by name`

/** Deletes a position. @returns whether there was one */
export const deletePosition = async (sql: Sql, { realm_id, user_id, name }: PositionKey): Promise<boolean> => {
  const deleted = await sql`
    delete from queue_positions where realm_id = ${realm_id} and user_id = ${user_id} and name = ${name}`
  return deleted.count === 1
}

const BATCH = 1_000

/** Deletes a batch of positions that were not used for so many days (4). @returns how many */
export const deleteUnusedPositions = async (sql: Sql, days: number): Promise<number> => {
  const deleted = await sql`
    delete from queue_positions where (realm_id, user_id, name) in (
      select realm_id, user_id, name from queue_positions
      where used_at < now() - make_interval(days => ${days}) limit ${BATCH})`
  return deleted.count
}

/**
 * The rows of event subscriptions, as workers deliver them.
 *
 * 1. A worker reserves a subscription, and extends the reservation while it delivers. So one worker delivers it at a
 *    time, and another one takes over within RESERVED_SECS after a worker died.
 * 2. The position is stored after the receiver has confirmed, never before. So every event reaches the receiver, and
 *    those that were under way when a worker died reach it twice, with the same id.
 * 3. A worker stores something only as long as it holds the reservation, and for the version that it has read. A worker
 *    that was suspended for longer than its reservation changes nothing any more.
 */
import type {
  BrokenReason,
  DeliveryError,
  EventSubscription,
  TestOutcome,
} from '../../domain/event-subscriptions/event-subscriptions.js'
import { type JobSpec, type QueuedJob, writeJobs } from '../jobs/job-table.js'
import type { Db, Fragment, Sql } from '../sql.js'
import { type StoredSubscription, selectColumns, toSubscription } from './subscription-rows.js'

/** Seconds for which a worker reserves a subscription. */
const RESERVED_SECS = 15

/** The last failures that a row keeps, and the characters of each. */
const KEPT_ERRORS = 10
const ERROR_CHARACTERS = 300

/** A subscription that has something to deliver, or to test. */
export interface DueSubscription {
  realm_id: number
  id: string
}

/** What belongs to a subscription that is due, `s`. */
const joinDue = (sql: Sql): Fragment => sql`
  event_subscriptions s
  join log_heads h on h.realm_id = s.realm_id
  join realms r on r.id = s.realm_id
  join users u on u.realm_id = s.realm_id and u.id = s.user_id
  where s.run_after <= now() and r.is_active and not r.is_moving and u.is_active
    and (s.test_id is not null or (
      s.state <> 'paused' and (s.reason is null or s.reason = 'failing') and (s.wants_snapshot or h.log_seq > s.seq)
    ))`

/** The organizations with a subscription that is due. */
export const findDueRealms = async (sql: Sql): Promise<number[]> =>
  (await sql<{ realm_id: number }[]>`select distinct s.realm_id from ${joinDue(sql)}`).map(({ realm_id }) => realm_id)

/** The due subscriptions of an organization, those that wait the longest first. */
export const findDueSubscriptions = (sql: Sql, realm_id: number, limit: number): Promise<DueSubscription[]> => sql<
  DueSubscription[]
>`
  select s.realm_id, s.id from ${joinDue(sql)} and s.realm_id = ${realm_id} order by s.run_after limit ${limit}`

/** Reserves a due subscription (1). @returns undefined: it is not due, or another worker has it */
export const reserveSubscription = async (
  sql: Sql,
  { realm_id, id }: DueSubscription,
  runner: string,
): Promise<EventSubscription | undefined> => {
  const [row] = await sql<StoredSubscription[]>`
    update event_subscriptions s set run_after = now() + make_interval(secs => ${RESERVED_SECS}), runner = ${runner}
    where s.realm_id = ${realm_id} and s.id = ${id} and s.run_after <= now()
    returning ${selectColumns(sql)}`
  return row === undefined ? undefined : toSubscription(row)
}

/** Extends the reservations of these runners. */
export const extendReservations = (sql: Sql, runners: readonly string[]): Promise<unknown> => sql`
  update event_subscriptions set run_after = now() + make_interval(secs => ${RESERVED_SECS})
  where runner = any(${runners as string[]}::uuid[])`

/** Reads a subscription again. @returns undefined: it was deleted, or the reservation was lost */
export const reloadSubscription = async (
  sql: Sql,
  { realm_id, id }: DueSubscription,
  runner: string,
): Promise<EventSubscription | undefined> => {
  const [row] = await sql<StoredSubscription[]>`
    select ${selectColumns(sql)} from event_subscriptions s
    where s.realm_id = ${realm_id} and s.id = ${id} and s.runner = ${runner}`
  return row === undefined ? undefined : toSubscription(row)
}

/** Ends the reservation. @param pause seconds until the subscription is due again */
export const releaseSubscription = (
  sql: Sql,
  { realm_id, id }: DueSubscription,
  runner: string,
  pause: number,
): Promise<unknown> => sql`
  update event_subscriptions set runner = null, run_after = now() + make_interval(secs => ${pause})
  where realm_id = ${realm_id} and id = ${id} and runner = ${runner}`

/** Rows that this worker may write (3). */
const isHeld = (sql: Db, { realm_id, id, version }: EventSubscription, runner: string): Fragment => sql`
  s.realm_id = ${realm_id} and s.id = ${id} and s.version = ${version} and s.runner = ${runner}`

/** What a receiver has confirmed. */
export interface Progress {
  /** up to which entry */
  seq: number
  /** with a snapshot: up to which entry it has the content */
  content_seq?: number
  /** how many deliveries; 0: the entries are not for this subscription */
  delivered: number
}

/**
 * Stores the position (2). A delivery ends a failure.
 * @returns the row; undefined: it was changed, or the reservation was lost (3)
 */
export const storeProgress = async (
  sql: Sql,
  held: EventSubscription,
  runner: string,
  { seq, content_seq, delivered }: Progress,
): Promise<EventSubscription | undefined> => {
  const [row] = await sql<StoredSubscription[]>`
    update event_subscriptions s set seq = ${seq}
      ${content_seq === undefined ? sql`` : sql`, content_seq = ${content_seq}, wants_snapshot = false`}
      ${delivered === 0 ? sql`` : recordDelivery(sql, delivered)}
    where ${isHeld(sql, held, runner)}
    returning ${selectColumns(sql)}`
  return row === undefined ? undefined : toSubscription(row)
}

const recordDelivery = (sql: Sql, count: number): Fragment => sql`
  , delivered = delivered + ${count}, delivered_at = now(), failures = 0, failing_since = null, is_owner_told = false,
  state = case when reason = 'failing' then 'active' else state end,
  reason = case when reason = 'failing' then null else reason end`

/** A failed attempt, and what follows. */
export interface Failure {
  error: DeliveryError
  /** undefined: the subscription is not broken, or not for a new reason */
  reason?: BrokenReason | undefined
  /** a job that tells the owner, once for each time that the subscription breaks */
  notice?: JobSpec | undefined
}

/**
 * Stores a failed attempt, and the job that tells the owner.
 * @returns the row and the jobs; undefined: the row was changed, or the reservation was lost (3)
 */
export const storeFailure = (
  sql: Sql,
  held: EventSubscription,
  runner: string,
  { error, reason, notice }: Failure,
): Promise<{ row: EventSubscription; jobs: readonly QueuedJob[] } | undefined> =>
  sql.begin(async (tx) => {
    const errors = [{ ...error, error: error.error.slice(0, ERROR_CHARACTERS) }, ...held.errors].slice(0, KEPT_ERRORS)
    const [row] = await tx<StoredSubscription[]>`
      update event_subscriptions s set failures = failures + 1, failing_since = coalesce(failing_since, now()),
        errors = ${tx.json(errors as never)}
        ${reason === undefined ? tx`` : tx`, state = 'broken', reason = ${reason}, is_owner_told = true`}
      where ${isHeld(tx, held, runner)}
      returning ${selectColumns(tx)}`
    if (row === undefined) return undefined
    const isNew = reason !== undefined && notice !== undefined && !held.is_owner_told
    const jobs = isNew ? await writeJobs(tx, held.realm_id, [notice]) : []
    return { row: toSubscription(row), jobs }
  })

/** Lets the subscription begin again with a snapshot. @returns as storeProgress */
export const requestSnapshot = async (
  sql: Sql,
  held: EventSubscription,
  runner: string,
  error: DeliveryError,
): Promise<EventSubscription | undefined> => {
  const [row] = await sql<StoredSubscription[]>`
    update event_subscriptions s set wants_snapshot = true,
      errors = ${sql.json([error, ...held.errors].slice(0, KEPT_ERRORS) as never)}
    where ${isHeld(sql, held, runner)}
    returning ${selectColumns(sql)}`
  return row === undefined ? undefined : toSubscription(row)
}

/** Stores how a test ended. @returns as storeProgress */
export const storeTestOutcome = async (
  sql: Sql,
  held: EventSubscription,
  runner: string,
  { at, error }: TestOutcome,
): Promise<EventSubscription | undefined> => {
  const outcome = { at, error: error?.slice(0, ERROR_CHARACTERS) ?? null }
  const [row] = await sql<StoredSubscription[]>`
    update event_subscriptions s set test_id = null, test_outcome = ${sql.json(outcome)}
    where ${isHeld(sql, held, runner)} and s.test_id = ${held.test_id}
    returning ${selectColumns(sql)}`
  return row === undefined ? undefined : toSubscription(row)
}

/** The subscriptions of a deployment by state, and the longest lag in seconds of those with an active account. */
export interface SubscriptionCounts {
  state: EventSubscription['state']
  count: number
  longest_lag: number
}

/** Counts the subscriptions of all organizations. */
export const countSubscriptions = (sql: Sql): Promise<SubscriptionCounts[]> => sql<SubscriptionCounts[]>`
  select s.state, count(*)::int as count, coalesce(max(extract(epoch from now() - (
    select l.at from log l where l.realm_id = s.realm_id and l.seq > s.seq order by l.seq limit 1
  ))) filter (where exists (
    select from users u where u.realm_id = s.realm_id and u.id = s.user_id and u.is_active
  )), 0)::float8 as longest_lag
  from event_subscriptions s group by s.state`

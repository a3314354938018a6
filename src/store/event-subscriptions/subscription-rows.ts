/**
 * The rows of event subscriptions, as their owners create, change and read them.
 *
 * 1. Each change of an owner increases `version`. A worker stores a position only for the version that it has read, so
 *    no position of a delivery that was under way undoes a change (deliveries.ts, 3).
 * 2. Each change is an entry of the log: a worker that waits for entries reads the row again.
 */

import { eventSubscriptionChanged } from '../../domain/event-subscriptions/event-subscription-entries.js'
import {
  composeAuditedSubscription,
  type EventSubscription,
  type SubscriptionProgress,
} from '../../domain/event-subscriptions/event-subscriptions.js'
import { hasTooMany, realmLimits } from '../../domain/limits/counts.js'
import { profileKey } from '../../domain/log/profile.js'
import { checkAddedRows } from '../limits/stored-rows.js'
import { commit } from '../log/change.js'
import { lockHeadRow } from '../log/log.js'
import type { WriteContext } from '../log/write-context.js'
import { internProfile } from '../register/event-queues.js'
import type { Db, Fragment, Sql } from '../sql.js'

/** A row as `selectColumns` reads it. */
export type StoredSubscription = Omit<EventSubscription, 'profile'> & { profile: string }

/** The columns of a subscription. */
export const selectColumns = (db: Db): Fragment => db`
  s.realm_id, s.id, s.user_id, s.owner_id, s.name, s.sink, s.address, s.profile, s.fetch_event_types, s.on_gap,
  s.state, s.reason, s.seq, s.content_seq, s.wants_snapshot, s.key_version, s.secret_version,
  floor(extract(epoch from s.former_secret_until))::int8 as former_secret_until, s.version, s.failures,
  floor(extract(epoch from s.failing_since))::int8 as failing_since, s.errors, s.is_owner_told, s.delivered,
  floor(extract(epoch from s.delivered_at))::int8 as delivered_at, s.test_id, s.test_outcome,
  floor(extract(epoch from s.created_at))::int8 as created_at`

/** The subscription of a row. */
export const toSubscription = ({ profile, ...row }: StoredSubscription): EventSubscription => ({
  ...row,
  profile: internProfile(profile),
})

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)

/** A subscription, and how far it is. */
export interface ReadSubscription {
  subscription: EventSubscription
  progress: SubscriptionProgress
}

/**
 * Loads the subscriptions of an organization in the order of their creation.
 * @param id only this one
 */
export const loadSubscriptions = async (sql: Sql, realm_id: number, id?: string): Promise<ReadSubscription[]> => {
  if (id !== undefined && !isUuid(id)) return []
  const rows = await sql<(StoredSubscription & SubscriptionProgress)[]>`
    select ${selectColumns(sql)}, h.log_seq,
      (select floor(extract(epoch from l.at))::int8 from log l
       where l.realm_id = s.realm_id and l.seq > s.seq order by l.seq limit 1) as waiting_since,
      floor(extract(epoch from s.run_after))::int8 as next_attempt_at
    from event_subscriptions s join log_heads h using (realm_id)
    where s.realm_id = ${realm_id} ${id === undefined ? sql`` : sql`and s.id = ${id}`}
    order by s.created_at, s.id`
  return rows.map(({ log_seq, waiting_since, next_attempt_at, ...row }) => ({
    subscription: toSubscription(row),
    progress: { log_seq, waiting_since, next_attempt_at },
  }))
}

/** What a new subscription is made of. */
export type NewSubscription = Pick<
  EventSubscription,
  | 'user_id'
  | 'owner_id'
  | 'name'
  | 'sink'
  | 'address'
  | 'profile'
  | 'fetch_event_types'
  | 'on_gap'
  | 'key_version'
  | 'wants_snapshot'
>

/**
 * Creates a subscription, whose position is the end of the log. Throws BAD_REQUEST beyond the limits, and
 * StaleStateError.
 */
export const createSubscription = (context: WriteContext, wanted: NewSubscription): Promise<EventSubscription> => {
  const { realm } = context
  return commit(context, async (tx) => {
    const [row] = await tx<StoredSubscription[]>`
      insert into event_subscriptions as s (
        realm_id, id, user_id, owner_id, name, sink, address, profile, fetch_event_types, on_gap, key_version,
        wants_snapshot, seq, content_seq
      )
      select realm_id, gen_random_uuid(), ${wanted.user_id}, ${wanted.owner_id}, ${wanted.name}, ${wanted.sink},
        ${wanted.address}, ${profileKey(wanted.profile)}, ${wanted.fetch_event_types as string[] | null}::text[],
        ${wanted.on_gap}, ${wanted.key_version}, ${wanted.wants_snapshot}, log_seq, log_seq
      from log_heads where realm_id = ${realm.id}
      returning ${selectColumns(tx)}`
    if (row === undefined) throw new Error(`realm ${realm.id} has no log`)
    await checkAddedRows(tx, 'event_subscriptions', { realm_id: realm.id, user_id: wanted.owner_id })
    await lockHeadRow(tx, realm.id)
    const [all] = await tx<{ count: number }[]>`
      select count(*)::int as count from event_subscriptions where realm_id = ${realm.id}`
    if ((all?.count ?? 0) > realmLimits.event_subscriptions.most) throw hasTooMany(realmLimits.event_subscriptions)
    const subscription = toSubscription(row)
    return {
      entries: [composeEntry(undefined, subscription)],
      result: subscription,
    }
  })
}

const composeEntry = (before: EventSubscription | undefined, after: EventSubscription | undefined) =>
  eventSubscriptionChanged({
    subscription_id: (after ?? before)?.id ?? '',
    before: before === undefined ? null : composeAuditedSubscription(before),
    after: after === undefined ? null : composeAuditedSubscription(after),
  })

/** What an owner changes. */
export type SubscriptionPatch = Partial<
  Pick<
    EventSubscription,
    | 'name'
    | 'address'
    | 'profile'
    | 'fetch_event_types'
    | 'on_gap'
    | 'state'
    | 'reason'
    | 'seq'
    | 'content_seq'
    | 'wants_snapshot'
    | 'key_version'
    | 'test_id'
  >
> & {
  /** forgets the failures, so that the next attempt is made at once */
  starts_anew?: boolean
  /** how many seconds the present secret signs beside the new one */
  replaces_secret?: number
}

/**
 * Changes a subscription. `decide` gets its row, which is locked, and returns what changes; it may refuse. Throws what
 * `decide` throws, and StaleStateError.
 */
export const changeSubscription = (
  context: WriteContext,
  id: string,
  decide: (subscription: EventSubscription | undefined) => SubscriptionPatch,
): Promise<EventSubscription> => {
  const { realm } = context
  return commit(context, async (tx) => {
    const before = isUuid(id) ? await loadForUpdate(tx, realm.id, id) : undefined
    const { profile, fetch_event_types, starts_anew = false, replaces_secret, ...columns } = decide(before)
    const patch = {
      ...columns,
      version: (before?.version ?? 0) + 1,
      ...(profile === undefined ? {} : { profile: profileKey(profile) }),
      ...(fetch_event_types === undefined ? {} : { fetch_event_types: fetch_event_types as string[] | null }),
    }
    const [row] = await tx<StoredSubscription[]>`
      update event_subscriptions s set ${tx(patch)}
        ${starts_anew ? tx`, failures = 0, failing_since = null, is_owner_told = false` : tx``}
        ${starts_anew ? tx`, run_after = case when runner is null then now() else run_after end` : tx``}
        ${replaces_secret === undefined ? tx`` : replaceSecret(tx, replaces_secret)}
      where s.realm_id = ${realm.id} and s.id = ${id}
      returning ${selectColumns(tx)}`
    if (row === undefined) throw new Error(`subscription ${id} was not there any more`)
    const after = toSubscription(row)
    return { entries: [composeEntry(before, after)], result: after }
  })
}

const replaceSecret = (db: Db, secs: number): Fragment => db`
  , secret_version = secret_version + 1, former_secret_until = now() + make_interval(secs => ${secs})`

const loadForUpdate = async (db: Db, realm_id: number, id: string): Promise<EventSubscription | undefined> => {
  const [row] = await db<StoredSubscription[]>`
    select ${selectColumns(db)} from event_subscriptions s where s.realm_id = ${realm_id} and s.id = ${id} for update`
  return row === undefined ? undefined : toSubscription(row)
}

/**
 * Deletes a subscription. A delivery that is under way is the last one. Throws what `check` throws, and
 * StaleStateError.
 */
export const deleteSubscription = (
  context: WriteContext,
  id: string,
  check: (subscription: EventSubscription | undefined) => void,
): Promise<void> => {
  const { realm } = context
  return commit(context, async (tx) => {
    const before = isUuid(id) ? await loadForUpdate(tx, realm.id, id) : undefined
    check(before)
    await tx`delete from event_subscriptions where realm_id = ${realm.id} and id = ${id}`
    return { entries: [composeEntry(before, undefined)] }
  })
}

/** The oldest position from which the log can be read again, and its end. */
export const loadReplayable = async (sql: Sql, realm_id: number): Promise<{ oldest: number; newest: number }> => {
  const [row] = await sql<{ oldest: number | null; newest: number }[]>`
    select (select seq - 1 from log where realm_id = ${realm_id} order by seq limit 1) as oldest, log_seq as newest
    from log_heads where realm_id = ${realm_id}`
  return { oldest: row?.oldest ?? row?.newest ?? 0, newest: row?.newest ?? 0 }
}

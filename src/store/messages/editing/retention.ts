/**
 * Deletes messages after their retention time: `message_retention_days` of the organization, or of a channel.
 *
 * 1. The oldest messages are deleted first, so the next batch begins where the last one ended: no index of times is
 *    needed.
 * 2. A batch is of one topic or conversation, and one change: clients receive the events of any deletion.
 * 3. Several workers may run it at once: each skips messages that are already deleted.
 */

import { DAY, secondsNow } from '#rules/time.js'
import type { RealmState } from '../../../domain/log/state.js'
import { commit } from '../../log/change.js'
import { StaleStateError } from '../../log/log.js'
import type { Realm } from '../../log/realm.js'
import { WriteContext, type WriteDependencies } from '../../log/write-context.js'
import type { Sql } from '../../sql.js'
import { prepareDeletion } from './delete-messages.js'

/** Messages per transaction. */
const BATCH = 100

/** Realms with a retention time. */
export const findRealmsWithRetention = async (sql: Sql): Promise<number[]> => {
  const rows = await sql<{ id: number }[]>`
    select r.id from realms r
    where r.is_active and (
      (r.settings->>'message_retention_days')::int > 0
      or exists (select from channels c where c.realm_id = r.id and c.message_retention_days > 0)
    )`
  return rows.map(({ id }) => id)
}

/** Deletes a batch of expired messages. Throws StaleStateError. @returns whether there may be more */
export const deleteExpiredBatch = async (
  dependencies: WriteDependencies,
  realm: Realm,
  now = secondsNow(),
): Promise<boolean> => {
  await realm.barrier()
  const context = WriteContext.open(dependencies, realm)
  const { sql } = context
  const { state } = realm
  const overdue = (await findExpiredInChannels(sql, state, now)) ?? (await findExpiredDirectMessages(sql, state, now))
  if (overdue === undefined) return false
  try {
    await commit(context, await prepareDeletion(sql, realm, overdue))
  } catch (error) {
    // The next batch selects the messages again.
    if (!(error instanceof StaleStateError)) throw error
  }
  return true
}

interface ExpiredMessages {
  channel_id: number | null
  dm_id: number | null
  user_ids: number[] | null
  message_ids: number[]
}

/** The oldest messages of one topic. Indexes: messages_channel, messages_topic. */
const findExpiredInChannels = async (
  sql: Sql,
  state: RealmState,
  now: number,
): Promise<ExpiredMessages | undefined> => {
  const realm_id = state.realm.id
  const limits = [...state.channels.values()].flatMap(({ id, message_retention_days }) => {
    const days = message_retention_days ?? state.settings.message_retention_days
    return days > 0 ? [{ id, before: now - days * DAY }] : []
  })
  if (limits.length === 0) return undefined
  const [oldest] = await sql<{ channel_id: number; before: number; topic: string }[]>`
    select l.channel_id, l.before, first.topic
    from unnest(${limits.map(({ id }) => id)}::int[], ${limits.map(({ before }) => before)}::bigint[])
      as l (channel_id, before)
    cross join lateral (
      select m.timestamp, m.topic from messages m
      where m.realm_id = ${realm_id} and m.channel_id = l.channel_id order by m.id limit 1
    ) first
    where first.timestamp < l.before
    limit 1`
  if (oldest === undefined) return undefined
  const { channel_id, before, topic } = oldest
  const rows = await sql<{ id: number; timestamp: number }[]>`
    select id, timestamp from messages
    where realm_id = ${realm_id} and channel_id = ${channel_id} and lower(topic) = lower(${topic})
    order by id limit ${BATCH}`
  const old = rows.filter(({ timestamp }) => timestamp < before)
  return { channel_id, dm_id: null, user_ids: null, message_ids: old.map(({ id }) => id) }
}

/** The oldest messages of one conversation. Index: messages_dm. */
const findExpiredDirectMessages = async (
  sql: Sql,
  state: RealmState,
  now: number,
): Promise<ExpiredMessages | undefined> => {
  const realm_id = state.realm.id
  const days = state.settings.message_retention_days
  if (days <= 0) return undefined
  const before = now - days * DAY
  const [conversation] = await sql<{ dm_id: number; user_ids: number[] }[]>`
    select c.id as dm_id, c.user_ids from dm_conversations c cross join lateral (
      select m.timestamp from messages m where m.realm_id = ${realm_id} and m.dm_id = c.id order by m.id limit 1
    ) first
    where c.realm_id = ${realm_id} and first.timestamp < ${before}
    limit 1`
  if (conversation === undefined) return undefined
  const rows = await sql<{ id: number; timestamp: number }[]>`
    select id, timestamp from messages
    where realm_id = ${realm_id} and dm_id = ${conversation.dm_id} order by id limit ${BATCH}`
  const old = rows.filter(({ timestamp }) => timestamp < before)
  return { channel_id: null, ...conversation, message_ids: old.map(({ id }) => id) }
}

/**
 * The audience of events about messages: `MSG(m)` of protocol/events.md 2.6.
 *
 * It is a channel (its subscribers), plus or minus the few users for whom membership spans and flag rows differ from
 * that.
 */

import { isGuest } from '#rules/roles.js'
import type { Audience } from '../../../domain/log/entry.js'
import type { RealmState } from '../../../domain/log/state.js'
import { Flag } from '../../../domain/messages/flags.js'
import type { Db } from '../../sql.js'
import { keptMessage, wasUserRecipient } from '../narrow/conditions.js'

/** Messages of one topic, or one direct message. */
export interface AffectedMessages {
  channel_id: number | null
  /** the participants of a direct message */
  user_ids: readonly number[] | null
  message_ids: readonly number[]
}

/** The audience of an event about the messages. @param actor the acting user, whom the audience always includes */
export const messageAudience = async (
  sql: Db,
  state: RealmState,
  affected: AffectedMessages,
  actor?: number,
): Promise<Audience> => {
  const { channel_id, user_ids } = affected
  const users = actor === undefined ? [] : [actor]
  if (channel_id === null) return { users: user_ids ?? [] }
  const channel = state.channels.get(channel_id)
  if (channel === undefined) return { users }
  if (!channel.history_public_to_subscribers) {
    const except = (await findSubscribersWithoutAny(sql, state, channel_id, affected.message_ids)).filter(
      (id) => id !== actor,
    )
    return { channel: channel_id, users, ...(except.length > 0 ? { except } : {}) }
  }
  if (channel.invite_only) return { channel: channel_id, users }
  const holders = await findHoldersOutside(sql, state.realm.id, affected.message_ids)
  const others = holders.filter((id) => {
    const user = state.users.get(id)
    return user !== undefined && !isGuest(user) && !state.isSubscribed(id, channel_id)
  })
  return { channel: channel_id, users: [...new Set([...others, ...users])] }
}

/** Users who have the same ones of some messages. */
export interface Portion {
  /** ascending */
  message_ids: number[]
  user_ids: ReadonlySet<number>
}

/**
 * Groups users by the messages that they have. With protected history, no user learns of messages that they do not
 * have.
 * Indexes: keys.
 */
export const splitByHeldMessages = async (
  db: Db,
  state: RealmState,
  { channel_id, message_ids }: Pick<AffectedMessages, 'channel_id' | 'message_ids'>,
  user_ids: ReadonlySet<number>,
): Promise<Portion[]> => {
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  if (message_ids.length === 1 || channel === undefined || channel.history_public_to_subscribers) {
    return [{ message_ids: [...message_ids], user_ids }]
  }
  const userKey = { realm_id: state.realm.id, user_id: db`u.user_id` }
  const rows = await db<{ message_ids: number[]; user_ids: number[] }[]>`
    with held as (
      select u.user_id, array_agg(m.id order by m.id) as message_ids
      from messages m cross join unnest(${[...user_ids]}::int[]) as u (user_id)
      where m.realm_id = ${state.realm.id} and m.id = any(${message_ids as number[]}::bigint[])
        and (${wasUserRecipient(db, userKey)} or exists (
          select from message_flags f
          where f.realm_id = ${state.realm.id} and f.user_id = u.user_id and f.message_id = m.id
        ))
      group by u.user_id
    )
    select message_ids, array_agg(user_id order by user_id) as user_ids from held group by message_ids`
  return rows.map(({ message_ids, user_ids }) => ({ message_ids, user_ids: new Set(user_ids) }))
}

/**
 * Users who have one of the messages without a continuous subscription since it was sent; for moved messages, all
 * users to whom they were sent (moved-flag-rows.ts).
 * Indexes: membership_spans_closed, membership_spans_open, message_flags_message.
 */
const findHoldersOutside = async (sql: Db, realm_id: number, ids: readonly number[]): Promise<number[]> => {
  const kept = keptMessage(sql, sql`s.user_id`)
  const rows = await sql<{ user_id: number }[]>`
    with affected as materialized (
      select coalesce(origin_channel_id, channel_id) as sent_to, origin_channel_id is not null as is_moved,
        kept_by, lost_by, array_agg(id) as ids, min(id) as first
      from messages where realm_id = ${realm_id} and id = any(${ids as number[]}::bigint[])
      group by 1, 2, 3, 4
    )
    select s.user_id from affected m join membership_spans s
      on s.realm_id = ${realm_id} and s.channel_id = m.sent_to and s.to_message is not null and s.to_message > m.first
    where exists (select from unnest(m.ids) as id where id >= s.from_message and id < s.to_message) and ${kept}
    union
    select s.user_id from affected m join membership_spans s
      on s.realm_id = ${realm_id} and s.channel_id = m.sent_to and s.to_message is null
    where m.is_moved and exists (select from unnest(m.ids) as id where id >= s.from_message) and ${kept}
    union
    select f.user_id from message_flags f
    where f.realm_id = ${realm_id} and f.message_id = any(${ids as number[]}::bigint[])
      and f.flags & ${Flag.historical | Flag.outside} <> 0
    order by user_id`
  return rows.map(({ user_id }) => user_id)
}

/** Subscribers who have none of the messages. Indexes: keys. */
const findSubscribersWithoutAny = async (
  sql: Db,
  state: RealmState,
  channel_id: number,
  ids: readonly number[],
): Promise<number[]> => {
  const rows = await sql<{ user_id: number }[]>`
    select user_id from unnest(${[...state.subscribers(channel_id)]}::int[]) as subscriber (user_id)
    where not exists (
      select from messages m join membership_spans s
        on s.realm_id = m.realm_id and s.channel_id = coalesce(m.origin_channel_id, m.channel_id)
          and m.id >= s.from_message and (s.to_message is null or m.id < s.to_message)
          and ${keptMessage(sql, sql`s.user_id`)}
      where m.realm_id = ${state.realm.id} and m.id = any(${ids as number[]}::bigint[])
        and s.user_id = subscriber.user_id
    ) and not exists (
      select from message_flags f
      where f.realm_id = ${state.realm.id} and f.user_id = subscriber.user_id
        and f.message_id = any(${ids as number[]}::bigint[])
    )
    order by user_id`
  return rows.map(({ user_id }) => user_id)
}

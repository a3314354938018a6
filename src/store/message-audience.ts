/**
 * Who hears of what happens to messages: `MSG(m)` of events.md 2.6.
 *
 * It is the subscribers as a symbol, and beside them (or without them) the few of whom spans of membership and rows
 * of flags say otherwise.
 */
import type { Audience } from '../domain/entry.js'
import { Flag } from '../domain/flags.js'
import { isGuest } from '../domain/permissions.js'
import type { RealmState } from '../domain/state.js'
import type { Db } from './sql.js'

/** Messages of one topic, or one direct message. */
export interface Affected {
  channel_id: number | null
  /** the participants of a direct message */
  user_ids: readonly number[] | null
  message_ids: readonly number[]
}

/** Who hears of it. @param actor who does it, and hears of it in any case */
export const audienceOf = async (sql: Db, state: RealmState, affected: Affected, actor: number): Promise<Audience> => {
  const { channel_id, user_ids } = affected
  if (channel_id === null) return { users: user_ids ?? [] }
  const channel = state.channels.get(channel_id)
  if (channel === undefined) return { users: [actor] }
  if (!channel.history_public_to_subscribers) {
    const except = (await withoutAny(sql, state, channel_id, affected.message_ids)).filter((id) => id !== actor)
    return { channel: channel_id, users: [actor], ...(except.length > 0 ? { except } : {}) }
  }
  if (channel.invite_only) return { channel: channel_id, users: [actor] }
  const gone = await holdersOutside(sql, state.realm.id, channel_id, affected.message_ids)
  const others = gone.filter((id) => {
    const user = state.users.get(id)
    return user !== undefined && !isGuest(user) && !state.isSubscribed(id, channel_id)
  })
  return { channel: channel_id, users: [...new Set([...others, actor])] }
}

/**
 * Who holds any of the messages without being subscribed now.
 * Indexes: membership_spans_closed, message_flags_message.
 */
const holdersOutside = async (
  sql: Db,
  realm_id: number,
  channel_id: number,
  ids: readonly number[],
): Promise<number[]> => {
  const rows = await sql<{ user_id: number }[]>`
    select s.user_id from membership_spans s
    where s.realm_id = ${realm_id} and s.channel_id = ${channel_id} and s.to_message > ${Math.min(...ids)}
      and exists (
        select from unnest(${ids as number[]}::bigint[]) as id where id >= s.from_message and id < s.to_message
      )
    union
    select f.user_id from message_flags f
    where f.realm_id = ${realm_id} and f.message_id = any(${ids as number[]}::bigint[])
      and f.flags & ${Flag.historical | Flag.outside} <> 0
    order by user_id`
  return rows.map(({ user_id }) => user_id)
}

/** Subscribers who hold none of the messages. Indexes: keys. */
const withoutAny = async (
  sql: Db,
  state: RealmState,
  channel_id: number,
  ids: readonly number[],
): Promise<number[]> => {
  const rows = await sql<{ user_id: number }[]>`
    select user_id from unnest(${[...state.subscribers(channel_id)]}::int[]) as subscriber (user_id)
    where not exists (
      select from membership_spans s, unnest(${ids as number[]}::bigint[]) as id
      where s.realm_id = ${state.realm.id} and s.user_id = subscriber.user_id and s.channel_id = ${channel_id}
        and id >= s.from_message and (s.to_message is null or id < s.to_message)
    ) and not exists (
      select from message_flags f
      where f.realm_id = ${state.realm.id} and f.user_id = subscriber.user_id
        and f.message_id = any(${ids as number[]}::bigint[])
    )
    order by user_id`
  return rows.map(({ user_id }) => user_id)
}

/**
 * Flag rows of messages that were moved to another channel: which users have the messages, and have them as unread.
 *
 * There is no row per recipient, and a move must not create one for each. So a moved message stores its origin:
 *
 * 1. The membership spans of the origin, the channel to which it was sent, determine its recipients, without the users
 *    who lost it by a move (lost-access.ts). In a channel with protected history only flag rows do: the origin is 0,
 *    and every present subscriber has a flag row.
 * 2. The message is unread for a user who received it, is subscribed to its present channel, and whose read pointers in
 *    that channel and in the origin have not passed it. If this rule would change whether the message is unread for a
 *    user, the move writes a flag row for this user (domain/messages/flags.ts, 1). Only users who have read one of the
 *    two channels further than the other need such a row. keep-unread.ts writes one if the pointer of the origin passes
 *    the message later.
 * 3. A user who loses access has no flag rows of it any more.
 *
 * The conditions that follow from this are in narrow/conditions.ts. Source: protocol/messages.md 4.4.
 */

import { hasContentAccess } from '#rules/channel-access.js'
import type { ChannelRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { everySubscriber, Flag } from '../../../domain/messages/flags.js'
import type { Transaction } from '../../sql.js'
import { markAllLeftAsRead, type UnreadByUsers } from '../flags/left-channels.js'
import { isReadByMove, keptMessage, wasReadWhenSent, wasUserRecipient } from '../narrow/conditions.js'

/** The origin of messages whose recipients only flag rows determine (1). */
export const NO_ORIGIN = 0

/** A move of messages to another channel. */
export interface ChannelMove {
  ids: readonly number[]
  from: ChannelRow
  to: ChannelRow
}

/** Whether the account has the messages after the move. It assumes that the account had them before. */
export const keepsAccess = (state: RealmState, user_id: number, to: ChannelRow): boolean => {
  const user = state.users.get(user_id)
  if (user === undefined) return false
  return to.history_public_to_subscribers ? hasContentAccess(state, user, to) : state.isSubscribed(user_id, to.id)
}

/**
 * Updates the flag rows for the new channel (2, 3). It runs before the messages themselves are moved.
 * @returns what became read because its user left the old channel, or is not subscribed to the new one
 */
export const moveFlagRows = async (tx: Transaction, state: RealmState, move: ChannelMove): Promise<UnreadByUsers[]> => {
  const { from, to } = move
  const left = await markAllLeftAsRead(tx, state.realm.id, from.id)
  const unread = await loadUnreadBeforeMove(tx, state, move)
  if (to.history_public_to_subscribers) {
    await keepUnreadRows(tx, state.realm.id, move, unread)
    await keepReadRows(tx, state, move)
  } else {
    await addSubscriberRows(tx, state, move, unread)
  }
  await deleteLostRows(tx, state, move)
  const outside = unread
    .filter(({ standing }) => standing === 'outside')
    .map(({ user_ids, message_ids }) => ({
      user_ids: user_ids.filter((user_id) => keepsAccess(state, user_id, to)),
      message_ids,
    }))
    .filter(({ user_ids }) => user_ids.length > 0)
  return [...left, ...outside]
}

/**
 * Messages that these users had unread before the move. `standing`: the user is not subscribed to the new channel, or
 * the user's read pointer in the new channel has passed the messages, or has not.
 */
interface UnreadBeforeMove extends UnreadByUsers {
  standing: 'outside' | 'passed' | 'ahead'
}

/**
 * Loads them without the messages that are unread by the pointers of both channels.
 * Indexes: keys, message_flags_message.
 */
const loadUnreadBeforeMove = async (
  tx: Transaction,
  state: RealmState,
  { ids, from, to }: ChannelMove,
): Promise<UnreadBeforeMove[]> => {
  const realm_id = state.realm.id
  return tx<UnreadBeforeMove[]>`
    with pairs as (
      select u.user_id, m.id
      from unnest(${[...state.subscribers(from.id)]}::int[]) as u (user_id)
        join channel_reads r on r.realm_id = ${realm_id} and r.user_id = u.user_id and r.channel_id = ${from.id}
        join messages m on m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])
          and m.id > r.read_up_to and not ${wasReadWhenSent(tx, tx`u.user_id`)}
      where not ${isReadByMove(tx, { realm_id, user_id: tx`u.user_id` })} and not exists (
        select from message_flags f
        where f.realm_id = ${realm_id} and f.user_id = u.user_id and f.message_id = m.id
          and f.flags & ${Flag.read | Flag.unread} <> 0
      )
      union
      select f.user_id, f.message_id from message_flags f
      where f.realm_id = ${realm_id} and f.message_id = any(${ids as number[]}::bigint[])
        and f.flags & ${Flag.unread} <> 0
    ), standings as (
      select p.user_id, p.id,
        case when not coalesce(s.active, false) then 'outside' when r.read_up_to >= p.id then 'passed' else 'ahead' end
          as standing
      from pairs p
        left join subscriptions s on s.realm_id = ${realm_id} and s.user_id = p.user_id and s.channel_id = ${to.id}
        left join channel_reads r on r.realm_id = ${realm_id} and r.user_id = p.user_id and r.channel_id = ${to.id}
    ), lists as (
      select user_id, standing, array_agg(id order by id) as message_ids from standings
      where standing <> 'ahead' or ${!to.history_public_to_subscribers}
      group by user_id, standing
    )
    select standing, array_agg(user_id order by user_id) as user_ids, message_ids from lists
    group by standing, message_ids`
}

/** Pairs of users and messages, as two arrays of equal length. */
const toUserMessagePairs = (unread: readonly UnreadBeforeMove[], ...standings: UnreadBeforeMove['standing'][]) => {
  const selected = unread.filter(({ standing }) => standings.includes(standing))
  const pairs = selected.flatMap(({ user_ids, message_ids }) =>
    user_ids.flatMap((user_id) => message_ids.map((id) => ({ user_id, id }))),
  )
  return { users: pairs.map(({ user_id }) => user_id), ids: pairs.map(({ id }) => id) }
}

/** Keeps messages unread that the pointer of the new channel has passed; marks those of users outside of it as read. */
const keepUnreadRows = async (
  tx: Transaction,
  realm_id: number,
  { ids, to }: ChannelMove,
  unread: readonly UnreadBeforeMove[],
): Promise<void> => {
  const passed = toUserMessagePairs(unread, 'passed')
  await tx`
    insert into message_flags (realm_id, user_id, message_id, flags)
    select ${realm_id}, user_id, id, ${Flag.unread}
    from unnest(${passed.users}::int[], ${passed.ids}::bigint[]) as p (user_id, id)
    on conflict (realm_id, user_id, message_id)
      do update set flags = message_flags.flags & ~${Flag.read}::int | ${Flag.unread}::int`
  await tx`
    update message_flags f set flags = f.flags & ~${Flag.unread}::int
    where f.realm_id = ${realm_id} and f.message_id = any(${ids as number[]}::bigint[]) and f.flags & ${Flag.unread} <> 0
      and not exists (
        select from subscriptions s
        where s.realm_id = ${realm_id} and s.user_id = f.user_id and s.channel_id = ${to.id} and s.active
      )`
}

/**
 * Writes `read` rows for messages that were read before the move, and that the pointer of the
 * new channel has not passed. Only messages that were moved earlier need them: for others the
 * pointer of the origin says that they are read.
 *
 * The conditions are those of narrow/conditions.ts for many users at once. They are written as joins, because half a
 * million subqueries took minutes.
 */
const keepReadRows = async (tx: Transaction, state: RealmState, { ids, from, to }: ChannelMove): Promise<void> => {
  const realm_id = state.realm.id
  await tx`
    with moved_before as materialized (
      select id, origin_channel_id, kept_by, lost_by from messages
      where realm_id = ${realm_id} and id = any(${ids as number[]}::bigint[]) and origin_channel_id is not null
    ), reader as materialized (
      select u.user_id, target.read_up_to as passed_here,
        case when u.user_id = any(${[...state.subscribers(from.id)]}::int[]) then coalesce(source.read_up_to, 0) end
          as passed_before
      from unnest(${[...state.subscribers(to.id)]}::int[]) as u (user_id)
        join channel_reads target
          on target.realm_id = ${realm_id} and target.user_id = u.user_id and target.channel_id = ${to.id}
        left join channel_reads source
          on source.realm_id = ${realm_id} and source.user_id = u.user_id and source.channel_id = ${from.id}
    )
    insert into message_flags (realm_id, user_id, message_id, flags)
    select distinct ${realm_id}::int, reader.user_id, m.id, ${Flag.read}::int
    from moved_before m
      join membership_spans span on span.realm_id = ${realm_id} and span.channel_id = m.origin_channel_id
        and span.from_message <= m.id and (span.to_message is null or span.to_message > m.id)
        and ${keptMessage(tx, tx`span.user_id`)}
      join reader on reader.user_id = span.user_id and reader.passed_here < m.id
        and (reader.passed_before is null or reader.passed_before >= m.id)
      left join channel_reads origin
        on origin.realm_id = ${realm_id} and origin.user_id = span.user_id and origin.channel_id = m.origin_channel_id
      left join message_flags f on f.realm_id = ${realm_id} and f.user_id = span.user_id and f.message_id = m.id
    where coalesce(origin.read_up_to, 0) < m.id and coalesce(f.flags & ${Flag.unread}, 0) = 0
    on conflict (realm_id, user_id, message_id) do update set flags = message_flags.flags | ${Flag.read}::int`
}

/** Writes a row for every subscriber of a channel with protected history (1), with the user's flags from before. */
const addSubscriberRows = async (
  tx: Transaction,
  state: RealmState,
  { ids, to }: ChannelMove,
  unread: readonly UnreadBeforeMove[],
): Promise<void> => {
  const realm_id = state.realm.id
  const unreadPairs = toUserMessagePairs(unread, 'passed', 'ahead')
  await tx`
    insert into message_flags (realm_id, user_id, message_id, flags)
    select ${realm_id}, u.user_id, m.id, ${Flag.outside}::int
      | case when ${wasUserRecipient(tx, { realm_id, user_id: tx`u.user_id` })} then coalesce(e.flags, 0) else 0 end
      | case when p.id is null then ${Flag.read}::int else ${Flag.unread}::int end
    from messages m
      cross join unnest(${[...state.subscribers(to.id)]}::int[]) as u (user_id)
      left join message_flags e on e.realm_id = ${realm_id} and e.user_id = ${everySubscriber} and e.message_id = m.id
      left join unnest(${unreadPairs.users}::int[], ${unreadPairs.ids}::bigint[]) as p (user_id, id)
        on p.user_id = u.user_id and p.id = m.id
    where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])
    on conflict (realm_id, user_id, message_id) do update
      set flags = message_flags.flags & ~${Flag.read | Flag.unread}::int | excluded.flags`
}

/** Deletes the rows of users who lose access to the messages, and rows without flags. Index: message_flags_message. */
const deleteLostRows = async (tx: Transaction, state: RealmState, { ids, to }: ChannelMove): Promise<void> => {
  const realm_id = state.realm.id
  const holders = await tx<{ user_id: number }[]>`
    select distinct user_id from message_flags
    where realm_id = ${realm_id} and message_id = any(${ids as number[]}::bigint[]) and user_id <> ${everySubscriber}`
  const usersLosingAccess = holders.map(({ user_id }) => user_id).filter((user_id) => !keepsAccess(state, user_id, to))
  await tx`
    delete from message_flags
    where realm_id = ${realm_id} and message_id = any(${ids as number[]}::bigint[])
      and (user_id = any(${usersLosingAccess}::int[]) or flags = 0)`
}

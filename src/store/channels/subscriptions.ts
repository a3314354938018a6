/**
 * Subscribing and unsubscribing: the writes beside the rows that every replica holds in memory.
 *
 * 1. A membership span begins with the first message after the user subscribes, and ends with the last one before the
 *    user unsubscribes: the spans of a user contain exactly the messages that the user received in a channel.
 * 2. A new subscriber has read all earlier messages: the read pointer starts at the last message.
 * 3. A job marks as read what was unread when a user unsubscribed: it may be many messages (left-channels.ts).
 * 4. That job and the user's own requests write read pointers and closed spans, and lock the head last. So subscribing
 *    also locks these rows before the head: otherwise both transactions would wait for each other, and all senders
 *    would wait behind them.
 */
import {
  findMembershipChanges,
  type JoinOptions,
  joinChannels,
  leaveChannels,
  type MembershipChanges,
} from '../../domain/channels/membership.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import type { JobSpec } from '../jobs/job-table.js'
import { type Change, entriesChange } from '../log/change.js'
import type { Head } from '../log/log.js'
import { keepUnreadInOtherChannels } from '../messages/flags/keep-unread.js'
import type { Transaction } from '../sql.js'

/** The change that subscribes these users to these channels. Users who are subscribed already stay as they are. */
export const subscribeChanges = (
  state: RealmState,
  users: readonly UserRow[],
  channels: readonly ChannelRow[],
  options: JoinOptions = {},
): Change => joinChanges(state, findMembershipChanges(state, channels, users, false), options)

/** The change that adds subscribers to channels. */
export const joinChanges = (state: RealmState, moves: MembershipChanges, options: JoinOptions = {}): Change => {
  if (moves.length === 0) return entriesChange([])
  const pairs = toPairs(moves)
  const realm_id = state.realm.id
  const entries = joinChannels(state, moves, options)
  return async (tx) => {
    // New accounts have no rows that another transaction could hold.
    if (options.newcomers !== true) await lockReadingState(tx, realm_id, pairs)
    return {
      entries,
      // After the head: spans and pointers begin at its message counter (1, 2).
      underHeadLock: (head) => [
        openSpans(tx, realm_id, pairs, head),
        keepUnreadInOtherChannels(tx, realm_id, selectMovedPointers(tx, realm_id, pairs, head)),
        setReadPointers(tx, realm_id, pairs, head),
      ],
    }
  }
}

/** The change that removes subscribers from channels. */
export const leaveChanges = (state: RealmState, moves: MembershipChanges): Change => {
  if (moves.length === 0) return entriesChange([])
  const pairs = toPairs(moves)
  const entries = leaveChannels(state, moves)
  const jobs = composeReadJobs(moves)
  // After the head: spans end at its message counter (1).
  return async (tx) => ({ entries, jobs, underHeadLock: (head) => [closeSpans(tx, state.realm.id, pairs, head)] })
}

/** Users and channels as two columns of equal length. */
interface Pairs {
  users: number[]
  channels: number[]
}

const toPairs = (moves: MembershipChanges): Pairs => ({
  users: moves.flatMap(({ users }) => users.map(({ id }) => id)),
  channels: moves.flatMap(({ channel, users }) => users.map(() => channel.id)),
})

/** Locks the rows that the statements after the head may update (4). Indexes: messages_origin, then keys. */
const lockReadingState = async (tx: Transaction, realm_id: number, { users, channels }: Pairs): Promise<void> => {
  await tx`
    with joining as (
      select user_id, channel_id from unnest(${users}::int[], ${channels}::int[]) as pair (user_id, channel_id)
    ), moved as (
      select distinct origin_channel_id, channel_id from messages
      where realm_id = ${realm_id} and origin_channel_id is not null and origin_channel_id = any(${channels}::int[])
    ), held as (
      select user_id, channel_id from joining
      union
      select j.user_id, m.channel_id from joining j join moved m on m.origin_channel_id = j.channel_id
    )
    select from channel_reads r join held using (user_id, channel_id)
    where r.realm_id = ${realm_id} order by user_id, channel_id for update of r`
  await tx`
    select from membership_spans s
      join unnest(${users}::int[], ${channels}::int[]) as pair (user_id, channel_id) using (user_id, channel_id)
    where s.realm_id = ${realm_id} and s.read_up_to is not null order by user_id, channel_id for update of s`
}

// A user who unsubscribes and subscribes again between two messages reopens the same span.
const openSpans = (tx: Transaction, realm_id: number, { users, channels }: Pairs, { last_message_id }: Head) => tx`
  insert into membership_spans (realm_id, user_id, channel_id, from_message)
  select ${realm_id}, user_id, channel_id, ${last_message_id + 1}
  from unnest(${users}::int[], ${channels}::int[]) as pair (user_id, channel_id)
  on conflict (realm_id, user_id, channel_id, from_message) do update set to_message = null, read_up_to = null`

// `= true` keeps the planner from the index of open spans, with which it would read all subscribers of the channel.
const closeSpans = (tx: Transaction, realm_id: number, { users, channels }: Pairs, { last_message_id }: Head) => tx`
  update membership_spans s set to_message = ${last_message_id + 1}, read_up_to = coalesce(
    (select r.read_up_to from channel_reads r
    where r.realm_id = ${realm_id} and r.user_id = s.user_id and r.channel_id = s.channel_id), 0)
  from unnest(${users}::int[], ${channels}::int[]) as pair (user_id, channel_id)
  where s.realm_id = ${realm_id} and s.user_id = pair.user_id and s.channel_id = pair.channel_id
    and (s.to_message is null) = true`

const setReadPointers = (
  tx: Transaction,
  realm_id: number,
  { users, channels }: Pairs,
  { last_message_id }: Head,
) => tx`
  insert into channel_reads (realm_id, user_id, channel_id, read_up_to)
  select ${realm_id}, user_id, channel_id, ${last_message_id}
  from unnest(${users}::int[], ${channels}::int[]) as pair (user_id, channel_id)
  on conflict (realm_id, user_id, channel_id) do update set read_up_to = excluded.read_up_to`

/** The existing read pointers that `setReadPointers` moves. */
const selectMovedPointers = (
  tx: Transaction,
  realm_id: number,
  { users, channels }: Pairs,
  { last_message_id }: Head,
) => tx`
  select user_id, channel_id, r.read_up_to as before, ${last_message_id}::bigint as after
  from unnest(${users}::int[], ${channels}::int[]) as pair (user_id, channel_id)
    join channel_reads r using (user_id, channel_id)
  where r.realm_id = ${realm_id}`

/** Users per job: bounds the work of one transaction. */
const USERS_PER_JOB = 200

const composeReadJobs = (moves: MembershipChanges): JobSpec[] =>
  moves.flatMap(({ channel, users }) => {
    const jobs: JobSpec[] = []
    for (let i = 0; i < users.length; i += USERS_PER_JOB) {
      const user_ids = users.slice(i, i + USERS_PER_JOB).map(({ id }) => id)
      jobs.push({ kind: 'read_left_channel', payload: { channel_id: channel.id, user_ids } })
    }
    return jobs
  })

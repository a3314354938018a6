/**
 * Keeps moved messages unread when the pointer of the channel to which they were sent passes them.
 *
 * Up to that pointer they count as read in every channel (moved-flag-rows.ts, 2). But the pointer follows what the user
 * reads in the old channel. So each change of a pointer writes a flag row for moved messages that are still unread.
 */
import { Flag } from '../../../domain/messages/flags.js'
import type { Fragment, Transaction } from '../../sql.js'
import { wasReadWhenSent, wasUserRecipient } from '../narrow/conditions.js'

/**
 * Writes `unread` rows for messages that these pointers pass. These are messages that are unread in another channel.
 * Index: messages_origin.
 *
 * A job may move pointers while its users read: their other pointers are read under a lock, and a row that already says
 * `read` stays.
 *
 * The moved messages are found first, channel by channel (`materialized`, `offset 0`). Otherwise the planner, whose
 * statistics are older than the subscriptions of a large request, can join the subscriptions of all users with each
 * other.
 * @param passing rows of (user_id, channel_id, before, after): the pointer moves from `before` to `after`
 */
export const keepUnreadInOtherChannels = (tx: Transaction, realm_id: number, passing: Fragment): Promise<unknown> => {
  const whose = { realm_id, user_id: tx`m.reader_id` }
  return tx`
    with moved as materialized (
      select p.user_id as reader_id, m.*
      from (${passing}) p, lateral (
        select * from messages
        where realm_id = ${realm_id} and origin_channel_id = p.channel_id and channel_id <> p.channel_id
          and id > p.before and id <= p.after
        offset 0
      ) m
    ),
    unread as (
      select m.reader_id as user_id, m.id
      from moved m
        join subscriptions s
          on s.realm_id = ${realm_id} and s.user_id = m.reader_id and s.channel_id = m.channel_id and s.active
        join channel_reads r
          on r.realm_id = ${realm_id} and r.user_id = m.reader_id and r.channel_id = m.channel_id and r.read_up_to < m.id
        left join message_flags f on f.realm_id = ${realm_id} and f.user_id = m.reader_id and f.message_id = m.id
      where ${wasUserRecipient(tx, whose)} and not ${wasReadWhenSent(tx, whose.user_id)}
        and coalesce(f.flags, 0) & ${Flag.read | Flag.unread}::int = 0
      for share of r
    )
    insert into message_flags (realm_id, user_id, message_id, flags)
    select distinct ${realm_id}::int, user_id, id, ${Flag.unread}::int from unread
    on conflict (realm_id, user_id, message_id) do update set flags = message_flags.flags | excluded.flags
      where message_flags.flags & ${Flag.read}::int = 0`
}

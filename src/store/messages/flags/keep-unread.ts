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
 * Writes `unread` rows for messages that these pointers pass and that are unread in another channel. Index:
 * messages_origin.
 *
 * A job may move pointers while its users read: their other pointers are read under a lock, and a row that already says
 * `read` stays.
 * @param passing rows of (user_id, channel_id, before, after): the pointer moves from `before` to `after`
 */
export const keepUnreadInOtherChannels = (tx: Transaction, realm_id: number, passing: Fragment): Promise<unknown> => {
  const whose = { realm_id, user_id: tx`p.user_id` }
  return tx`
    with unread as (
      select p.user_id, m.id
      from (${passing}) p
        join messages m on m.realm_id = ${realm_id} and m.origin_channel_id = p.channel_id
          and m.channel_id <> p.channel_id and m.id > p.before and m.id <= p.after
        join subscriptions s
          on s.realm_id = ${realm_id} and s.user_id = p.user_id and s.channel_id = m.channel_id and s.active
        join channel_reads r
          on r.realm_id = ${realm_id} and r.user_id = p.user_id and r.channel_id = m.channel_id and r.read_up_to < m.id
        left join message_flags f on f.realm_id = ${realm_id} and f.user_id = p.user_id and f.message_id = m.id
      where ${wasUserRecipient(tx, whose)} and not ${wasReadWhenSent(tx, whose.user_id)}
        and coalesce(f.flags, 0) & ${Flag.read | Flag.unread}::int = 0
      for share of r
    )
    insert into message_flags (realm_id, user_id, message_id, flags)
    select distinct ${realm_id}::int, user_id, id, ${Flag.unread}::int from unread
    on conflict (realm_id, user_id, message_id) do update set flags = message_flags.flags | excluded.flags
      where message_flags.flags & ${Flag.read}::int = 0`
}

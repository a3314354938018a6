/**
 * Who lost messages by a move to another channel.
 *
 * A user without access to the new channel loses the messages: if the user gets access to that channel later, the user
 * counts as not having received them. Membership spans do not show this, because they belong to the channel to which
 * the messages were sent. So the messages store it:
 *
 * 1. Few users can read a private channel: `kept_by` lists the recipients who kept the messages.
 * 2. Only guests may be unable to read a public channel: `lost_by` lists the guests who lost the messages.
 * 3. In a channel with protected history, flag rows determine the recipients (moved-flag-rows.ts, 1). Both are null.
 *
 * The condition that follows from this is `keptMessage` in narrow/conditions.ts. Source: protocol/messages.md 4.4.
 */

import type { ChannelRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import type { Fragment, Transaction } from '../../sql.js'
import { type ChannelMove, keepsAccess } from './moved-flag-rows.js'

/** The recipients of the messages whom `composeLostAccess` needs, ascending. Call it before the messages are moved. */
export const findListedRecipients = async (
  tx: Transaction,
  state: RealmState,
  { ids, to }: ChannelMove,
): Promise<number[]> => {
  if (!to.history_public_to_subscribers) return []
  const listed = [...state.users.keys()].filter((user_id) => keepsAccess(state, user_id, to) === to.invite_only)
  return listed.length === 0 ? [] : loadRecipients(tx, state.realm.id, ids, listed)
}

/** Composes the assignments of `kept_by` and `lost_by`. They belong to the statement that moves the messages. */
export const composeLostAccess = (tx: Transaction, to: ChannelRow, recipients: readonly number[]): Fragment => {
  if (!to.history_public_to_subscribers) return tx`kept_by = null, lost_by = null`
  const listed = tx`${recipients as number[]}::int[]`
  if (to.invite_only) {
    return tx`kept_by = case
      when kept_by is null then ${listed}
      else array(select unnest(kept_by) intersect select unnest(${listed}) order by 1)
    end`
  }
  if (recipients.length === 0) return tx`lost_by = lost_by`
  return tx`lost_by = array(select unnest(lost_by) union select unnest(${listed}) order by 1)`
}

/** Those of the users to whom some of the messages were sent, ascending. Indexes: keys. */
const loadRecipients = async (
  tx: Transaction,
  realm_id: number,
  ids: readonly number[],
  user_ids: readonly number[],
): Promise<number[]> => {
  const rows = await tx<{ user_id: number }[]>`
    with place as materialized (
      select coalesce(origin_channel_id, channel_id) as channel_id, min(id) as first, max(id) as last
      from messages where realm_id = ${realm_id} and id = any(${ids as number[]}::bigint[]) group by 1
    )
    select distinct s.user_id
    from unnest(${user_ids as number[]}::int[]) as u (user_id) cross join place
      join membership_spans s on s.realm_id = ${realm_id} and s.user_id = u.user_id
        and s.channel_id = place.channel_id and s.from_message <= place.last
        and (s.to_message is null or s.to_message > place.first)
    order by s.user_id`
  return rows.map(({ user_id }) => user_id)
}

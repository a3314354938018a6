/**
 * Following topics by taking part in them, as each person has set it up.
 *
 * A policy is only ever raised by this: from muted or nothing to unmuted, and from there to followed. By being
 * mentioned nobody's muted topic is raised: somebody else did that.
 * Source: messages.md 3.6 (auto policy); events.md 3.2, `user_topic`; endpoints.md 1.4.
 */

import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { settingOf } from '../../settings/user-settings.js'
import { Policy } from '../user-topic-entries.js'

/** What somebody does in a topic; who starts it sends to it too. */
export type Part = 'takes part' | 'sends' | 'starts'

/** Values of the two settings: which parts are enough. */
const enough: { readonly [value: number]: readonly Part[] } = {
  1: ['takes part', 'sends', 'starts'],
  2: ['sends', 'starts'],
  3: ['starts'],
}

/** The policy that somebody wants of a topic for a part in it; undefined: it changes nothing. */
export const policyFor = (state: RealmState, user: UserRow, channel_id: number, part: Part): number | undefined => {
  if (user.is_bot) return undefined
  const suffices = (
    name: 'automatically_follow_topics_policy' | 'automatically_unmute_topics_in_muted_streams_policy',
  ) => enough[settingOf(user, name)]?.includes(part) === true
  if (suffices('automatically_follow_topics_policy')) return Policy.followed
  const isMuted = state.subscriptionsOf(user.id).get(channel_id)?.is_muted === true
  return isMuted && suffices('automatically_unmute_topics_in_muted_streams_policy') ? Policy.unmuted : undefined
}

/** Those of the people mentioned who want to follow topics in which they are. */
export const followersAmong = (
  state: RealmState,
  sender: UserRow,
  channel_id: number,
  mentioned: Iterable<number>,
): number[] => {
  const found: number[] = []
  for (const id of mentioned) {
    const user = state.users.get(id)
    if (user === undefined || id === sender.id || user.is_bot || !user.is_active) continue
    if (!state.isSubscribed(id, channel_id)) continue
    if (settingOf(user, 'automatically_follow_topics_where_mentioned')) found.push(id)
  }
  return found
}

/**
 * Following topics automatically by participating in them, according to the user's settings.
 *
 * This only raises a policy: from muted or none to unmuted, and from there to followed. A mention does not raise the
 * policy of a muted topic, because it is another user's action.
 * Source: protocol/messages.md 3.6 (auto policy); protocol/events.md 3.2, `user_topic`; protocol/endpoints.md 1.4.
 */

import { TopicPolicy } from '#rules/topic-policies.js'
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { getSetting } from '../../settings/user-settings.js'

/** How a user participates in a topic; starting it includes sending to it. */
export type Participation = 'takes part' | 'sends' | 'starts'

/** The values of the two settings: the kinds of participation that suffice. */
const sufficientParticipation: { readonly [value: number]: readonly Participation[] } = {
  1: ['takes part', 'sends', 'starts'],
  2: ['sends', 'starts'],
  3: ['starts'],
}

/** The policy that a user's participation sets; undefined when it sets none. */
export const automaticPolicy = (
  state: RealmState,
  user: UserRow,
  channel_id: number,
  part: Participation,
): number | undefined => {
  if (user.is_bot) return undefined
  const isSufficient = (
    name: 'automatically_follow_topics_policy' | 'automatically_unmute_topics_in_muted_streams_policy',
  ) => sufficientParticipation[getSetting(user, name)]?.includes(part) === true
  if (isSufficient('automatically_follow_topics_policy')) return TopicPolicy.followed
  const isMuted = state.userSubscriptions(user.id).get(channel_id)?.is_muted === true
  return isMuted && isSufficient('automatically_unmute_topics_in_muted_streams_policy')
    ? TopicPolicy.unmuted
    : undefined
}

/** Finds mentioned subscribers who automatically follow topics that mention them. */
export const findAutomaticFollowers = (
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
    if (getSetting(user, 'automatically_follow_topics_where_mentioned')) found.push(id)
  }
  return found
}

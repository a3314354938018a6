/** The channels in whose topics a user may set a visibility policy. Source: protocol/endpoints.md 1.7. */
import { hasContentAccess, hasMetadataAccess } from '#rules/channel-access.js'
import { TopicPolicy } from '#rules/topic-policies.js'
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'

/**
 * The channel with this id, if the user may set this policy for its topics. Former subscribers may remove their
 * policies; others must not learn that a hidden channel exists. Throws BAD_REQUEST.
 */
export const requirePolicyChannel = (
  state: RealmState,
  user: UserRow,
  channel_id: number,
  visibility_policy: number,
): ChannelRow => {
  const channel = state.channels.get(channel_id)
  const mayChange = (known: ChannelRow) =>
    visibility_policy === TopicPolicy.inherit
      ? hasMetadataAccess(state, user, known) || state.userSubscriptions(user.id).has(known.id)
      : hasContentAccess(state, user, known)
  if (channel === undefined || !mayChange(channel)) throw errors.invalidChannelId()
  return channel
}

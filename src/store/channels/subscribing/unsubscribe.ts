/**
 * Unsubscribes users from channels by name. A large request is several changes (log/change-plan.ts).
 *
 * Source: the API document, endpoint 2; protocol/endpoints.md 1.2; protocol/permissions.md 6.2 and 7.2.
 */
import { mayRemoveSubscribers } from '#rules/channel-access.js'
import {
  checkSubscriptionCount,
  findMembershipChanges,
  findUnchangedMemberships,
  type MembershipChanges,
} from '../../../domain/channels/membership.js'
import { validateChannelName } from '../../../domain/channels/new-channels.js'
import { limits } from '../../../domain/limits/limits.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { findVisibleChannelByName } from '../../../domain/permissions/channel-access.js'
import { errors } from '../../../domain/protocol/errors.js'
import { isSelfOrOwnBot, type Principals, resolvePrincipals } from '../../../domain/users/resolve-principals.js'
import { type ChangeBatch, divide, type Plan } from '../../log/change-plan.js'
import { leaveChanges } from '../subscriptions.js'

/** What a request to unsubscribe did: the name of the channel for each pair of a channel and a user. */
export interface UnsubscribeResult {
  removed: string[]
  not_removed: string[]
}

/**
 * Checks a request to unsubscribe, and divides it. Throws the refusals of protocol/permissions.md 7.2, in that order.
 */
export const planUnsubscribe = (
  state: RealmState,
  user: UserRow,
  subscriptions: readonly string[],
  principals: Principals | undefined,
): Plan<UnsubscribeResult> => {
  const users = principals === undefined ? [user] : resolvePrincipals(state, user, principals)
  const names = subscriptions.map(validateChannelName)
  // Every check treats a channel that the caller may not see as unknown.
  const found = names.map((name) => findVisibleChannelByName(state, user, name))
  const channels = [...new Set(found)].filter((channel) => channel !== undefined)
  const areOwn = users.every((each) => isSelfOrOwnBot(user, each))
  if (!areOwn && !mayRemoveSubscribers(state, user, channels)) throw errors.insufficientPermission()
  const unknown = names.find((_, i) => found[i] === undefined)
  if (unknown !== undefined) throw errors.channelDoesNotExist({ stream: unknown })
  checkSubscriptionCount(users.length * channels.length)

  // The caller comes last: who left a private channel may not see it any more.
  const user_ids = [...users.filter(({ id }) => id !== user.id), ...users.filter(({ id }) => id === user.id)].map(
    ({ id }) => id,
  )
  const result: UnsubscribeResult = { removed: [], not_removed: [] }
  const pieces = divide(channels, limits.max_subscriptions_per_change, () => users.length).flatMap((some) =>
    divide(user_ids, limits.max_subscriptions_per_change, () => 1).map((ids) => ({
      channel_ids: some.map(({ id }) => id),
      user_ids: ids,
    })),
  )
  const part =
    (piece: { channel_ids: readonly number[]; user_ids: readonly number[] }): ChangeBatch =>
    (now, caller) => {
      const theirs = piece.channel_ids.flatMap((id) => now.channels.get(id) ?? [])
      if (!areOwn && !mayRemoveSubscribers(now, caller, theirs)) throw errors.insufficientPermission()
      const leaving = piece.user_ids.flatMap((id) => now.users.get(id) ?? [])
      const removed = findMembershipChanges(now, theirs, leaving, true)
      return {
        change: leaveChanges(now, removed),
        note() {
          result.removed.push(...listNames(removed))
          result.not_removed.push(...listNames(findUnchangedMemberships(theirs, leaving, removed)))
        },
      }
    }
  const parts = pieces.map(part)
  return { parts: parts.length > 0 ? parts : [part({ channel_ids: [], user_ids: [] })], answer: () => result }
}

/** The name of each pair's channel, once per user. */
const listNames = (moves: MembershipChanges): string[] =>
  moves.flatMap(({ channel, users }) => users.map(() => channel.name))

/**
 * Unsubscribes users from channels, and lists the caller's own subscriptions.
 *
 * Source: the API document, endpoint 2; endpoints.md 1.2 and 3.5; permissions.md 6.2 and 7.2.
 */
import { z } from 'zod'
import {
  compareByName,
  subscriberIds,
  subscriptionObject,
  subscriptionOnWire,
} from '../../../domain/channels/channels.js'
import {
  checkSubscriptionCount,
  findMembershipChanges,
  findUnchangedMemberships,
  type MembershipChanges,
} from '../../../domain/channels/membership.js'
import { validateChannelName } from '../../../domain/channels/new-channels.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import {
  findVisibleChannel,
  findVisibleChannelByName,
  mayRemoveSubscribers,
} from '../../../domain/permissions/channel-access.js'
import { isGuest } from '../../../domain/permissions/permissions.js'
import { errors } from '../../../domain/protocol/errors.js'
import { isSelfOrOwnBot, type Principals, resolvePrincipals } from '../../../domain/users/resolve-principals.js'
import { leaveChanges } from '../../../store/channels/subscriptions.js'
import { type Change, combineChanges, commit } from '../../../store/log/change.js'
import { endpoint } from '../../http/endpoint.js'
import { bool, idInPath, json } from '../../http/params.js'
import { withStructureLock } from '../../http/structure-lock.js'
import { principals, requestedChannels } from './channel-params.js'
import { composeSubscribe, subscribeAnswer, subscribeErrors, subscribeParams } from './subscribe.js'

const unsubscribeAnswer = z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) })

export const unsubscribe = endpoint({
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribes users from channels by name.',
  access: 'account',
  params: { subscriptions: json(z.array(z.string())), principals: principals() },
  response: unsubscribeAnswer,
  errors: [errors.channelDoesNotExist],
  handle: (call) =>
    withStructureLock(call, async (write) => {
      const { params, state } = call
      const { change, answer } = composeUnsubscribe(state, call.caller.user, params.subscriptions, params.principals)
      await commit(write, change)
      return answer
    }),
})

export const updateSubscriptions = endpoint({
  method: 'PATCH',
  path: '/users/me/subscriptions',
  summary: 'Subscribes users to channels and unsubscribes them from others, in one change.',
  access: 'account',
  params: {
    add: requestedChannels().optional(),
    delete: json(z.array(z.string())).optional(),
    ...subscribeParams,
  },
  response: z.object({ ...subscribeAnswer.partial().shape, ...unsubscribeAnswer.partial().shape }),
  errors: [...subscribeErrors, errors.channelDoesNotExist],
  handle: (call) =>
    withStructureLock(call, async (write) => {
      const { state, params } = call
      const { user } = call.caller
      const { add = [], delete: removed = [] } = params
      if (add.length === 0 && removed.length === 0) {
        throw errors.badRequest('Nothing to change: send add or delete.')
      }
      if (add.length > 0 && isGuest(user)) throw errors.notForGuests()
      const subscribing = add.length > 0 ? composeSubscribe(state, user, add, params) : undefined
      const unsubscribing = removed.length > 0 ? composeUnsubscribe(state, user, removed, params.principals) : undefined
      await commit(write, combineChanges([subscribing, unsubscribing].flatMap((part) => part?.change ?? [])))
      return { ...subscribing?.answer, ...unsubscribing?.answer }
    }),
})

/** Composes the change of a request to unsubscribe, and its answer. Throws the refusals of permissions.md 7.2, in that order. */
const composeUnsubscribe = (
  state: RealmState,
  user: UserRow,
  subscriptions: readonly string[],
  principals: Principals | undefined,
): { change: Change; answer: z.input<typeof unsubscribeAnswer> } => {
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
  const removed = findMembershipChanges(state, channels, users, true)
  const unchanged = findUnchangedMemberships(channels, users, removed)
  return {
    change: leaveChanges(state, removed),
    answer: { removed: listNames(removed), not_removed: listNames(unchanged) },
  }
}

/** The name of each pair's channel, once per user. */
const listNames = (moves: MembershipChanges): string[] =>
  moves.flatMap(({ channel, users }) => users.map(() => channel.name))

export const getSubscriptions = endpoint({
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'Lists the channels that the caller is subscribed to, by name.',
  access: 'account',
  params: { include_subscribers: bool().default(false) },
  response: z.object({
    subscriptions: z.array(subscriptionObject.extend({ subscribers: z.array(z.int()).optional() })),
  }),
  handle({ caller, state, params }) {
    const own = [...state.userSubscriptions(caller.id)].flatMap(([channel_id, settings]) => {
      const channel = state.channels.get(channel_id)
      return channel === undefined || channel.is_archived || !settings.active ? [] : [{ channel, settings }]
    })
    return {
      subscriptions: own
        .sort((a, b) => compareByName(a.channel, b.channel))
        .map(({ channel, settings }) => ({
          ...subscriptionOnWire(state, channel, settings),
          ...(params.include_subscribers ? { subscribers: subscriberIds(state, channel.id) } : {}),
        })),
    }
  },
})

export const getSubscriptionStatus = endpoint({
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  summary: 'Tells whether a user is subscribed to a channel.',
  access: 'account',
  params: { user_id: idInPath(), stream_id: idInPath() },
  response: z.object({ is_subscribed: z.boolean() }),
  handle({ caller, state, params: { user_id, stream_id } }) {
    const user = state.users.get(user_id)
    if (user === undefined) throw errors.noSuchUser()
    if (findVisibleChannel(state, caller.user, stream_id) === undefined) throw errors.invalidChannelId()
    return { is_subscribed: user.is_active && state.isSubscribed(user_id, stream_id) }
  },
})

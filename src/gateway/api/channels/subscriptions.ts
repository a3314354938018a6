/**
 * Unsubscribes users from channels, and lists the caller's own subscriptions.
 *
 * Source: the API document, endpoint 2; protocol/endpoints.md 1.2 and 3.5; protocol/permissions.md 6.2 and 7.2.
 */

import { z } from 'zod'
import { hasMetadataAccess, mayRemoveSubscribers } from '#rules/channel-access.js'
import { findChannelText } from '../../../domain/channels/channel-texts.js'
import { compareByName, subscriptionObject } from '../../../domain/channels/channels.js'
import {
  checkSubscriptionCount,
  findMembershipChanges,
  findUnchangedMemberships,
  type MembershipChanges,
} from '../../../domain/channels/membership.js'
import { validateChannelName } from '../../../domain/channels/new-channels.js'
import { settingsText, subscriberList } from '../../../domain/channels/subscription-texts.js'
import { limits } from '../../../domain/limits/limits.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { findVisibleChannel, findVisibleChannelByName } from '../../../domain/permissions/channel-access.js'
import { errors } from '../../../domain/protocol/errors.js'
import { addMembers, rawArray, rawObject } from '../../../domain/protocol/raw-json.js'
import { isSelfOrOwnBot, type Principals, resolvePrincipals } from '../../../domain/users/resolve-principals.js'
import { leaveChanges } from '../../../store/channels/subscriptions.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type ChangeBatch, combinePlans, commitInBatches, divide, type Plan } from '../../call/change-batches.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, json } from '../../call/params.js'
import { isLargeRealm } from '../../fairness/heavy-calls.js'
import { includeSubscribers, principals, requestedChannels } from './channel-params.js'
import { planSubscribe, subscribeAnswer, subscribeErrors, subscribeParams } from './subscribe.js'

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
    commitInBatches(call, (state, user) => {
      const { subscriptions, principals } = call.params
      return planUnsubscribe(state, user, subscriptions, principals)
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
    commitInBatches(call, (state, user): Plan<Partial<SubscribeAnswer & UnsubscribeAnswer>> => {
      const { add = [], delete: removed = [], ...params } = call.params
      if (add.length === 0 && removed.length === 0) {
        throw errors.badRequest('Nothing to change: send add or delete.')
      }
      const subscribing = add.length > 0 ? planSubscribe(state, user, add, params) : undefined
      const unsubscribing = removed.length > 0 ? planUnsubscribe(state, user, removed, params.principals) : undefined
      if (subscribing !== undefined && unsubscribing !== undefined) return combinePlans(subscribing, unsubscribing)
      return subscribing ?? (unsubscribing as Plan<UnsubscribeAnswer>)
    }),
})

type SubscribeAnswer = z.input<z.ZodObject<typeof subscribeAnswer.shape>>
type UnsubscribeAnswer = z.input<typeof unsubscribeAnswer>

/**
 * Checks a request to unsubscribe, and divides it. Throws the refusals of protocol/permissions.md 7.2, in that order.
 */
const planUnsubscribe = (
  state: RealmState,
  user: UserRow,
  subscriptions: readonly string[],
  principals: Principals | undefined,
): Plan<UnsubscribeAnswer> => {
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
  const answer: { removed: string[]; not_removed: string[] } = { removed: [], not_removed: [] }
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
          answer.removed.push(...listNames(removed))
          answer.not_removed.push(...listNames(findUnchangedMemberships(theirs, leaving, removed)))
        },
      }
    }
  const parts = pieces.map(part)
  return { parts: parts.length > 0 ? parts : [part({ channel_ids: [], user_ids: [] })], answer: () => answer }
}

/** The name of each pair's channel, once per user. */
const listNames = (moves: MembershipChanges): string[] =>
  moves.flatMap(({ channel, users }) => users.map(() => channel.name))

export const getSubscriptions = endpoint({
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'Lists the channels that the caller is subscribed to, by name.',
  access: 'account',
  params: { include_subscribers: includeSubscribers() },
  response: z.object({
    subscriptions: z.array(subscriptionObject.extend({ subscribers: z.array(z.int()).optional() })),
  }),
  isHeavy: (_, state) => isLargeRealm(state),
  handle({ caller, state, params }) {
    const own = [...state.userSubscriptions(caller.id)].flatMap(([channel_id, settings]) => {
      const channel = state.channels.get(channel_id)
      return channel === undefined || channel.is_archived || !settings.active ? [] : [{ channel, settings }]
    })
    const items = own
      .sort((a, b) => compareByName(a.channel, b.channel))
      .map(({ channel, settings }) => {
        const text = findChannelText(state, channel).json
        const subscribers =
          params.include_subscribers !== false ? `,"subscribers":[${subscriberList(state, channel.id)}]` : ''
        return addMembers(text, `${settingsText(settings)}${subscribers}`)
      })
    return rawObject({ subscriptions: rawArray(items) })
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

export const getUserChannels = endpoint({
  method: 'GET',
  path: '/users/{user_id}/channels',
  summary: 'Lists the channels to which a user is subscribed, as far as they exist for the caller.',
  level: 440,
  access: 'account',
  params: { user_id: idInPath() },
  response: z.object({ subscribed_channel_ids: z.array(z.int()).describe('ascending, also archived channels') }),
  async handle({ app, caller, state, params: { user_id } }) {
    const isKnown = await loadAccessCheck(app.store.sql, state, caller.user)
    const user = state.users.get(user_id)
    if (user === undefined || !isKnown(user)) throw errors.noSuchUser()
    const subscribed = user.is_active ? [...state.userSubscriptions(user_id)] : []
    return {
      subscribed_channel_ids: subscribed
        .filter(([channel_id, { active }]) => {
          const channel = state.channels.get(channel_id)
          return active && channel !== undefined && hasMetadataAccess(state, caller.user, channel)
        })
        .map(([channel_id]) => channel_id)
        .sort((a, b) => a - b),
    }
  },
})

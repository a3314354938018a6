/**
 * Unsubscribes users from channels, and lists the caller's own subscriptions.
 *
 * Source: the API document, endpoint 2; protocol/endpoints.md 1.2 and 3.5; protocol/permissions.md 6.2 and 7.2.
 */

import { z } from 'zod'
import { listSubscribedChannels, listSubscriptionTexts } from '../../../domain/channels/channel-lists.js'
import { subscriptionObject } from '../../../domain/channels/channels.js'
import { findVisibleChannel } from '../../../domain/permissions/channel-access.js'
import { errors } from '../../../domain/protocol/errors.js'
import { rawArray, rawObject } from '../../../domain/protocol/raw-json.js'
import { planSubscribe, type SubscribeResult } from '../../../store/channels/subscribing/subscribe.js'
import { planUnsubscribe, type UnsubscribeResult } from '../../../store/channels/subscribing/unsubscribe.js'
import { combinePlans, type Plan } from '../../../store/log/change-plan.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { commitInBatches } from '../../call/change-batches.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, json } from '../../call/params.js'
import { isLargeRealm } from '../../fairness/heavy-calls.js'
import { includeSubscribers, principals, requestedChannels } from './channel-params.js'
import { subscribeAnswer, subscribeErrors, subscribeParams } from './subscribe.js'

const unsubscribeAnswer = z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) })

export const unsubscribe = endpoint({
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribes users from channels by name.',
  callers: 'account',
  condition: 'To remove other users, the caller administers the channel or needs `can_remove_subscribers_group`.',
  params: { subscriptions: json(z.array(z.string())), principals: principals() },
  example: { subscriptions: ['{other_stream}'] },
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
  callers: 'account',
  condition: 'Each part needs the permission that it needs as a call of its own.',
  params: {
    add: requestedChannels().optional(),
    delete: json(z.array(z.string())).optional(),
    ...subscribeParams,
  },
  example: { add: [{ name: 'news' }] },
  response: z.object({ ...subscribeAnswer.partial().shape, ...unsubscribeAnswer.partial().shape }),
  errors: [...subscribeErrors, errors.channelDoesNotExist],
  handle: (call) =>
    commitInBatches(call, (state, user): Plan<Partial<SubscribeResult & UnsubscribeResult>> => {
      const { add = [], delete: removed = [], ...params } = call.params
      if (add.length === 0 && removed.length === 0) {
        throw errors.badRequest('Nothing to change: send add or delete.')
      }
      const subscribing = add.length > 0 ? planSubscribe(state, user, add, params) : undefined
      const unsubscribing = removed.length > 0 ? planUnsubscribe(state, user, removed, params.principals) : undefined
      if (subscribing !== undefined && unsubscribing !== undefined) return combinePlans(subscribing, unsubscribing)
      return subscribing ?? (unsubscribing as Plan<UnsubscribeResult>)
    }),
})

export const getSubscriptions = endpoint({
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'Lists the channels that the caller is subscribed to, by name.',
  callers: 'account',
  params: { include_subscribers: includeSubscribers() },
  response: z.object({
    subscriptions: z.array(subscriptionObject.extend({ subscribers: z.array(z.int()).optional() })),
  }),
  isHeavy: (_, state) => isLargeRealm(state),
  handle({ caller, state, params }) {
    const items = listSubscriptionTexts(state, caller.id, params.include_subscribers !== false)
    return rawObject({ subscriptions: rawArray(items) })
  },
})

export const getSubscriptionStatus = endpoint({
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  summary: 'Tells whether a user is subscribed to a channel.',
  callers: 'account',
  params: { user_id: idInPath(), stream_id: idInPath() },
  example: { user_id: '{sam_id}' },
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
  callers: 'account',
  params: { user_id: idInPath() },
  example: { user_id: '{sam_id}' },
  response: z.object({ subscribed_channel_ids: z.array(z.int()).describe('ascending, also archived channels') }),
  async handle({ app, caller, state, params: { user_id } }) {
    const isKnown = await loadAccessCheck(app.store.sql, state, caller.user)
    const user = state.users.get(user_id)
    if (user === undefined || !isKnown(user)) throw errors.noSuchUser()
    return { subscribed_channel_ids: listSubscribedChannels(state, caller.user, user) }
  },
})

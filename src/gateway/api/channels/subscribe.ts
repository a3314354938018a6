/**
 * Subscribes users to channels by name. Channels that do not exist are created.
 *
 * Source: the API document, endpoint 1; protocol/endpoints.md 1.1; protocol/permissions.md 7.1.
 */
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'
import { planSubscribe } from '../../../store/channels/subscribing/subscribe.js'
import { commitInBatches } from '../../call/change-batches.js'
import { endpoint } from '../../call/endpoint.js'
import { bool } from '../../call/params.js'
import { creationParams, principals, requestedChannels } from './channel-params.js'

const namesByUser = z.record(z.string(), z.array(z.string())).describe('channel names by user id')

/** The parameters of a request to subscribe, without the channels. */
export const subscribeParams = {
  principals: principals(),
  authorization_errors_fatal: bool()
    .default(true)
    .describe('false: channels for which the caller lacks a permission are listed in `unauthorized`, and are no error'),
  announce: bool().default(false),
  send_new_subscription_messages: bool().default(true),
  ...creationParams,
}

/** The fields of the answer to a request to subscribe. */
export const subscribeAnswer = z.object({
  subscribed: namesByUser,
  already_subscribed: namesByUser,
  unauthorized: z.array(z.string()).optional(),
  new_subscription_messages_sent: z.boolean().optional(),
})

/** The errors with codes of their own of a request to subscribe. */
export const subscribeErrors = [errors.systemGroupRequired, errors.notAdministrator, errors.badValue]

export const subscribe = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribes users to channels by name; channels that do not exist are created. Guests may not do this.',
  callers: 'account',
  condition: 'Guests may not. To add other users, and to create a channel, the caller needs a permission for that.',
  params: { subscriptions: requestedChannels(), ...subscribeParams },
  example: {
    subscriptions: [{ name: 'design', description: 'How the product looks' }],
    principals: ['{mira_id}', '{sam_id}', '{lena_id}'],
  },
  response: subscribeAnswer,
  errors: subscribeErrors,
  handle: (call) =>
    commitInBatches(call, (state, user) => planSubscribe(state, user, call.params.subscriptions, call.params)),
})

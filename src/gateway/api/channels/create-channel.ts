/**
 * Creates one channel, and subscribes users to it. POST /users/me/subscriptions does the same, but also subscribes to
 * channels that exist. Existing servers have this endpoint since level 417.
 */
import { z } from 'zod'
import { checkNotTaken, validateChannelName } from '../../../domain/channels/new-channels.js'
import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import { planSubscribe } from '../../../store/channels/subscribing/subscribe.js'
import { commitInBatches } from '../../call/change-batches.js'
import { endpoint } from '../../call/endpoint.js'
import { json, str } from '../../call/params.js'
import { subscribeErrors, subscribeParams } from './subscribe.js'

const { principals: _, authorization_errors_fatal: __, ...creation } = subscribeParams

export const createChannel = endpoint({
  method: 'POST',
  path: '/channels/create',
  summary: 'Creates a channel, and subscribes users to it.',
  level: 417,
  callers: 'nonGuest',
  keyScope: 'write',
  condition: 'The caller needs the permission for its kind, such as `can_create_public_channel_group`.',
  params: {
    name: str(),
    description: str({ max: limits.max_stream_description_length }).default(''),
    subscribers: json(z.array(z.int())).describe('the IDs of the first subscribers'),
    ...creation,
  },
  example: {
    name: 'support',
    description: 'Questions of customers',
    subscribers: ['{mira_id}', '{sam_id}', '{lena_id}'],
  },
  response: z.object({ id: z.int() }),
  errors: [...subscribeErrors, errors.channelExists],
  async handle(call) {
    const { name: input, description, subscribers: principals, ...options } = call.params
    const name = validateChannelName(input)
    return commitInBatches(call, (state, user) => {
      checkNotTaken(state, user, name, options)
      const id = state.nextId('channels')
      const request = { ...options, principals, authorization_errors_fatal: true }
      return { ...planSubscribe(state, user, [{ name, description }], request), answer: () => ({ id }) }
    })
  },
})

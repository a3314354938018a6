/**
 * Creates one channel, and subscribes users to it. POST /users/me/subscriptions does the same, but also subscribes to
 * channels that exist. Existing servers have this endpoint since level 417.
 */
import { z } from 'zod'
import { hasMetadataAccess } from '#rules/channel-access.js'
import { checkCreation, validateChannelName } from '../../../domain/channels/new-channels.js'
import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import { commitInBatches } from '../../call/change-batches.js'
import { endpoint } from '../../call/endpoint.js'
import { json, str } from '../../call/params.js'
import { planSubscribe, readOptions, subscribeErrors, subscribeParams } from './subscribe.js'

const { principals: _, authorization_errors_fatal: __, ...creation } = subscribeParams

export const createChannel = endpoint({
  method: 'POST',
  path: '/channels/create',
  summary: 'Creates a channel, and subscribes users to it.',
  level: 417,
  access: 'nonGuest',
  params: {
    name: str(),
    description: str({ max: limits.max_stream_description_length }).default(''),
    subscribers: json(z.array(z.int())).describe('the IDs of the first subscribers'),
    ...creation,
  },
  response: z.object({ id: z.int() }),
  errors: [...subscribeErrors, errors.channelExists],
  async handle(call) {
    const { name: given, description, subscribers: principals, ...options } = call.params
    const name = validateChannelName(given)
    await commitInBatches(call, (state, user) => {
      const params = { ...options, principals, authorization_errors_fatal: true }
      const taken = state.channelByName(name)
      if (taken !== undefined) {
        // Who may not create a channel does not learn that a hidden one has the name.
        if (!hasMetadataAccess(state, user, taken)) checkCreation(state, user, readOptions(params))
        throw errors.channelExists({ channel_name: name })
      }
      return planSubscribe(state, user, [{ name, description }], params)
    })
    return { id: call.state.channelByName(name)?.id ?? 0 }
  },
})

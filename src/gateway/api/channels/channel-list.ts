/**
 * Channels as the caller sees them. A channel that the caller may not see gets the same answer as an unknown one.
 *
 * Source: the API document, endpoint 18; protocol/endpoints.md 1.18 and 3.5.
 */
import { z } from 'zod'
import { listIncludedChannels } from '../../../domain/channels/channel-lists.js'
import { channelObject, channelOnWire } from '../../../domain/channels/channels.js'
import { subscriberList } from '../../../domain/channels/subscription-texts.js'
import {
  findVisibleChannel,
  findVisibleChannelByName,
  requireReadableChannel,
} from '../../../domain/permissions/channel-access.js'
import { errors } from '../../../domain/protocol/errors.js'
import { memberFragments, rawArray, rawMembersOfFragments, rawObject } from '../../../domain/protocol/raw-json.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, idInPath, int, str } from '../../call/params.js'
import { isLargeRealm } from '../../fairness/heavy-calls.js'

export const getStreams = endpoint({
  method: 'GET',
  path: '/streams',
  summary: 'Lists channels by name: the union of what the parameters include.',
  callers: 'account',
  condition: 'Only administrators may set `include_all_active`.',
  params: {
    include_public: bool().default(true),
    include_web_public: bool().default(false),
    include_subscribed: bool().default(true),
    exclude_archived: bool().default(true),
    include_all: bool().default(false).describe('every channel whose metadata the caller has access to'),
    include_default: bool().default(false).describe('adds the default channels, and to each channel whether it is one'),
    include_owner_subscribed: bool().default(false),
    include_can_access_content: bool().default(false),
    include_all_active: bool().default(false).describe('an older name of include_all, for administrators'),
  },
  response: z.object({ streams: z.array(channelObject.extend({ is_default: z.boolean().optional() })) }),
  isHeavy: (_, state) => isLargeRealm(state),
  handle: ({ caller, state, params }) =>
    rawMembersOfFragments([memberFragments('streams', listIncludedChannels(state, caller.user, params))]),
})

export const getStream = endpoint({
  method: 'GET',
  path: '/streams/{stream_id}',
  summary: 'Gets a channel.',
  callers: 'account',
  params: { stream_id: idInPath() },
  response: z.object({ stream: channelObject }),
  handle({ caller, state, params }) {
    const channel = findVisibleChannel(state, caller.user, params.stream_id)
    if (channel === undefined || channel.is_archived) throw errors.invalidChannelId()
    return { stream: channelOnWire(state, channel) }
  },
})

export const getStreamId = endpoint({
  method: 'GET',
  path: '/get_stream_id',
  summary: 'Gets the id of a channel by its name, compared without case.',
  callers: 'account',
  params: { stream: str() },
  example: { stream: '{stream}' },
  response: z.object({ stream_id: z.int() }),
  handle({ caller, state, params }) {
    const channel = findVisibleChannelByName(state, caller.user, params.stream.trim())
    if (channel === undefined || channel.is_archived) throw errors.invalidChannelName({ name: params.stream })
    return { stream_id: channel.id }
  },
})

export const getStreamEmailAddress = endpoint({
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  summary: 'Gets the email address of a channel. It is empty, because this server does not receive mail.',
  callers: 'account',
  condition: 'The caller can read the channel.',
  params: {
    stream_id: idInPath(),
    sender_id: int()
      .optional()
      .describe('the id of the sender of such a mail: the caller, or one of the bots that the caller owns'),
  },
  response: z.object({ email: z.string() }),
  errors: [errors.noSuchBot],
  handle({ caller: { user }, state, params: { stream_id, sender_id = user.id } }) {
    requireReadableChannel(state, user, stream_id)
    const sender = state.users.get(sender_id)
    if (sender?.is_active !== true || (sender.id !== user.id && sender.bot_owner_id !== user.id)) {
      throw errors.noSuchBot()
    }
    return { email: '' }
  },
})

export const getStreamMembers = endpoint({
  method: 'GET',
  path: '/streams/{stream_id}/members',
  summary: 'Lists the ids of the active users who are subscribed to a channel.',
  callers: 'account',
  params: { stream_id: idInPath() },
  response: z.object({ subscribers: z.array(z.int()) }),
  handle({ caller, state, params }) {
    const channel = findVisibleChannel(state, caller.user, params.stream_id)
    if (channel === undefined) throw errors.invalidChannelId()
    return rawObject({ subscribers: rawArray([subscriberList(state, channel.id)]) })
  },
})

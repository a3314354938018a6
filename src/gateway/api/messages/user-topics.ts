/**
 * The caller's visibility policies for topics.
 *
 * Source: the API document, endpoint 7; protocol/endpoints.md 1.7 and 3.2.
 */

import { z } from 'zod'
import { hasContentAccess } from '#rules/channel-access.js'
import { TopicPolicy } from '#rules/topic-policies.js'
import { limits } from '../../../domain/limits/limits.js'
import { normalizeTopic } from '../../../domain/messages/message.js'
import { requirePolicyChannel } from '../../../domain/messages/user-topics.js'
import { findVisibleChannel, findVisibleChannelByName } from '../../../domain/permissions/channel-access.js'
import { errors } from '../../../domain/protocol/errors.js'
import { setTopicPolicy } from '../../../store/messages/following/topic-policies.js'
import { endpoint } from '../../call/endpoint.js'
import { int, intIn, oneOf, str } from '../../call/params.js'

const topicParam = () => str({ max: limits.max_topic_length }).describe('a topic, with or without messages')

export const updateUserTopic = endpoint({
  method: 'POST',
  path: '/user_topics',
  summary: 'Mutes, unmutes or follows a topic, or removes the policy for it.',
  callers: 'account',
  params: {
    stream_id: int(),
    topic: topicParam(),
    visibility_policy: intIn(0, 1, 2, 3).describe('0 inherits from the channel, 1 muted, 2 unmuted, 3 followed'),
  },
  example: { stream_id: '{stream_id}', topic: 'logo', visibility_policy: 3 },
  response: z.object({}),
  async handle({ caller: { user }, state, write, params }) {
    const { stream_id, visibility_policy } = params
    const channel = requirePolicyChannel(state, user, stream_id, visibility_policy)
    const topic = normalizeTopic(params.topic)
    const policy = { user_id: user.id, channel_id: channel.id, topic, visibility_policy }
    await setTopicPolicy(write, policy)
    return {}
  },
})

export const updateMutedTopics = endpoint({
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  summary: 'Mutes a topic, or unmutes it: the older form of /user_topics.',
  callers: 'account',
  params: {
    stream_id: int().optional(),
    stream: str().optional(),
    topic: topicParam(),
    op: oneOf('add', 'remove'),
  },
  example: { stream_id: '{stream_id}', topic: 'old logo', op: 'add' },
  response: z.object({}),
  async handle({ caller: { user }, state, write, params: { stream_id, stream, op, ...rest } }) {
    if (stream_id !== undefined && stream !== undefined) {
      throw errors.incompatibleParameters({ parameters: 'stream_id, stream' })
    }
    if (stream_id === undefined && stream === undefined) throw errors.missing({ var_name: 'stream_id' })
    const channel =
      stream_id === undefined
        ? findVisibleChannelByName(state, user, stream ?? '')
        : findVisibleChannel(state, user, stream_id)
    const notMuted = () => errors.badRequest('This topic is not muted.')
    if (channel === undefined || !hasContentAccess(state, user, channel)) {
      if (op === 'remove') throw notMuted()
      throw stream === undefined ? errors.invalidChannelId() : errors.invalidChannelName({ name: stream })
    }
    const visibility_policy = op === 'add' ? TopicPolicy.muted : TopicPolicy.inherit
    const policy = { user_id: user.id, channel_id: channel.id, topic: normalizeTopic(rest.topic), visibility_policy }
    const isChanged = await setTopicPolicy(write, policy)
    if (!isChanged && op === 'remove') throw notMuted()
    return {}
  },
})

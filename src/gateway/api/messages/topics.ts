/**
 * Topics of a channel.
 *
 * Source: the API document, endpoints 14 and 16; protocol/endpoints.md 1.14 and 1.16.
 */

import { z } from 'zod'
import { displayTopic, normalizeTopic } from '../../../domain/messages/message.js'
import { requireReadableChannel, requireWebPublicChannel } from '../../../domain/permissions/channel-access.js'
import { errors } from '../../../domain/protocol/errors.js'
import { startTopicDeletion, waitForTopicDeletion } from '../../../store/messages/editing/topic-deletion.js'
import { loadTopics } from '../../../store/messages/narrow/channel-topics.js'
import { loadMatchingTopics } from '../../../store/messages/narrow/matching-topics.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, idInPath, int, str } from '../../call/params.js'

export const deleteTopic = endpoint({
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  summary:
    'Deletes the messages of a topic, newest first; `complete` false: some remain, call again to wait for the rest.',
  callers: 'administrator',
  commitsInParts: true,
  condition: 'The caller can read the channel.',
  params: { stream_id: idInPath(), topic_name: str().describe('may be empty') },
  example: { topic_name: 'dinner' },
  response: z.object({ complete: z.boolean() }),
  async handle({ app, caller: { user }, realm, state, write, params }) {
    const { sql } = app.store
    const channel = requireReadableChannel(state, user, params.stream_id)
    if (channel.is_archived) throw errors.invalidChannelId()
    const end = performance.now() + app.config.LONG_WORK_WAIT_MS
    const topic = { channel_id: channel.id, topic: normalizeTopic(params.topic_name) }
    await startTopicDeletion(write, user, topic)
    return { complete: await waitForTopicDeletion(sql, realm, user, topic, end) }
  },
})

export const getStreamTopics = endpoint({
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  summary: 'Lists the topics of a channel, the latest first.',
  callers: 'spectator',
  params: {
    stream_id: idInPath(),
    allow_empty_topic_name: bool().default(false).describe('false: an empty topic is replaced by its display name'),
  },
  response: z.object({ topics: z.array(z.object({ name: z.string(), max_id: z.int() })) }),
  async handle({ app, caller, state, params }) {
    // The topics of an archived channel stay readable with its messages (protocol/permissions.md 5.2).
    const channel =
      caller === undefined
        ? requireWebPublicChannel(state, params.stream_id)
        : requireReadableChannel(state, caller.user, params.stream_id)
    const topics = await loadTopics({ sql: app.store.sql, state, reader: caller?.user }, channel)
    return {
      topics: topics.map(({ name, max_id }) => ({ name: displayTopic(name, params.allow_empty_topic_name), max_id })),
    }
  },
})

const MAX_MATCHING_TOPICS = 10

export const getMatchingTopics = endpoint({
  method: 'GET',
  path: '/messages/matching_topics',
  summary: 'Lists at most ten topics whose names begin with a text, the latest first: to propose while a user types.',
  callers: 'account',
  params: {
    begin: str().describe('compared without case'),
    stream_id: int().optional().describe('without it: topics of the channels to which the caller is subscribed'),
  },
  example: { begin: 'lo' },
  response: z.object({ topics: z.array(z.object({ stream_id: z.int(), name: z.string(), max_id: z.int() })) }),
  handle({ app, caller: { user }, realm, state, params: { begin, stream_id } }) {
    const channel = stream_id === undefined ? undefined : requireReadableChannel(state, user, stream_id)
    return app.store.standbys.run(realm, async (sql) => ({
      topics: await loadMatchingTopics({ sql, state, reader: user }, begin, { channel, limit: MAX_MATCHING_TOPICS }),
    }))
  },
})

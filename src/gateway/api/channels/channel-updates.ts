/**
 * Changes channels, archives them and takes them out of the archive.
 *
 * A request succeeds or fails as a whole. Source: the API document, endpoint 5; protocol/endpoints.md 1.5 and 3.5.
 */
import { z } from 'zod'
import { archiveChannel, updateChannel } from '../../../domain/channels/channel-changes.js'
import { checkChannelUpdate, requireAdministeredChannel } from '../../../domain/channels/channel-update-checks.js'
import { topicsPolicies, topicsPolicyLevel } from '../../../domain/channels/channels.js'
import { limits } from '../../../domain/limits/limits.js'
import { groupSettingUpdate } from '../../../domain/permissions/group-setting-rules.js'
import { errors } from '../../../domain/protocol/errors.js'
import { composeChannelNewsJobs } from '../../../store/channels/channel-news.js'
import { commitEntries } from '../../../store/log/change.js'
import { hasNamedTopics } from '../../../store/messages/narrow/channel-topics.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, idInPath, int, oneOf, str } from '../../call/params.js'
import { declareGroupParams, retention } from './channel-params.js'

export const updateStream = endpoint({
  method: 'PATCH',
  path: '/streams/{stream_id}',
  summary: 'Changes properties of a channel, or takes it out of the archive.',
  callers: 'account',
  condition: 'The caller administers the organization or the channel, and can read it to change its privacy.',
  params: {
    stream_id: idInPath(),
    description: str({ max: limits.max_stream_description_length }).optional(),
    new_name: str().optional(),
    is_private: bool().optional(),
    is_web_public: bool().optional(),
    history_public_to_subscribers: bool().optional(),
    is_default_stream: bool().optional(),
    message_retention_days: retention().optional(),
    is_archived: bool()
      .optional()
      .describe('true takes an archived channel out of the archive, and so does false; true changes no other channel'),
    folder_id: int().nullable().optional().describe('null takes the channel out of its folder'),
    topics_policy: oneOf(...topicsPolicies)
      .optional()
      .describe(topicsPolicyLevel),
    ...declareGroupParams(groupSettingUpdate),
  },
  example: { description: 'How the product looks and feels' },
  response: z.object({}),
  errors: [errors.notAdministrator, errors.badValue, errors.oldValueMismatch, errors.systemGroupRequired],
  changesStructure: true,
  async handle(call) {
    const { state, caller, params, write } = call
    const channel = requireAdministeredChannel(state, caller.user, params.stream_id)
    const patch = checkChannelUpdate(state, caller.user, channel, params)
    if (patch.topics_policy === 'empty_topic_only' && (await hasNamedTopics(write.sql, state.realm.id, channel.id))) {
      throw errors.badRequest('Some messages of this channel have a topic: rename these topics to general chat first.')
    }
    const entries = updateChannel(state, channel, patch, params.is_default_stream)
    const jobs = composeChannelNewsJobs(state, caller.user, channel, patch)
    if (entries.length > 0) await commitEntries(write, entries, jobs)
    return {}
  },
})

export const archiveStream = endpoint({
  method: 'DELETE',
  path: '/streams/{stream_id}',
  summary: 'Archives a channel: users can read it, and cannot send messages to it.',
  callers: 'account',
  condition: 'The caller administers the organization or the channel.',
  params: { stream_id: idInPath() },
  response: z.object({}),
  changesStructure: true,
  async handle(call) {
    const { state, caller, write } = call
    const channel = requireAdministeredChannel(state, caller.user, call.params.stream_id)
    if (channel.is_archived) throw errors.badRequest('This channel is already archived.')
    const entries = archiveChannel(state, channel)
    const jobs = composeChannelNewsJobs(state, caller.user, channel, { is_archived: true })
    await commitEntries(write, entries, jobs)
    return {}
  },
})

/**
 * The caller's own flags of messages: read, starred, collapsed.
 *
 * Source: protocol/messages.md 5; protocol/endpoints.md 2.7 and 3.1.
 */

import { z } from 'zod'
import { replaceEmptyTopicName } from '#rules/narrow.js'
import { limits } from '../../../domain/limits/limits.js'
import { parseFlagChange } from '../../../domain/messages/flag-changes.js'
import { normalizeTopic } from '../../../domain/messages/message.js'
import { limitPage, parseAnchor } from '../../../domain/messages/narrow/anchors.js'
import { resolveNarrow } from '../../../domain/messages/narrow/narrow.js'
import { requireReadableChannel } from '../../../domain/permissions/channel-access.js'
import { errors } from '../../../domain/protocol/errors.js'
import { findAnchor, findPage } from '../../../store/messages/fetching/find-page.js'
import { changeFlags, type FlagChangeResult, markEverythingAsRead } from '../../../store/messages/flags/change-flags.js'
import { hasReadableMessage, type MarkTarget, markAsRead } from '../../../store/messages/flags/mark-as-read.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, int, json, str } from '../../call/params.js'
import { isHeavyQuery } from './heavy-query.js'
import { narrowParam } from './messages.js'

const opParam = () => str().describe('add or remove')
const flagParam = () => str().describe('read, starred or collapsed')
const ignored = z.array(z.int())

export const updateMessageFlags = endpoint({
  method: 'POST',
  path: '/messages/flags',
  ignoresKeys: true,
  summary: 'Adds a flag to messages, or removes it.',
  callers: 'account',
  isFrequent: true,
  params: { messages: json(z.array(z.int()).max(limits.max_flag_changes_at_once)), op: opParam(), flag: flagParam() },
  example: { messages: ['{message_of_sam}'], op: 'add', flag: 'read' },
  response: z.object({ messages: z.array(z.int()), ignored_because_not_subscribed_channels: ignored }),
  isHeavy: ({ messages }) => isHeavyQuery(messages.length, []),
  async handle({ caller, write, params: { messages, op, flag } }) {
    const change = parseFlagChange(op, flag)
    const composeAnswer = ({ ignored }: FlagChangeResult) => ({
      messages,
      ignored_because_not_subscribed_channels: ignored,
    })
    return write.answering(composeAnswer, (keyed) => changeFlags(keyed, caller.user, messages, change))
  },
})

export const updateMessageFlagsForNarrow = endpoint({
  method: 'POST',
  path: '/messages/flags/narrow',
  summary: 'Adds a flag to the messages of a narrow around an anchor, or removes it.',
  callers: 'account',
  params: {
    anchor: str().describe('an id, or oldest, newest, first_unread'),
    include_anchor: bool().default(true),
    num_before: int({ min: 0 }),
    num_after: int({ min: 0 }),
    narrow: narrowParam().nullable(),
    op: opParam(),
    flag: flagParam(),
  },
  example: {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    narrow: [
      { operator: 'channel', operand: '{stream}' },
      { operator: 'topic', operand: 'logo' },
    ],
    op: 'add',
    flag: 'starred',
  },
  response: z.object({
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: z.int().nullable(),
    last_processed_id: z.int().nullable(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    ignored_because_not_subscribed_channels: ignored,
  }),
  errors: [errors.badNarrow],
  isHeavy: ({ num_before, num_after, narrow }) => isHeavyQuery(num_before + num_after, narrow ?? []),
  async handle({ app, caller, state, write, params }) {
    const change = parseFlagChange(params.op, params.flag)
    const parsedAnchor = parseAnchor(params.anchor)
    const { sql } = app.store
    const isKnown = await loadAccessCheck(sql, state, caller.user)
    const narrow = resolveNarrow(state, caller.user, replaceEmptyTopicName(params.narrow ?? []), isKnown)
    const query = { sql, state, reader: caller.user, narrow }
    const anchor = await findAnchor(query, parsedAnchor)
    const { ids, found_oldest, found_newest } = await findPage(query, anchor, limitPage(params))
    const composeAnswer = ({ changed, ignored }: FlagChangeResult) => ({
      processed_count: ids.length,
      updated_count: changed.length,
      first_processed_id: ids[0] ?? null,
      last_processed_id: ids.at(-1) ?? null,
      found_oldest,
      found_newest,
      ignored_because_not_subscribed_channels: ignored,
    })
    return write.answering(composeAnswer, (keyed) => changeFlags(keyed, caller.user, ids, change))
  },
})

export const markAllAsRead = endpoint({
  method: 'POST',
  path: '/mark_all_as_read',
  summary: 'Marks all messages as read.',
  callers: 'account',
  commitsInParts: true,
  params: {},
  response: z.object({ complete: z.boolean() }),
  async handle({ caller, write }) {
    await markEverythingAsRead(write, caller.user)
    return { complete: true }
  },
})

export const markStreamAsRead = endpoint({
  method: 'POST',
  path: '/mark_stream_as_read',
  summary:
    'Marks all messages of a channel as read; `complete` false: jobs mark the rest, call again to wait for them.',
  callers: 'account',
  commitsInParts: true,
  params: { stream_id: int() },
  example: { stream_id: '{stream_id}' },
  response: z.object({ complete: z.boolean() }),
  handle(call) {
    const channel = requireReadableChannel(call.state, call.caller.user, call.params.stream_id)
    return commitMarking(call, { channel_id: channel.id, topic: null })
  },
})

export const markTopicAsRead = endpoint({
  method: 'POST',
  path: '/mark_topic_as_read',
  summary: 'Marks all messages of a topic as read; `complete` false: jobs mark the rest, call again to wait for them.',
  callers: 'account',
  commitsInParts: true,
  params: { stream_id: int(), topic_name: str() },
  example: { stream_id: '{stream_id}', topic_name: 'logo' },
  response: z.object({ complete: z.boolean() }),
  async handle(call) {
    const { app, state, caller, params } = call
    const channel = requireReadableChannel(state, caller.user, params.stream_id)
    const target = { channel_id: channel.id, topic: normalizeTopic(params.topic_name) }
    if (!(await hasReadableMessage({ sql: app.store.sql, state, reader: caller.user }, target))) {
      throw errors.badRequest('You can read no topic “{topic_name}” in this channel.', {
        topic_name: params.topic_name,
      })
    }
    return commitMarking(call, target)
  },
})

const commitMarking = async (
  { app, caller: { user }, write }: Pick<Call, 'app' | 'caller' | 'write'>,
  target: MarkTarget,
) => {
  const end = performance.now() + app.config.LONG_WORK_WAIT_MS
  return { complete: await markAsRead(write, user, target, end) }
}

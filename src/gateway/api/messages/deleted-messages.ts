/**
 * Deleted messages, which administrators restore. The protocol has no such calls: these are ours.
 *
 * Source: protocol/messages.md 4.8.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { normalizeTopic } from '../../../domain/messages/message.js'
import { errors } from '../../../domain/protocol/errors.js'
import { isPosition, loadDeletedMessages } from '../../../store/messages/editing/deleted-messages.js'
import { restoreMessages as restore } from '../../../store/messages/editing/restore-messages.js'
import { endpoint } from '../../call/endpoint.js'
import { int, json, str } from '../../call/params.js'

const MOST_IDS = 500

export const getDeletedMessages = endpoint({
  method: 'GET',
  path: '/deleted_messages',
  summary: 'Lists messages that were deleted within 30 days, those that were deleted last first.',
  callers: 'administrator',
  condition: 'Only channel messages that the caller could read before they were deleted are listed.',
  params: {
    before: str().optional().describe('the `next` of the former page'),
    limit: int({ min: 1, max: 100 }).default(50),
    stream_id: int().optional(),
    topic: str().optional().describe('compared without case; may be empty'),
    sender_id: int().optional(),
    text: str({ min: 1 }).optional().describe('a part of the text, compared without case'),
    deletion_id: str({ min: 1 }).optional().describe('only messages that the same request deleted'),
  },
  example: { limit: 1 },
  response: z.object({
    deleted_messages: z.array(
      z.object({
        id: z.int(),
        sender_id: z.int(),
        stream_id: z.int(),
        topic: z.string(),
        content: z.string().describe('as it was typed'),
        timestamp: z.int().describe('when it was sent, in UNIX seconds'),
        deleted_at: z.int().describe('UNIX seconds'),
        deleted_by: z.int().nullable().describe('null: the server, such as after the retention time'),
        deletion_id: z.string().nullable().describe('the same for all messages that one request deleted'),
      }),
    ),
    next: z
      .string()
      .nullable()
      .describe('the `before` of the next page, which can exist although this one is not full'),
  }),
  async handle({ app, caller: { user }, state, params }) {
    const { before, limit, stream_id: channel_id, topic, ...filter } = params
    if (before !== undefined && !isPosition(before)) throw errors.badRequest('before is not the `next` of a page.')
    const context = { sql: app.store.sql, state, reader: user, now: secondsNow() }
    const named = topic === undefined ? undefined : normalizeTopic(topic)
    const page = await loadDeletedMessages(context, { ...filter, channel_id, topic: named }, { before, limit })
    // Direct messages are for operators only, so each message has a channel.
    const shape = ({ user_ids: _, ...message }: (typeof page.deleted_messages)[number]) => ({
      ...message,
      stream_id: message.stream_id as number,
    })
    return { deleted_messages: page.deleted_messages.map(shape), next: page.next }
  },
})

export const restoreMessages = endpoint({
  method: 'POST',
  path: '/deleted_messages/restore',
  summary:
    'Restores deleted messages with their ids, reactions, flags and files; `complete` false: call again for the rest.',
  callers: 'administrator',
  condition: 'The caller could read the messages before they were deleted.',
  commitsInParts: true,
  params: {
    message_ids: json(z.array(z.int()).min(1).max(MOST_IDS)).optional(),
    deletion_id: str({ min: 1 }).optional().describe('all messages that one request deleted'),
  },
  example: { message_ids: ['{deleted_message_id}'] },
  response: z.object({
    message_ids: z.array(z.int()).describe('those that were restored, ascending'),
    complete: z.boolean(),
  }),
  async handle({ caller: { user }, write, params }) {
    const { message_ids, deletion_id } = params
    if ((message_ids === undefined) === (deletion_id === undefined)) {
      throw errors.badRequest('Name messages with message_ids, or a deletion with deletion_id.')
    }
    return restore(write, user, { message_ids, deletion_id })
  },
})

/**
 * Typing notifications: the caller types a new message, or edits one. Source: protocol/endpoints.md 2.4 and 3.1.
 *
 * These calls store nothing, so no guard checks their state. They wait for the barrier like reads
 * (call/retry-on-conflict.ts, 1).
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { checkContentEdit } from '../../../domain/messages/editing/editing.js'
import { normalizeTopic } from '../../../domain/messages/message.js'
import { checkDirectPost, requirePostableChannel } from '../../../domain/messages/sending/posting.js'
import {
  channelTypingAudience,
  checkTypingSetting,
  filterTypingRecipients,
  parseTypingOp,
  requireParticipants,
} from '../../../domain/messages/typing.js'
import { typing } from '../../../domain/messages/typing-entries.js'
import { isChannelType, isDirectType, topicAlias } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { announce } from '../../../store/log/ephemeral.js'
import { announceEditTyping } from '../../../store/messages/audience/edit-typing.js'
import { requireChangeableMessage } from '../../../store/messages/narrow/load-messages.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { idInPath, int, json, str } from '../../call/params.js'

export const sendTyping = endpoint({
  method: 'POST',
  path: '/typing',
  ignoresKeys: true,
  summary: 'Tells the recipients that the caller started or stopped typing a message.',
  callers: 'account',
  isFrequent: true,
  params: {
    op: str().describe('start or stop'),
    type: str().default('direct').describe('direct, or stream or channel'),
    to: json(z.array(z.int())).optional().describe('direct: the user ids of the recipients'),
    stream_id: int().optional(),
    topic: str().alias(topicAlias).optional(),
  },
  example: { op: 'start', type: 'channel', stream_id: '{stream_id}', topic: 'logo' },
  response: z.object({}),
  barrier: true,
  async handle({ app, caller: { user }, realm, state, params }) {
    const { type, to, stream_id, topic } = params
    const op = parseTypingOp(params.op)
    const sender = { user_id: user.id, email: user.email }
    if (isChannelType(type)) {
      if (stream_id === undefined) throw errors.badRequest('A typing notification for a channel needs stream_id.')
      if (topic === undefined) throw errors.badRequest('A channel message needs a topic.')
      checkTypingSetting(user, true)
      const location = { stream_id, topic: normalizeTopic(topic) }
      requirePostableChannel(state, user, stream_id, location.topic)
      announce(
        app.store.bus,
        realm,
        typing({ to: channelTypingAudience(state, stream_id), op, sender, place: location }),
      )
    } else if (isDirectType(type)) {
      if (to === undefined) throw errors.badRequest('A typing notification for a direct message needs to.')
      if (to.length === 0) throw errors.badRequest('to must contain at least one user ID.')
      checkTypingSetting(user, false)
      const participants = requireParticipants(state, user, to, await loadAccessCheck(app.store.sql, state, user))
      checkDirectPost(state, user, participants)
      const recipients = participants.map(({ id, email }) => ({ user_id: id, email }))
      const users = filterTypingRecipients(
        state,
        participants.map(({ id }) => id),
      )
      announce(app.store.bus, realm, typing({ to: { users }, op, sender, place: { recipients } }))
    } else {
      throw errors.badRequest('type must be direct or channel.')
    }
    return {}
  },
})

const opParam = () => str().describe('start or stop')

const announceEditing = async (
  { app, caller: { user }, realm, state }: Pick<Call, 'app' | 'caller' | 'realm' | 'state'>,
  message_id: number,
  opText: string,
): Promise<Record<never, never>> => {
  const op = parseTypingOp(opText)
  const message = await requireChangeableMessage({ sql: app.store.sql, state, reader: user }, message_id)
  // No grace period: it is for edits that began before the time limit.
  checkContentEdit(state, user, message, secondsNow(), 0)
  checkTypingSetting(user, message.channel_id !== null)
  await announceEditTyping(app.store, realm, user, message, op)
  return {}
}

export const sendEditTyping = endpoint({
  method: 'POST',
  path: '/message_edit_typing',
  ignoresKeys: true,
  summary: 'Tells the recipients that the caller started or stopped editing a message.',
  callers: 'account',
  condition: 'The caller may edit the message.',
  isFrequent: true,
  params: { message_id: int(), op: opParam() },
  example: { message_id: '{message_id}', op: 'start' },
  response: z.object({}),
  barrier: true,
  handle: (call) => announceEditing(call, call.params.message_id, call.params.op),
})

export const sendEditTypingOf = endpoint({
  method: 'POST',
  path: '/messages/{message_id}/typing',
  ignoresKeys: true,
  summary:
    'Tells the recipients that the caller started or stopped editing a message; the path that existing clients use.',
  callers: 'account',
  condition: 'The caller may edit the message.',
  isFrequent: true,
  params: { message_id: idInPath(), op: opParam() },
  example: { op: 'stop' },
  response: z.object({}),
  barrier: true,
  handle: (call) => announceEditing(call, call.params.message_id, call.params.op),
})

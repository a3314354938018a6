/**
 * Scheduled messages. All checks of a message run twice: when it is scheduled, and when it is sent.
 *
 * Source: protocol/endpoints.md 3.3.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { realmUrl } from '../../../config/hosts.js'
import { scheduledMessageObject } from '../../../domain/messages/scheduled-message-entries.js'
import {
  checkScheduleChanges,
  listOtherParticipants,
  type RequestedSchedule,
  resolveScheduledDestination,
  validateChangedSchedule,
} from '../../../domain/messages/scheduled-messages.js'
import { messageTypes, topicAlias } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { proxyMedia } from '../../../domain/rendering/proxied-media.js'
import {
  buildScheduledMessage,
  cancelScheduledMessage,
  loadScheduledMessages,
  loadScheduledRow,
  replaceScheduledMessage,
  type ScheduledRow,
  scheduleMessage,
} from '../../../store/messages/sending/scheduled-messages.js'
import { composeSend } from '../../../store/messages/sending/send-message.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, idInPath, json, oneOf, str, timestamp } from '../../call/params.js'

const params = {
  type: oneOf(...messageTypes),
  to: json(z.union([z.int(), z.array(z.int())])).describe('the id of a channel, or a list of user ids'),
  content: str().allowNul(),
  topic: str().alias(topicAlias).allowNul().optional(),
  scheduled_delivery_timestamp: timestamp(),
  read_by_sender: bool().optional(),
}

export const getScheduledMessages = endpoint({
  method: 'GET',
  path: '/scheduled_messages',
  summary: 'Lists the messages that the caller has scheduled, by the time of delivery.',
  callers: 'account',
  params: {},
  response: z.object({ scheduled_messages: z.array(scheduledMessageObject) }),
  async handle({ app, caller, realm, state }) {
    const rows = await loadScheduledMessages(app.store.sql, realm.id, caller.id)
    const scheduled = rows.map(buildScheduledMessage)
    return { scheduled_messages: scheduled.map((one) => proxyMedia(one, ['rendered_content'], state.deployment)) }
  },
})

export const createScheduledMessage = endpoint({
  method: 'POST',
  path: '/scheduled_messages',
  summary: 'Schedules a message to be sent later.',
  callers: 'account',
  params,
  example: {
    type: 'channel',
    to: '{stream_id}',
    topic: 'news',
    content: 'Good morning',
    scheduled_delivery_timestamp: '{tomorrow}',
  },
  response: z.object({ scheduled_message_id: z.int() }),
  errors: [errors.channelIdDoesNotExist, errors.channelWildcardNotAllowed, errors.topicWildcardNotAllowed],
  async handle(call) {
    const { caller, write, params } = call
    const values = await composeScheduled(call, params)
    const composeAnswer = (scheduled_message_id: number) => ({ scheduled_message_id })
    return write.answering(composeAnswer, (keyed) => scheduleMessage(keyed, { ...values, user_id: caller.id }))
  },
})

export const updateScheduledMessage = endpoint({
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Changes a scheduled message.',
  callers: 'account',
  params: {
    scheduled_message_id: idInPath(),
    type: params.type.optional(),
    to: params.to.optional(),
    content: params.content.optional(),
    topic: params.topic,
    scheduled_delivery_timestamp: params.scheduled_delivery_timestamp.optional(),
    read_by_sender: params.read_by_sender,
  },
  example: { content: 'Good evening' },
  response: z.object({}),
  errors: [errors.scheduledMessageDoesNotExist, errors.channelIdDoesNotExist],
  async handle(call) {
    const { app, caller, realm, write, params } = call
    const { scheduled_message_id: id, ...changes } = params
    checkScheduleChanges(changes)
    const row = await loadScheduledRow(app.store.sql, realm.id, id)
    if (row === undefined || row.user_id !== caller.id) throw errors.scheduledMessageDoesNotExist()
    const requested = validateChangedSchedule(buildScheduledMessage(row), row.read_by_sender, changes)
    const values = await composeScheduled(call, requested)
    await replaceScheduledMessage(write, { ...values, id, user_id: caller.id })
    return {}
  },
})

export const deleteScheduledMessage = endpoint({
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Cancels a scheduled message.',
  callers: 'account',
  params: { scheduled_message_id: idInPath() },
  response: z.object({}),
  errors: [errors.scheduledMessageDoesNotExist],
  async handle({ caller, write, params }) {
    await cancelScheduledMessage(write, caller.id, params.scheduled_message_id)
    return {}
  },
})

/** The columns of the scheduled message, if its sender could send it now. Throws the refusals of sending. */
const composeScheduled = async (
  { app, caller, state, write }: Pick<Call, 'app' | 'caller' | 'realm' | 'state' | 'write'>,
  requested: RequestedSchedule,
): Promise<Omit<ScheduledRow, 'id' | 'user_id' | 'failed'>> => {
  const to = resolveScheduledDestination(state, caller.user, requested)
  if (requested.scheduled_delivery_timestamp <= secondsNow()) {
    throw errors.badRequest('{name} must be in the future.', { name: 'scheduled_delivery_timestamp' })
  }
  const realm_url = realmUrl(state.realm.string_id, app.config)
  const { client } = caller
  const outgoing = { sender: caller.user, to, content: requested.content, client, realm_url }
  const { message } = await composeSend(write, outgoing)
  return {
    channel_id: message.channel_id,
    user_ids: 'users' in to ? listOtherParticipants(caller.id, to.users) : null,
    topic: message.topic,
    content: message.content,
    rendered_content: message.rendered_content,
    deliver_at: requested.scheduled_delivery_timestamp,
    client,
    realm_url,
    read_by_sender: requested.read_by_sender ?? null,
  }
}

/**
 * What the user may do with a message, by the rules that the server applies (rules/). The server decides what is done.
 */
import type { Message } from '@parley/client'
import type { Channel } from '@parley/client/realm'
import {
  type MessageRights,
  messageRights,
  noTopicRights,
  type TopicRights,
  topicRights,
} from '#rules/message-rights.js'
import type { Chat } from '../../realm/chat.js'
import { readChannel, readOrganization, readOwnAccount } from '../../realm/rules.js'

/** What the user may do with one message. */
export interface MessagePermissions extends MessageRights {
  history: boolean
  receipts: boolean
  report: boolean
}

const nothing: MessagePermissions = {
  ...noTopicRights,
  edit: false,
  delete: false,
  history: false,
  receipts: false,
  report: false,
}

/** Computes what the user may do with a message. */
export const messagePermissions = (chat: Chat, message: Message): MessagePermissions => {
  const user = readOwnAccount(chat)
  if (user === undefined) return nothing
  const {
    realm_message_edit_history_visibility_policy: historyPolicy,
    realm_enable_read_receipts: hasReceipts,
    realm_moderation_request_channel_id: reportChannelId,
  } = chat.organization.value
  const { sender_id, timestamp, subject: topic, submessages } = message
  const facts = { sender_id, timestamp, topic, is_widget: submessages.length > 0 }
  const channel = message.type === 'stream' ? chat.channels.value.get(message.stream_id ?? 0) : undefined
  return {
    ...messageRights(readOrganization(chat), user, facts, channel && readChannel(channel)),
    history:
      (message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined) &&
      historyPolicy !== 'none',
    receipts: hasReceipts === true,
    report: sender_id !== chat.ownUserId && (reportChannelId ?? -1) > 0,
  }
}

/** Computes what the user may do with a topic. With a `timestamp` of now, the age of its messages does not matter. */
export const topicPermissions = (
  chat: Chat,
  { subject: topic, timestamp }: Pick<Message, 'subject' | 'timestamp'>,
  channel: Channel | undefined,
): TopicRights => {
  const user = readOwnAccount(chat)
  if (user === undefined) return noTopicRights
  return topicRights(readOrganization(chat), user, { topic, timestamp }, channel && readChannel(channel))
}

/**
 * What the user may do with a message.
 *
 * These rules only decide what is offered; the server decides what is done. Times are those of the server's rules,
 * without the moments of grace that it adds.
 */
import type { Message } from '@parley/client'
import type { Channel } from '@parley/client/realm'
import type { Chat } from '../../realm/chat.js'

/** A setting that names users and groups: the id of a group, or lists. */
type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] } | undefined

/** Whether the user is in a group, or in one of its subgroups. */
const isInGroup = (chat: Chat, groupId: number, seen = new Set<number>()): boolean => {
  if (seen.has(groupId)) return false
  seen.add(groupId)
  const group = chat.groups.value.get(groupId)
  if (group === undefined || group.deactivated) return false
  if (chat.ownUserId !== undefined && group.members.includes(chat.ownUserId)) return true
  return group.direct_subgroup_ids.some((id) => isInGroup(chat, id, seen))
}

const isAllowed = (chat: Chat, setting: GroupSetting): boolean => {
  if (setting === undefined || chat.ownUserId === undefined) return false
  if (typeof setting === 'number') return isInGroup(chat, setting)
  return setting.direct_members.includes(chat.ownUserId) || setting.direct_subgroups.some((id) => isInGroup(chat, id))
}

/** Whether a message is younger than a limit in seconds; null is no limit. */
const isWithin = (message: Pick<Message, 'timestamp'>, limit: number | null | undefined): boolean =>
  limit === null || limit === undefined || Date.now() / 1000 - message.timestamp < limit

/** Whether a message is a poll, a to-do list or another widget. */
export const isWidget = (message: Message): boolean => message.submessages.length > 0

const channelOf = (chat: Chat, message: Message): Channel | undefined =>
  message.type === 'stream' ? chat.channels.value.get(message.stream_id ?? 0) : undefined

const isModerator = (chat: Chat): boolean => chat.realm.self.get().is_moderator

/** What the user may do with one message. */
export interface MessagePermissions {
  edit: boolean
  moveTopic: boolean
  moveChannel: boolean
  resolve: boolean
  delete: boolean
  history: boolean
  receipts: boolean
}

const nothing: MessagePermissions = {
  edit: false,
  moveTopic: false,
  moveChannel: false,
  resolve: false,
  delete: false,
  history: false,
  receipts: false,
}

/** Computes what the user may do with a message. */
export const messagePermissions = (chat: Chat, message: Message): MessagePermissions => {
  if (chat.ownUserId === undefined) return nothing
  const channel = channelOf(chat, message)
  const { realm_message_edit_history_visibility_policy: historyPolicy } = chat.organization.value
  const seen = {
    history:
      (message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined) &&
      historyPolicy !== 'none',
    receipts: chat.organization.value.realm_enable_read_receipts === true,
  }
  if (channel?.is_archived === true) return { ...nothing, ...seen }
  return {
    ...seen,
    edit: canEdit(chat, message),
    delete: canDelete(chat, message, channel),
    ...topicPermissions(chat, message, channel),
  }
}

const canEdit = (chat: Chat, message: Message): boolean => {
  const { realm_allow_message_editing: isOn, realm_message_content_edit_limit_seconds: limit } = chat.organization.value
  return isOn !== false && message.sender_id === chat.ownUserId && !isWidget(message) && isWithin(message, limit)
}

const canDelete = (chat: Chat, message: Message, channel: Channel | undefined): boolean => {
  const organization = chat.organization.value
  const mayDelete = (which: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    isAllowed(chat, organization[`realm_${which}`]) || (channel !== undefined && isAllowed(chat, channel[which]))
  if (mayDelete('can_delete_any_message_group')) return true
  const isOwn =
    message.sender_id === chat.ownUserId || chat.users.value.get(message.sender_id)?.bot_owner_id === chat.ownUserId
  return (
    isOwn &&
    mayDelete('can_delete_own_message_group') &&
    isWithin(message, organization.realm_message_content_delete_limit_seconds)
  )
}

/** What the user may do with a topic; with a `timestamp` of now, regardless of the age of its messages. */
export const topicPermissions = (
  chat: Chat,
  message: Pick<Message, 'subject' | 'timestamp'>,
  channel: Channel | undefined,
): Pick<MessagePermissions, 'moveTopic' | 'moveChannel' | 'resolve'> => {
  if (channel === undefined) return { moveTopic: false, moveChannel: false, resolve: false }
  const organization = chat.organization.value
  const administers = isAllowed(chat, channel.can_administer_channel_group)
  const withinTopics =
    isModerator(chat) || isWithin(message, organization.realm_move_messages_within_stream_limit_seconds)
  const withinChannels =
    isModerator(chat) || isWithin(message, organization.realm_move_messages_between_streams_limit_seconds)
  return {
    moveTopic:
      withinTopics &&
      (administers ||
        isAllowed(chat, organization.realm_can_move_messages_between_topics_group) ||
        isAllowed(chat, channel.can_move_messages_within_channel_group)),
    moveChannel:
      withinChannels &&
      (administers ||
        isAllowed(chat, organization.realm_can_move_messages_between_channels_group) ||
        isAllowed(chat, channel.can_move_messages_out_of_channel_group)),
    resolve:
      message.subject !== '' &&
      (isAllowed(chat, organization.realm_can_resolve_topics_group) ||
        isAllowed(chat, channel.can_resolve_topics_group)),
  }
}

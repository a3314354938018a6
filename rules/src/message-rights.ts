/**
 * Who may edit, delete and move a message that they can read, and until when.
 *
 * The rules know no grace period: the server grants some seconds (domain/messages/editing/editing.ts), because a user
 * opens a form some time before sending it. Source: protocol/messages.md 4.1 to 4.6; protocol/permissions.md 8.4 to
 * 8.7.
 */
import { hasContentAccess, isChannelAdministrator } from './channel-access.js'
import type { Account, Channel, Organization } from './organization.js'
import { mayInChannel, mayInRealm } from './permissions.js'
import { isModerator } from './roles.js'
import { secondsNow } from './time.js'
import { topicsPolicy } from './topics.js'

/** What a message says about itself. */
export interface MessageFacts {
  sender_id: number
  /** UNIX seconds */
  timestamp: number
}

/** Whether a message is older than a limit in seconds; null: no limit. */
export const isTooOld = ({ timestamp }: Pick<MessageFacts, 'timestamp'>, limit: number | null, now: number): boolean =>
  limit !== null && now - timestamp > limit

/**
 * Whether messages of the channel can be edited, deleted and moved. An undefined channel stands for direct messages.
 */
export const isChangeable = (channel: Pick<Channel, 'is_archived'> | undefined): boolean =>
  channel?.is_archived !== true

/** Why a user must not edit the text of a message; undefined: they may. */
export const contentEditRefusal = (
  { settings }: Pick<Organization, 'settings'>,
  editor: Account,
  message: MessageFacts,
  now: number,
  grace = 0,
): 'turned-off' | 'not-sender' | 'too-old' | undefined => {
  if (!settings.allow_message_editing) return 'turned-off'
  if (message.sender_id !== editor.id) return 'not-sender'
  return isTooOld(message, settings.message_content_edit_limit_seconds, now - grace) ? 'too-old' : undefined
}

/**
 * Why a user must not delete a message; undefined: they may. A bot's owner may delete like the bot.
 * @param channel the channel of the message; undefined for a direct message
 */
export const deletionRefusal = (
  organization: Organization,
  user: Account,
  message: MessageFacts,
  channel: Channel | undefined,
  now: number,
): 'not-permitted' | 'too-old' | undefined => {
  const isPermitted = (setting: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    mayInRealm(organization, user, setting, now) ||
    (channel !== undefined && mayInChannel(organization, user, channel, setting, now))
  if (isPermitted('can_delete_any_message_group')) return undefined
  const sender = organization.users.get(message.sender_id)
  const isOwn = message.sender_id === user.id || (sender?.is_bot === true && sender.bot_owner_id === user.id)
  if (!isOwn || !isPermitted('can_delete_own_message_group')) return 'not-permitted'
  return isTooOld(message, organization.settings.message_content_delete_limit_seconds, now) ? 'too-old' : undefined
}

/** Whether the user may give messages another topic. The channels are those that the move touches. */
export const mayRenameTopic = (
  organization: Organization,
  editor: Account,
  channels: readonly Channel[],
  now?: number,
): boolean =>
  mayInRealm(organization, editor, 'can_move_messages_between_topics_group', now) ||
  channels.some(
    (channel) =>
      isChannelAdministrator(organization, editor, channel, now) ||
      mayInChannel(organization, editor, channel, 'can_move_messages_within_channel_group', now),
  )

/** Whether the user may move messages from the channel to another one. */
export const mayMoveOut = (organization: Organization, editor: Account, channel: Channel, now?: number): boolean =>
  mayInRealm(organization, editor, 'can_move_messages_between_channels_group', now) ||
  isChannelAdministrator(organization, editor, channel, now) ||
  mayInChannel(organization, editor, channel, 'can_move_messages_out_of_channel_group', now)

/**
 * Whether the user may resolve topics of the channel at any time. To resolve is to mark topics as resolved, and as not
 * resolved.
 */
export const mayResolveTopics = (
  organization: Organization,
  editor: Account,
  channel: Channel,
  now?: number,
): boolean =>
  mayInRealm(organization, editor, 'can_resolve_topics_group', now) ||
  mayInChannel(organization, editor, channel, 'can_resolve_topics_group', now)

/**
 * Returns the age up to which the user may give messages another topic. The age is in seconds; null means no limit.
 * Moderators have none.
 */
export const topicMoveLimit = ({ settings }: Pick<Organization, 'settings'>, editor: Account): number | null =>
  isModerator(editor) ? null : settings.move_messages_within_stream_limit_seconds

/**
 * Returns the age up to which the user may move messages to another channel. The age is in seconds; null means no
 * limit.
 */
export const channelMoveLimit = ({ settings }: Pick<Organization, 'settings'>, editor: Account): number | null =>
  isModerator(editor) ? null : settings.move_messages_between_streams_limit_seconds

/** What a user may do with a topic, or with the topic of a message. */
export interface TopicRights {
  /** give it another name */
  moveTopic: boolean
  /** move it to a channel in which the user may post */
  moveChannel: boolean
  /** give it another name while it moves to another channel, whose policy decides which names it may have */
  renameOnMove: boolean
  /** mark it as resolved, or as not resolved */
  resolve: boolean
}

/** What a user may do with a topic that they may not change. */
export const noTopicRights: TopicRights = {
  moveTopic: false,
  moveChannel: false,
  renameOnMove: false,
  resolve: false,
}

/**
 * What the user may do with a message of the topic that has this age.
 * @param channel undefined for a direct message, which has no topic
 */
export const topicRights = (
  organization: Organization,
  user: Account,
  message: Pick<MessageFacts, 'timestamp'> & { topic: string },
  channel: Channel | undefined,
  now = secondsNow(),
): TopicRights => {
  if (channel === undefined || !isChangeable(channel)) return noTopicRights
  const hasNames = topicsPolicy(organization, channel) !== 'empty_topic_only'
  const isReader = hasContentAccess(organization, user, channel, now)
  const mayRename =
    !isTooOld(message, topicMoveLimit(organization, user), now) && mayRenameTopic(organization, user, [channel], now)
  const moveChannel =
    !isTooOld(message, channelMoveLimit(organization, user), now) && mayMoveOut(organization, user, channel, now)
  return {
    moveTopic: isReader && (hasNames || message.topic !== '') && mayRename,
    moveChannel,
    renameOnMove: moveChannel && mayRename,
    resolve: isReader && hasNames && message.topic !== '' && mayResolveTopics(organization, user, channel, now),
  }
}

/** What a user may do with a message. */
export interface MessageRights extends TopicRights {
  /** change its text */
  edit: boolean
  delete: boolean
}

/** What the user may do with a message that they can read. Users answer the text of a widget: it is not edited. */
export const messageRights = (
  organization: Organization,
  user: Account,
  message: MessageFacts & { topic: string; is_widget: boolean },
  channel: Channel | undefined,
  now = secondsNow(),
): MessageRights => ({
  edit:
    isChangeable(channel) && !message.is_widget && contentEditRefusal(organization, user, message, now) === undefined,
  delete: isChangeable(channel) && deletionRefusal(organization, user, message, channel, now) === undefined,
  ...topicRights(organization, user, message, channel, now),
})

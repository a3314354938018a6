/**
 * Permission to send messages. Decided on the realm's state alone, so that the guard of the write protects it.
 *
 * Source: protocol/messages.md 3.4 and 3.5; protocol/permissions.md 6.3, 8.1 and 8.2.
 */

import { hasMetadataAccess, postingRefusal } from '#rules/channel-access.js'
import { mayBeginConversation, mayPostDirectly } from '#rules/direct-messages.js'
import { emptyTopicName, topicRefusal } from '#rules/topics.js'
import { escapeQuotes } from '../../html/html.js'
import type { ChannelRow, UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { errors } from '../../protocol/errors.js'
import { SystemGroup } from '../../settings/group-setting-values.js'

/** The channel of this name or id, whether or not the sender may know of it. */
export const findNamedChannel = (state: RealmState, named: string | number): ChannelRow | undefined =>
  typeof named === 'number' ? state.channels.get(named) : state.channelByName(named)

/**
 * The channel of this name or id, if the sender may post in this topic. System bots may post in every channel.
 * Throws BAD_REQUEST when the sender may not post there, and STREAM_DOES_NOT_EXIST for an unknown channel. A channel
 * that the sender does not see gets the latter, which tells neither its name nor that it exists. The name in the error
 * is escaped as HTML (protocol/errors.md 2): existing clients insert it into their page.
 */
export const requirePostableChannel = (
  state: RealmState,
  sender: UserRow,
  named: string | number,
  topic: string,
): ChannelRow => {
  const channel = findNamedChannel(state, named)
  const refusal = channel === undefined || sender.is_system_bot ? undefined : postingRefusal(state, sender, channel)
  if (channel === undefined || (refusal !== undefined && !hasMetadataAccess(state, sender, channel))) {
    throw typeof named === 'number'
      ? errors.channelIdDoesNotExist({ stream_id: named })
      : errors.channelDoesNotExist({ stream: escapeQuotes(named) })
  }
  if (refusal === 'not-permitted') throw errors.badRequest('You may not send messages to this channel.')
  if (refusal === 'not-reached')
    throw errors.badRequest('You may not send messages to the channel “{name}”.', { name: channel.name })
  checkTopicPolicy(state, channel, sender.is_system_bot ? topicForNotice(channel, topic) : topic)
  return channel
}

/**
 * Checks the topic of a message against the policy of its channel. Throws BAD_REQUEST for an empty topic where messages
 * need a topic, and for another one where they have none.
 */
export const checkTopicPolicy = (state: RealmState, channel: ChannelRow, topic: string): void => {
  const refusal = topicRefusal(state, channel, topic)
  if (refusal === 'needed') {
    throw errors.badRequest('Messages in this channel need a topic: {topic} is not accepted.', {
      topic: emptyTopicName,
    })
  }
  if (refusal === 'none') {
    throw errors.badRequest('Messages in this channel have no topic: only {topic} is accepted.', {
      topic: emptyTopicName,
    })
  }
}

/** The topic of a message of the server itself: none where messages have none. */
export const topicForNotice = ({ topics_policy }: ChannelRow, topic: string): string =>
  topics_policy === 'empty_topic_only' ? '' : topic

/**
 * Throws BAD_REQUEST unless the sender may send a direct message to these users.
 * @param participants the sender included
 * @returns whether the sender may begin the conversation with it
 */
export const checkDirectPost = (
  state: RealmState,
  sender: UserRow,
  participants: readonly UserRow[],
): { mayBegin: boolean } => {
  if (!mayPostDirectly(state, sender, participants)) {
    throw state.settings.direct_message_permission_group === SystemGroup.nobody
      ? errors.badRequest('This organization has turned off direct messages.')
      : errors.badRequest('Add a user with the permission to authorize direct messages to this conversation.')
  }
  return { mayBegin: mayBeginConversation(state, sender, participants) }
}

/**
 * Interactive clients: a message that a user sends with one counts as read by its sender (protocol/messages.md 3.6).
 */
const readingClients = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
])

/** Whether a message sent by this program counts as read by its sender. */
export const isReadBySender = (client: string): boolean => readingClients.has(client.toLowerCase())

/**
 * Who may send where. Decided on the realm's state alone, so that a guarded write can rest on it.
 *
 * Source: messages.md 3.4 and 3.5; permissions.md 6.3, 8.1 and 8.2.
 */

import type { ChannelRow, UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { escapeQuotes } from '../../markdown/escape.js'
import { hasMetadataAccess, postingRefusal } from '../../permissions/channel-access.js'
import { mayInRealm } from '../../permissions/permissions.js'
import { errors } from '../../protocol/errors.js'
import { SystemGroup } from '../../settings/group-setting-values.js'
import { emptyTopicName } from '../message.js'

/**
 * The channel of this name or id, if the sender may post in this topic of it. System accounts may post anywhere.
 * One that the sender does not see is refused as one that does not exist: neither its name nor its existence is told.
 * What the sender called it comes back as HTML (errors.md 2): existing clients put it into their page.
 */
export const channelToPostIn = (
  state: RealmState,
  sender: UserRow,
  named: string | number,
  topic: string,
): ChannelRow => {
  const channel = typeof named === 'number' ? state.channels.get(named) : state.channelByName(named)
  const refusal = channel === undefined || sender.is_system_bot ? undefined : postingRefusal(state, sender, channel)
  if (channel === undefined || (refusal !== undefined && !hasMetadataAccess(state, sender, channel))) {
    throw typeof named === 'number'
      ? errors.channelIdDoesNotExist({ stream_id: named })
      : errors.channelDoesNotExist({ stream: escapeQuotes(named) })
  }
  if (refusal === 'not-permitted') throw errors.badRequest('You may not send messages to this channel.')
  if (refusal === 'not-reached') throw errors.badRequest(`You may not send messages to the channel '${channel.name}'.`)
  if (topic === '') checkEmptyTopic(state, channel)
  return channel
}

/** Refuses messages without a topic where the channel takes none. */
export const checkEmptyTopic = (state: RealmState, channel: ChannelRow): void => {
  if (topicsPolicy(state, channel) === 'disable_empty_topic') {
    throw errors.badRequest(`Messages in this channel need a topic: ${emptyTopicName} is not accepted.`)
  }
}

/** Whether messages of a channel may be without a topic. */
const topicsPolicy = (state: RealmState, channel: ChannelRow): 'allow_empty_topic' | 'disable_empty_topic' =>
  channel.topics_policy === 'inherit' ? state.settings.topics_policy : channel.topics_policy

/**
 * Refuses a direct message among these people, unless the sender may send it.
 * @param participants the sender included
 * @returns whether it is refused all the same when it would be the first of its conversation
 */
export const checkDirectPost = (
  state: RealmState,
  sender: UserRow,
  participants: readonly UserRow[],
): { mayBegin: boolean } => {
  const isExempt = sender.is_bot || participants.every((user) => user.is_bot || user.id === sender.id)
  if (isExempt) return { mayBegin: true }
  if (!participants.some((user) => mayInRealm(state, user, 'direct_message_permission_group'))) {
    throw state.settings.direct_message_permission_group === SystemGroup.nobody
      ? errors.badRequest('This organization has turned off direct messages.')
      : errors.badRequest('Somebody who may permit direct messages must take part in this conversation.')
  }
  return { mayBegin: mayInRealm(state, sender, 'direct_message_initiator_group') }
}

/** Programs whose users see what they send: their own messages are read (messages.md 3.6). */
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

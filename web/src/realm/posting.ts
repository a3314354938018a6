/**
 * Why the user cannot write in a conversation, and what they can do.
 *
 * The rules are those of the server (rules/). The server decides; this says it before the user writes. A conversation
 * that is not known here is no obstacle.
 */

import { type Channel, directKey, type User } from '@parley/client/realm'
import { postingRefusal } from '#rules/channel-access.js'
import { mayBeginConversation, mayPostDirectly } from '#rules/direct-messages.js'
import type { Account } from '#rules/organization.js'
import { isEmptyTopic, topicRefusal, topicsPolicy } from '#rules/topics.js'
import { listNames } from '../languages/lists.js'
import { t } from '../languages/t.js'
import type { Conversation } from '../routing/views.js'
import type { Chat } from './chat.js'
import { describeHolders, hasHolders, holdersOf } from './groups.js'
import { topicName } from './names.js'
import { isAdministrator, mayJoinChannel } from './permissions.js'
import { readAccount, readChannel, readOrganization, readOwnAccount } from './rules.js'

/** What keeps the user from writing. */
export interface Obstacle {
  /** the reason, and what the user can do */
  readonly text: string
  /** a channel that the user may join */
  readonly join?: Channel
  /** the user may write nevertheless, without joining */
  readonly isAdvice?: boolean
}

/** The number of conversations that a registration lists. With fewer, the list has all of them. */
const LISTED_CONVERSATIONS = 1_000

/** Finds what keeps the user from writing there. A channel alone stands for a new topic in it. */
export const findObstacle = (chat: Chat, conversation: Conversation): Obstacle | undefined => {
  const user = readOwnAccount(chat)
  if (user === undefined) return undefined
  if (conversation.kind === 'direct') return findDirectObstacle(chat, conversation.userIds, user)
  const channel = chat.channels.value.get(conversation.channelId)
  if (channel === undefined) return { text: t('This channel does not exist, or you cannot see it.') }
  const inChannel = findChannelObstacle(chat, channel, user)
  if (inChannel !== undefined && inChannel.isAdvice !== true) return inChannel
  // A topic that is not accepted comes before the advice to join: with it, the user could write.
  return (conversation.kind === 'topic' ? findTopicObstacle(chat, channel, conversation.topic) : undefined) ?? inChannel
}

const findChannelObstacle = (chat: Chat, channel: Channel, user: Account): Obstacle | undefined => {
  const { name, stream_id, can_send_message_group } = channel
  if (channel.is_archived) {
    const text = isAdministrator(chat)
      ? t('#{channel} is archived: nobody can write in it. Take it out of the archive in its settings.', {
          channel: name,
        })
      : t('#{channel} is archived: nobody can write in it. An administrator can open it.', { channel: name })
    return { text }
  }
  const isSubscribed = chat.subscriptions.value.has(stream_id)
  const mayJoin = !isSubscribed && mayJoinChannel(chat, channel)
  const joinable = mayJoin ? { join: channel } : {}
  const refusal = postingRefusal(readOrganization(chat), user, readChannel(channel))
  if (refusal === 'not-permitted') {
    return {
      text: t('You cannot write in #{channel}. Who can: {people}. Ask an administrator for the permission.', {
        channel: name,
        people: describeHolders(chat, holdersOf(chat, can_send_message_group)),
      }),
      ...joinable,
    }
  }
  if (isSubscribed) return undefined
  if (refusal === 'not-reached') {
    const text = mayJoin
      ? t('You are not subscribed to #{channel}. Join it to write here.', { channel: name })
      : t('You are not subscribed to #{channel}. Ask a subscriber to add you.', { channel: name })
    return { text, ...joinable }
  }
  if (mayJoin)
    return {
      text: t('You are not subscribed to #{channel}, so answers do not reach you.', { channel: name }),
      ...joinable,
      isAdvice: true,
    }
  return undefined
}

const findTopicObstacle = (chat: Chat, channel: Channel, topic: string): Obstacle | undefined => {
  const refusal = topicRefusal(readOrganization(chat), channel, isEmptyTopic(topic.trim()) ? '' : topic)
  if (refusal === 'none')
    return { text: t('Messages in #{channel} have no topic. Remove the topic.', { channel: channel.name }) }
  if (refusal === undefined) return undefined
  return {
    text: t('Messages in #{channel} need a topic: {topic} is not accepted. Choose one.', {
      channel: channel.name,
      topic: topicName(chat, ''),
    }),
  }
}

/** Whether each message in the channel needs a topic. */
export const needsTopic = (chat: Chat, channel: Channel): boolean =>
  topicsPolicy(readOrganization(chat), channel) === 'disable_empty_topic'

const findDirectObstacle = (chat: Chat, userIds: readonly number[], user: Account): Obstacle | undefined => {
  const users = userIds.map((id) => chat.users.value.get(id))
  if (users.includes(undefined))
    return { text: t('You cannot write to all of these people, because you cannot see them.') }
  const others = (users as User[]).filter(({ user_id }) => user_id !== user.id)
  const deactivated = others.filter(({ is_active }) => !is_active).map(({ full_name }) => full_name)
  if (deactivated.length > 0) {
    return {
      text: t(
        '{count, plural, one {{names} is deactivated, and can receive no messages. Write to another person.} other {{names} are deactivated, and can receive no messages. Write to another person.}}',
        { count: deactivated.length, names: listNames(deactivated) },
      ),
    }
  }
  const organization = readOrganization(chat)
  const participants = [user, ...others.map((other) => readAccount(chat, other))]
  if (!mayPostDirectly(organization, user, participants)) {
    const holders = holdersOf(chat, organization.settings.direct_message_permission_group)
    const text = hasHolders(chat, holders)
      ? t('One of the people here must be allowed to authorize direct messages. Who is: {people}. Add one of them.', {
          people: describeHolders(chat, holders),
        })
      : t('This organization has turned off direct messages. Write in a channel.')
    return { text }
  }
  const isKnown = chat.directConversations.value.has(directKey([...userIds, user.id]))
  const isListComplete = chat.directConversations.value.size < LISTED_CONVERSATIONS
  if (isKnown || !isListComplete || mayBeginConversation(organization, user, participants)) return undefined
  return { text: t('You cannot begin a direct conversation: you can answer when another person writes to you here.') }
}

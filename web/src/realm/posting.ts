/**
 * Why the user cannot write in a conversation, and what they can do.
 *
 * The rules are those of the server (src/domain/messages/sending/posting.ts). The server decides; this says it before
 * the user writes. What is not known here is no obstacle.
 */
import { type Channel, directKey, type User } from '@parley/client/realm'
import type { Conversation } from '../routing/views.js'
import type { Chat } from './chat.js'
import { describeHolders, holdersOf } from './groups.js'
import { topicName } from './names.js'
import { type GroupValue, includesUser, isAdministrator, mayJoinChannel, mayReadChannel } from './permissions.js'

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
  if (chat.ownUserId === undefined) return undefined
  if (conversation.kind === 'direct') return findDirectObstacle(chat, conversation.userIds, chat.ownUserId)
  const channel = chat.channels.value.get(conversation.channelId)
  if (channel === undefined) return { text: 'This channel does not exist, or you cannot see it.' }
  return (
    findChannelObstacle(chat, channel, chat.ownUserId) ??
    (conversation.kind === 'topic' ? findTopicObstacle(chat, channel, conversation.topic) : undefined)
  )
}

const findChannelObstacle = (chat: Chat, channel: Channel, ownUserId: number): Obstacle | undefined => {
  const { name, stream_id, can_send_message_group } = channel
  if (channel.is_archived) {
    const remedy = isAdministrator(chat)
      ? 'Take it out of the archive in its settings.'
      : 'An administrator can open it.'
    return { text: `#${name} is archived: nobody can write in it. ${remedy}` }
  }
  const isSubscribed = chat.subscriptions.value.has(stream_id)
  const mayJoin = !isSubscribed && mayJoinChannel(chat, channel)
  const joinable = mayJoin ? { join: channel } : {}
  if (!includesUser(chat.groups.value, can_send_message_group, ownUserId)) {
    const holders = describeHolders(chat, holdersOf(chat, can_send_message_group as GroupValue))
    return {
      text: `You cannot write in #${name}. Who can: ${holders}. Ask an administrator for the permission.`,
      ...joinable,
    }
  }
  if (isSubscribed) return undefined
  if (!mayReadChannel(chat, channel)) {
    return { text: `You are not subscribed to #${name}. Ask a subscriber to add you.` }
  }
  if (mayJoin)
    return { text: `You are not subscribed to #${name}, so answers do not reach you.`, ...joinable, isAdvice: true }
  return undefined
}

const findTopicObstacle = (chat: Chat, channel: Channel, topic: string): Obstacle | undefined => {
  if (channel.topics_policy === 'empty_topic_only' && !isEmptyTopic(topic)) {
    return { text: `Messages in #${channel.name} have no topic. Remove the topic.` }
  }
  if (!isEmptyTopic(topic) || !needsTopic(chat, channel)) return undefined
  return { text: `Messages in #${channel.name} need a topic: ${topicName(chat, '')} is not accepted. Choose one.` }
}

/** The server takes these names for the empty topic. */
const isEmptyTopic = (topic: string): boolean => ['', 'general chat', '(no topic)'].includes(topic.trim())

/** Whether each message in the channel needs a topic. */
export const needsTopic = (chat: Chat, { topics_policy: policy }: Channel): boolean =>
  policy === 'inherit' ? chat.organization.value.realm_mandatory_topics === true : policy === 'disable_empty_topic'

const findDirectObstacle = (chat: Chat, userIds: readonly number[], ownUserId: number): Obstacle | undefined => {
  const users = userIds.map((id) => chat.users.value.get(id))
  if (users.includes(undefined))
    return { text: 'You cannot write to all of these people, because you cannot see them.' }
  const others = (users as User[]).filter(({ user_id }) => user_id !== ownUserId)
  const deactivated = others.filter(({ is_active }) => !is_active).map(({ full_name }) => full_name)
  if (deactivated.length > 0) {
    const are = deactivated.length === 1 ? 'is' : 'are'
    return {
      text: `${deactivated.join(', ')} ${are} deactivated, and can receive no messages. Write to another person.`,
    }
  }
  if (others.every(({ is_bot }) => is_bot)) return undefined
  const { realm_direct_message_permission_group: permission, realm_direct_message_initiator_group: initiators } =
    chat.organization.value
  const isHolder = (value: GroupValue | undefined) => (id: number) =>
    value === undefined || includesUser(chat.groups.value, value, id)
  if (![ownUserId, ...userIds].some(isHolder(permission))) {
    const holders = permission === undefined ? 'Nobody' : describeHolders(chat, holdersOf(chat, permission))
    const text =
      holders === 'Nobody'
        ? 'This organization has turned off direct messages. Write in a channel.'
        : `One of the people here must be allowed to authorize direct messages. Who is: ${holders}. Add one of them.`
    return { text }
  }
  const isKnown = chat.directConversations.value.has(directKey([...userIds, ownUserId]))
  if (isKnown || isHolder(initiators)(ownUserId) || chat.directConversations.value.size >= LISTED_CONVERSATIONS) {
    return undefined
  }
  return { text: 'You cannot begin a direct conversation: you can answer when another person writes to you here.' }
}

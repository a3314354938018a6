/** Finds people, channels and topics by their names: those first whom or which the user means most likely. */
import type { Channel, Topic, User } from '@parley/client/realm'
import type { Chat } from '../realm/chat.js'
import { topicName } from '../realm/names.js'
import { rankByName } from './rank.js'
import { sendersOf } from './shown-messages.js'
import { usesOf } from './uses.js'

/** A rank within a tier, which never reaches the next tier. */
const TIER = 1e12

/**
 * Finds the active users whose names match. The users who take part in the open conversation come first, then those to
 * whom the user wrote lately, then the subscribers of the channel to which the user writes, then the others.
 * @param place where the user writes; without it, there are no participants and no subscribers
 */
export const findUsers = (chat: Chat, query: string, place?: { channelId: number | undefined }): User[] => {
  const active = [...chat.users.value.values()].filter(({ is_active }) => is_active)
  return rankByName(active, query, ({ full_name }) => full_name, weighUsers(chat, place))
}

const weighUsers = (chat: Chat, place: { channelId: number | undefined } | undefined): ((user: User) => number) => {
  const uses = usesOf(chat)
  const rankOf = (ids: readonly number[]) => new Map(ids.map((id, rank) => [id, rank]))
  const senders = rankOf(place === undefined ? [] : sendersOf(place.channelId))
  const partners = rankOf(directPartners(chat))
  const members = place?.channelId === undefined ? undefined : chat.members(place.channelId).value
  const presence = chat.presence.peek()
  const muted = chat.mutedUsers.peek()
  return ({ user_id: id, is_bot }) => {
    const sender = senders.get(id)
    if (muted.has(id)) return 5 * TIER
    if (id === chat.ownUserId) return 4 * TIER
    if (sender !== undefined) return sender
    const weight = uses.weightOf('person', String(id))
    const partner = partners.get(id)
    if (weight > 0) return TIER - weight
    if (partner !== undefined) return TIER + partner
    const isSubscribed = members?.has(id) === true
    return (isSubscribed ? 2 : 3) * TIER + (is_bot ? 2 : 0) + (presence.has(id) ? 0 : 1)
  }
}

/** The people in the latest conversations of direct messages, each once. */
const directPartners = (chat: Chat): number[] => {
  const conversations = [...chat.directConversations.peek()].sort(([, one], [, other]) => other - one)
  return [...new Set(conversations.flatMap(([key]) => key.split(',').map(Number)))]
}

/** Finds the channels whose names match. Subscribed ones come first, and of them the most recently active. */
export const findChannels = (chat: Chat, query: string): Channel[] =>
  rankByName(
    [...chat.channels.value.values()].filter(({ is_archived }) => !is_archived),
    query,
    ({ name }) => name,
    weighChannels(chat),
  )

const weighChannels = (chat: Chat): ((channel: Channel) => number) => {
  const unread = chat.unread.peek().channels
  const newestOf = (channelId: number) =>
    Math.max(
      usesOf(chat).newestMessageOf(channelId),
      ...[...(unread.get(channelId)?.values() ?? [])].map((ids) => ids.at(-1) ?? 0),
    )
  return (channel) => {
    const subscription = chat.subscriptions.value.get(channel.stream_id)
    const tier = subscription === undefined ? 2 : subscription.is_muted ? 1 : 0
    const newest = newestOf(channel.stream_id)
    if (newest > 0) return tier * 2 * TIER - newest
    return (tier * 2 + (channel.is_recently_active === false ? 1 : 0)) * TIER - (channel.stream_weekly_traffic ?? 0)
  }
}

/** The topics of a channel whose names match, the newest first. They are fetched when they are first asked for. */
export const findTopics = (chat: Chat, channelId: number, query: string): Topic[] => {
  const topics = chat.topics(channelId).value ?? []
  const newest = topics[0]?.max_id ?? 0
  return rankByName(
    topics,
    query,
    ({ name }) => topicName(chat, name),
    ({ max_id }) => newest - max_id,
  )
}

/**
 * Counts of unread messages.
 *
 * 1. A muted topic, and a topic of a muted channel that is not unmuted or followed, does not count; a mention does.
 * 2. The number of a channel is the sum of its topics that count, so numbers never contradict each other.
 * 3. A channel is counted again only when something in it changed: its unread messages are a new map then.
 */
import type { Unread } from '@parley/client/realm'
import { isTopicMutedBy, type Muting } from '#rules/topic-policies.js'
import type { Chat } from './chat.js'

/** What decides now whether a topic counts, for the user of the page. */
export const currentMuting = (chat: Chat): Muting => ({
  subscriptions: chat.subscriptions.value,
  policies: chat.topicPolicies.value,
})

/** How many messages are unread, and how many of them mention the user. */
export interface Count {
  unread: number
  mentions: number
}

/** Nothing is unread. */
export const noCount: Count = { unread: 0, mentions: 0 }

/** Counts the messages with these ids. */
export const countIds = (ids: readonly number[], { mentions }: Unread): Count => ({
  unread: ids.length,
  mentions: mentions.size === 0 ? 0 : ids.reduce((sum, id) => sum + (mentions.has(id) ? 1 : 0), 0),
})

/**
 * Makes a function of one channel's unread topics remember its result. It is computed again when the topics, or what
 * mutes them, change.
 */
export const memoizeByChannel = <T>(
  compute: (channelId: number, topics: UnreadTopics, unread: Unread, muting: Muting) => T,
): typeof compute => {
  const known = new WeakMap<UnreadTopics, { result: T; mentions: Unread['mentions'] } & Muting>()
  return (channelId, topics, unread, muting) => {
    const { mentions } = unread
    const { subscriptions, policies } = muting
    const last = known.get(topics)
    const isCurrent = last?.mentions === mentions && last.subscriptions === subscriptions && last.policies === policies
    if (last !== undefined && isCurrent) return last.result
    const result = compute(channelId, topics, unread, muting)
    known.set(topics, { result, mentions, subscriptions, policies })
    return result
  }
}

type UnreadTopics = ReadonlyMap<string, readonly number[]>

/** Counts a channel. */
export const countChannel = (channelId: number, unread: Unread, muting: Muting): Count => {
  const topics = unread.channels.get(channelId)
  return topics === undefined ? noCount : countTopics(channelId, topics, unread, muting)
}

const countTopics = memoizeByChannel((channelId, topics, unread, muting): Count => {
  let total = noCount
  for (const [topic, ids] of topics) {
    const count = countIds(ids, unread)
    total = add(total, isTopicMutedBy(muting, channelId, topic) ? { unread: 0, mentions: count.mentions } : count)
  }
  return total
})

/** Which channels show how much is unread: the values of `web_stream_unreads_count_display_policy`. */
const CountPolicy = { all: 1, unmuted: 2, none: 3 }

/** Counts a channel as its line shows it. A mention is always shown. */
export const countForLine = (chat: Chat, channelId: number): Count => {
  const unread = chat.unread.value
  const count = countChannel(channelId, unread, currentMuting(chat))
  const policy = chat.settings.value.web_stream_unreads_count_display_policy
  if (policy === CountPolicy.none) return { ...count, unread: 0 }
  if (policy !== CountPolicy.all) return count
  let all = 0
  for (const ids of unread.channels.get(channelId)?.values() ?? []) all += ids.length
  return { ...count, unread: all }
}

/** The count of a topic as its line shows it. */
export const countTopicForLine = (chat: Chat, count: Count, isMuted: boolean): Count => {
  const policy = chat.settings.value.web_stream_unreads_count_display_policy
  const isShown = policy === CountPolicy.all || (policy !== CountPolicy.none && !isMuted)
  return isShown ? count : { ...count, unread: 0 }
}

/** Counts all direct messages. */
export const countDirect = (unread: Unread): Count => {
  let total = noCount
  for (const ids of unread.direct.values()) total = add(total, countIds(ids, unread))
  return total
}

/** Counts everything. */
export const countAll = (unread: Unread, muting: Muting): Count => {
  let total = countDirect(unread)
  for (const channelId of unread.channels.keys()) total = add(total, countChannel(channelId, unread, muting))
  return total
}

const add = (one: Count, other: Count): Count => ({
  unread: one.unread + other.unread,
  mentions: one.mentions + other.mentions,
})

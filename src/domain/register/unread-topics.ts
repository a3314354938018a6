/**
 * A reader's unread messages in channels, from the messages in memory and what only the database has of the reader.
 *
 * The rules, and so the result, are those of the statement that reads all of it from the database
 * (store/register/unread-content.ts). Memory is faster when thousands of messages are unread.
 */
import { limits } from '../limits/limits.js'
import { Flag, wildcardMentioned } from '../messages/flags.js'
import { ALL_READERS, countUpTo, findNewest, type MessageRange, type RecentMessages } from './recent-messages.js'
import type { Unread, UnreadTopic } from './snapshot-request.js'

/** What the database has of one reader, all of it as of one seq. */
export interface ReaderFacts {
  /** the newest message of the realm */
  last_message_id: number
  /** the reader's channels, with the read pointers */
  channels: [channel_id: number, read_up_to: number, is_muted: boolean][]
  /** whether a topic is muted, for topics with a policy of the reader */
  policies: [channel_id: number, folded: string, is_muted: boolean][]
  /** flags of messages above the floor, as bits, each with its messages */
  flags: { flags: number; ids: number[] }[]
  /** those of the moved messages that count as read */
  read_moved: number[]
  /** unread messages up to the floor, and those up to the read pointers */
  older: Unread<UnreadTopic & { folded: string }>
}

/** Composes the unread messages of a reader; undefined: too many are not in memory. */
export const composeUnreadTopics = (
  recent: RecentMessages,
  user_id: number,
  facts: ReaderFacts,
): Unread<UnreadTopic> | undefined => {
  const { last_message_id, older } = facts
  const ranges: (MessageRange & { channel_id: number; is_muted: boolean })[] = []
  let examined = 0
  for (const [channel_id, read_up_to, is_muted] of facts.channels) {
    const range = recent.findRange(channel_id, Math.max(read_up_to, recent.floor), last_message_id)
    if (range === undefined) continue
    examined += range.end - range.start
    ranges.push({ ...range, channel_id, is_muted })
  }
  const most = limits.max_unread_messages
  const is_cut = examined >= most
  if (!is_cut && (older.is_cut || examined + older.examined >= most)) return undefined

  const edge = is_cut ? findNewest(ranges, most) : 0
  const flags = new Map<number, number>()
  for (const { flags: bits, ids } of facts.flags) for (const id of ids) flags.set(id, bits)
  const readMoved = new Set(facts.read_moved)
  const policies = new Map(
    facts.policies.map(([channel_id, folded, is_muted]) => [`${channel_id} ${folded}`, is_muted]),
  )
  const olderTopics = listOlder(facts, is_cut)

  const conversations: UnreadTopic[] = []
  for (const { messages, start, end, channel_id, is_muted } of ranges) {
    const { ids, topics, readers } = messages
    const found = new Map<string, UnreadTopic>()
    for (let i = Math.max(start, countUpTo(ids, edge - 1)); i < end; i++) {
      const id = ids[i] as number
      const own = flags.get(id) ?? 0
      if ((own & Flag.unread) === 0) {
        const reader = readers[i]
        if ((own & Flag.read) !== 0 || reader === ALL_READERS || reader === user_id || readMoved.has(id)) continue
      }
      const { text, folded } = topics[i] as (typeof topics)[number]
      let topic = found.get(folded)
      if (topic === undefined) {
        const key = `${channel_id} ${folded}`
        topic = olderTopics.get(key) ?? { channel_id, topic: text, is_muted, ids: [], mentions: [], wildcards: [] }
        topic.is_muted = policies.get(key) ?? is_muted
        olderTopics.delete(key)
        found.set(folded, topic)
        conversations.push(topic)
      }
      // A topic is called as its newest unread message spells it.
      topic.topic = text
      topic.ids.push(id)
      const bits = recent.everyone.size === 0 ? own : own | (recent.everyone.get(id) ?? 0)
      if ((bits & byName) !== 0) topic.mentions.push(id)
      if ((bits & wildcardMentioned) !== 0) topic.wildcards.push(id)
    }
  }
  return { conversations: [...conversations, ...olderTopics.values()], examined, is_cut }
}

/** Mentions of the reader, or of a group that contains the reader. */
const byName = Flag.mentioned | Flag.group_mentioned

/**
 * The topics of messages that are not in memory. If memory has as many messages as are examined at most, the older ones
 * are left out, apart from those that the reader marked as unread.
 */
const listOlder = ({ channels, older }: ReaderFacts, is_cut: boolean): Map<string, UnreadTopic> => {
  const topics = new Map(older.conversations.map((topic) => [`${topic.channel_id} ${topic.folded}`, topic]))
  if (!is_cut || older.examined === 0) return topics
  const pointers = new Map(channels.map(([channel_id, read_up_to]) => [channel_id, read_up_to]))
  for (const [key, topic] of topics) {
    const isMarked = (id: number) => id <= (pointers.get(topic.channel_id) ?? 0)
    const [ids, mentions, wildcards] = [topic.ids, topic.mentions, topic.wildcards].map((list) => list.filter(isMarked))
    if (ids?.length === 0) topics.delete(key)
    else topics.set(key, Object.assign(topic, { ids, mentions, wildcards }))
  }
  return topics
}

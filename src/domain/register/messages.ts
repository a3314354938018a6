/**
 * Fetch names `message`, `update_message_flags`, `starred_messages`, `recent_private_conversations`: the viewer's
 * unread and starred messages, and recent conversations. Source: protocol/register.md 5.6.
 */
import { z } from 'zod'
import { displayTopic } from '../messages/message.js'
import { type Content, declareDatabaseField, field } from './snapshot-request.js'

const ids = z.array(z.int())

const unreadMessages = z.object({
  count: z.int(),
  pms: z.array(z.object({ other_user_id: z.int(), sender_id: z.int(), unread_message_ids: ids })),
  streams: z.array(z.object({ stream_id: z.int(), topic: z.string(), unread_message_ids: ids })),
  huddles: z.array(z.object({ user_ids_string: z.string(), unread_message_ids: ids })),
  mentions: ids,
  old_unreads_missing: z.boolean(),
})

type UnreadMessages = z.infer<typeof unreadMessages>

const recentConversations = z.array(z.object({ max_message_id: z.int(), user_ids: ids }))

const nothingUnread: UnreadMessages = {
  count: 0,
  pms: [],
  streams: [],
  huddles: [],
  mentions: [],
  old_unreads_missing: false,
}

export const messageSection = {
  max_message_id: field(z.int(), ({ viewer }) =>
    viewer === null ? -1 : declareDatabaseField(['last_message_id'], ({ last_message_id }) => last_message_id || -1),
  ),
  // A client needs the events of both names to keep it up to date, so it is sent only if both are requested.
  unread_msgs: field(unreadMessages.optional(), (request) => {
    if (!request.isFetched('update_message_flags')) return undefined
    const { viewer, profile } = request
    if (viewer === null) return nothingUnread
    const { id } = viewer
    return declareDatabaseField(['unread_topics', 'unread_direct'], (content) =>
      composeUnread(content, id, profile.empty_topic_name),
    )
  }),
}

export const starredSection = {
  starred_messages: field(ids, ({ viewer }) =>
    viewer === null ? [] : declareDatabaseField(['starred'], ({ starred }) => starred),
  ),
}

export const recentConversationsSection = {
  recent_private_conversations: field(recentConversations, ({ viewer }) =>
    viewer === null
      ? []
      : declareDatabaseField(['recent_direct'], ({ recent_direct }) => omitSelf(recent_direct, viewer.id)),
  ),
}

const omitSelf = (recent: Content['recent_direct'], self: number): z.infer<typeof recentConversations> =>
  recent.map(({ max_message_id, user_ids }) => ({ max_message_id, user_ids: user_ids.filter((id) => id !== self) }))

/** The viewer's unread messages, grouped and sorted as clients expect them. */
const composeUnread = (
  { unread_topics, unread_direct }: Pick<Content, 'unread_topics' | 'unread_direct'>,
  self: number,
  empty_topic_name: boolean,
): UnreadMessages => {
  const pms: UnreadMessages['pms'] = []
  const huddles: UnreadMessages['huddles'] = []
  const mentions: number[] = []
  let total = 0
  let muted = 0
  for (const { user_ids, ids, mentions: mentioning } of unread_direct.conversations) {
    total += ids.length
    mentions.push(...mentioning)
    if (user_ids.length > 2) {
      huddles.push({ user_ids_string: user_ids.join(), unread_message_ids: ids })
    } else {
      const other = user_ids.find((id) => id !== self) ?? self
      pms.push({ other_user_id: other, sender_id: other, unread_message_ids: ids })
    }
  }
  const streams = unread_topics.conversations.map(({ channel_id, topic, ids }) => ({
    stream_id: channel_id,
    topic: displayTopic(topic, empty_topic_name),
    unread_message_ids: ids,
  }))
  for (const topic of unread_topics.conversations) {
    total += topic.ids.length
    if (topic.is_muted) muted += topic.ids.length
    const counted = topic.is_muted ? topic.mentions : [...topic.mentions, ...topic.wildcards]
    for (const id of counted) mentions.push(id)
  }
  return {
    count: total - muted,
    pms: pms.sort((a, b) => a.other_user_id - b.other_user_id),
    streams: streams.sort((a, b) => a.stream_id - b.stream_id || compare(a.topic, b.topic)),
    huddles: huddles.sort((a, b) => compare(a.user_ids_string, b.user_ids_string)),
    mentions: [...new Set(mentions)].sort((a, b) => a - b),
    old_unreads_missing: unread_topics.is_cut || unread_direct.is_cut,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

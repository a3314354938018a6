/** Arranges the unread conversations for the inbox. */
import type { Unread } from '@parley/client/realm'
import { isTopicMutedBy, type Muting } from '#rules/topic-policies.js'
import { countIds, memoizeByChannel } from '../realm/unread.js'

export interface InboxTopic {
  topic: string
  ids: readonly number[]
  mentions: number
}

export interface InboxChannel {
  channelId: number
  topics: InboxTopic[]
}

export interface InboxDirect {
  /** the participants, such as `'5,7'` */
  key: string
  ids: readonly number[]
}

export interface InboxContent {
  direct: InboxDirect[]
  channels: InboxChannel[]
}

/**
 * The unread conversations, those with the newest message first. Muted topics are left out, unless the user is
 * mentioned.
 */
export const arrangeInbox = (unread: Unread, muting: Muting): InboxContent => {
  const direct = [...unread.direct]
    .map(([key, ids]) => ({ key, ids }))
    .filter(({ ids }) => ids.length > 0)
    .sort((a, b) => newest(b.ids) - newest(a.ids))
  const channels = [...unread.channels]
    .map(([channelId, topics]) => arrangeChannel(channelId, topics, unread, muting))
    .filter(({ topics }) => topics.length > 0)
    .sort((a, b) => newest(b.topics[0]?.ids ?? []) - newest(a.topics[0]?.ids ?? []))
  return { direct, channels }
}

/** The topics of one channel. The same object as before if nothing has changed in it, so that it is not drawn again. */
const arrangeChannel = memoizeByChannel(
  (channelId, topics, unread, muting): InboxChannel => ({
    channelId,
    topics: [...topics]
      .map(([topic, ids]) => ({ topic, ids, mentions: countIds(ids, unread).mentions }))
      .filter(({ ids }) => ids.length > 0)
      .filter(({ topic, mentions }) => mentions > 0 || !isTopicMutedBy(muting, channelId, topic))
      .sort((a, b) => newest(b.ids) - newest(a.ids)),
  }),
)

/** Lists of unread messages are ascending. */
const newest = (ids: readonly number[]): number => ids.at(-1) ?? 0

/** Returns the unread topic after the one that is open. Undefined if there is none. */
export const nextUnreadTopic = (
  { channels }: InboxContent,
  current?: { channelId: number; topic: string },
): { channelId: number; topic: string } | undefined => {
  const all = channels.flatMap(({ channelId, topics }) => topics.map(({ topic }) => ({ channelId, topic })))
  const index = all.findIndex((one) => one.channelId === current?.channelId && one.topic === current?.topic)
  return all[index + 1] ?? all.find((_, position) => position !== index)
}

/** Returns the unread direct conversation after the one that is open. It is named by its key such as `'5,7'`. */
export const nextUnreadDirect = ({ direct }: InboxContent, currentKey?: string): string | undefined => {
  const index = direct.findIndex(({ key }) => key === currentKey)
  return (direct[index + 1] ?? direct.find((_, position) => position !== index))?.key
}

/** Topics of several channels, found by their names. */

import type { Chat } from '../realm/chat.js'
import { topicName } from '../realm/names.js'
import { findChannels, findTopics } from './find.js'
import { rankByName } from './rank.js'

/** The topics of so many channels are asked for: a user can have hundreds of channels. */
const CHANNELS = 15

/** A topic, and its channel. */
export interface KnownTopic {
  channelId: number
  name: string
  maxId: number
}

/** The topics of a channel, or of the most active channels of the user. They are fetched when they are first needed. */
export const knownTopics = (chat: Chat, channelId?: number): KnownTopic[] => {
  const channelIds =
    channelId === undefined
      ? findChannels(chat, '')
          .map(({ stream_id }) => stream_id)
          .filter((id) => chat.subscriptions.value.has(id))
          .slice(0, CHANNELS)
      : [channelId]
  return channelIds.flatMap((id) =>
    (chat.topics(id).value ?? []).map(({ name, max_id }) => ({ channelId: id, name, maxId: max_id })),
  )
}

/** Those of them whose names match, the newest first. */
export const findKnownTopics = (chat: Chat, query: string, channelId?: number): KnownTopic[] =>
  channelId === undefined
    ? rankByName(
        knownTopics(chat),
        query,
        ({ name }) => topicName(chat, name),
        ({ maxId }) => -maxId,
      )
    : findTopics(chat, channelId, query).map(({ name, max_id: maxId }) => ({ channelId, name, maxId }))

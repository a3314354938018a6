/**
 * Whether a topic is new: whether it has no message.
 *
 * Nearly every send asks this, and nearly every topic has messages. So topics with messages are cached until an entry
 * reports that messages were deleted or moved.
 * A removal without an entry, because it had no audience, is noticed within a minute, when the cached topic expires.
 */

import type { Entry } from '../../../domain/log/entry.js'
import { OwnedKey } from '../../../domain/log/owned-values.js'
import type { UpdateMessageData } from '../../../domain/messages/editing/update-message-entry.js'
import type { Realm } from '../../log/realm.js'
import type { Db } from '../../sql.js'

/** One topic of one channel, compared without case. */
export interface Topic {
  channel_id: number
  topic: string
}

/** Milliseconds that a topic is cached. */
const CACHE_MS = 60_000
/** The most cached topics of a realm. */
const MAX_CACHED_TOPICS = 20_000

interface TopicCache {
  /** the seq of the last entry that was checked for removals */
  seq: number
  /** topics with messages, with the time at which each expires, as Date.now() */
  known: Map<string, number>
}

const cacheKey = new OwnedKey<TopicCache>('topics', ({ known }) => known.size)

/** Whether the topic has no message. Index: messages_topic. */
export const isNewTopic = async (db: Db, realm: Realm, { channel_id, topic }: Topic): Promise<boolean> => {
  const { known } = getCache(realm)
  const key = `${channel_id} ${topic.toLowerCase()}`
  const now = Date.now()
  if ((known.get(key) ?? 0) > now) return false
  const seqBefore = realm.seq
  const [row] = await db`
    select from messages
    where realm_id = ${realm.id} and channel_id = ${channel_id} and lower(topic) = lower(${topic})
    limit 1`
  // A removal during the query may have removed the message that the query found.
  if (row !== undefined && !hasRemovals(realm, seqBefore)) known.set(key, now + CACHE_MS)
  return row === undefined
}

/** The cache of the realm, emptied if entries since the last call removed messages from topics. */
const getCache = (realm: Realm): TopicCache => {
  const cache = realm.own(cacheKey, () => ({ seq: realm.seq, known: new Map() }))
  const { known } = cache
  if (known.size > MAX_CACHED_TOPICS || hasRemovals(realm, cache.seq)) known.clear()
  cache.seq = realm.seq
  return cache
}

/** Whether messages may have left a topic by the entries after `seq`. */
const hasRemovals = (realm: Realm, seq: number): boolean =>
  seq < realm.ringStart || realm.ring.slice(seq - realm.ringStart).some(isRemoval)

const isRemoval = ({ kind, data }: Entry): boolean =>
  kind === 'delete_message' ||
  (kind === 'update_message' && (data as Pick<UpdateMessageData, 'moved'>).moved !== undefined)

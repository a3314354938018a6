/**
 * Whether a topic is new: whether it has no message.
 *
 * Nearly every send asks this, and nearly every topic has messages. So topics with messages are cached until an entry
 * says that messages were deleted or moved. A removal without an entry, because it had no audience, is noticed within a
 * minute, when the cached topic expires.
 */

import type { Entry } from '../../../domain/log/entry.js'
import type { UpdateMessageData } from '../../../domain/messages/editing/update-message-entry.js'
import type { Realm } from '../../log/realm.js'
import type { Db } from '../../sql.js'

/** One topic of one channel, in any case. */
export interface Topic {
  channel_id: number
  topic: string
}

const REMEMBERED_MS = 60_000
const MOST_REMEMBERED = 20_000

interface TopicCache {
  /** the entries up to here are in it */
  seq: number
  /** topics with messages, until when that is believed, as Date.now() */
  known: Map<string, number>
}

const caches = new WeakMap<Realm, TopicCache>()

/** Whether the topic has no message. Index: messages_topic. */
export const isNewTopic = async (db: Db, realm: Realm, { channel_id, topic }: Topic): Promise<boolean> => {
  const { known } = realmCache(realm)
  const key = `${channel_id} ${topic.toLowerCase()}`
  const now = Date.now()
  if ((known.get(key) ?? 0) > now) return false
  const asked = realm.seq
  const [row] = await db`
    select from messages
    where realm_id = ${realm.id} and channel_id = ${channel_id} and lower(topic) = lower(${topic})
    limit 1`
  // A removal during the query may have removed the message that the query found.
  if (row !== undefined && !hasRemovals(realm, asked)) known.set(key, now + REMEMBERED_MS)
  return row === undefined
}

/** The memory, without what the entries since the last look have made doubtful. */
const realmCache = (realm: Realm): TopicCache => {
  let memory = caches.get(realm)
  if (memory === undefined) {
    memory = { seq: realm.seq, known: new Map() }
    caches.set(realm, memory)
  }
  const { known } = memory
  if (known.size > MOST_REMEMBERED || hasRemovals(realm, memory.seq)) known.clear()
  memory.seq = realm.seq
  return memory
}

/** Whether messages may have left a topic by the entries after `seq`. */
const hasRemovals = (realm: Realm, seq: number): boolean =>
  seq < realm.ringStart || realm.ring.slice(seq - realm.ringStart).some(isRemoval)

const isRemoval = ({ kind, data }: Entry): boolean =>
  kind === 'delete_message' ||
  (kind === 'update_message' && (data as Pick<UpdateMessageData, 'moved'>).moved !== undefined)

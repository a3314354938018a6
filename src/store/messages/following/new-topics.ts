/**
 * Whether a topic is new: whether nobody's message is in it.
 *
 * Nearly every send asks, and nearly every topic has messages: so those that are known to have some are remembered,
 * until an entry tells that messages went away or moved. Those of whom no entry tells, because nobody was left to hear
 * it, are found out within a minute.
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

/** Whether nobody's message is in the topic. Index: messages_topic. */
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
  // What went away while Postgres was asked may have been the very message that it found.
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

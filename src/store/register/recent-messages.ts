/**
 * Keeps the newest messages of realms in memory (domain/register/recent-messages.ts), for registrations of users with
 * many unread messages. Otherwise Postgres would read and group the same messages for each of these users.
 *
 * 1. Only pages bring messages: a page is one statement, so it is exact at one seq. Entries of the log tell which
 *    messages changed or were deleted; these are read again. No other fact of an entry is used.
 * 2. The result of `composeUnread` is exact at the seq of the reader's facts: everything up to that seq was read, and
 *    no entry after it changed a message. If one did, there is no result, and the caller asks the database.
 * 3. The messages of a realm are loaded when registrations had to examine many: one, or all together. Their number is
 *    bounded by realm and by process.
 */

import type { Entry } from '../../domain/log/entry.js'
import { OwnedKey } from '../../domain/log/owned-values.js'
import type { ChangedMessages } from '../../domain/messages/editing/changed-messages-entry.js'
import type { LostMessage } from '../../domain/messages/editing/delete-message-entry.js'
import type { RestoredMessages } from '../../domain/messages/editing/restore-message-entry.js'
import type { UpdateMessageData } from '../../domain/messages/editing/update-message-entry.js'
import { everySubscriber } from '../../domain/messages/flags.js'
import type { MessageData } from '../../domain/messages/sending/message-entry.js'
import { ALL_READERS, type PageTopic, RecentMessages } from '../../domain/register/recent-messages.js'
import type { Unread, UnreadTopic } from '../../domain/register/snapshot-request.js'
import { composeUnreadTopics, type ReaderFacts } from '../../domain/register/unread-topics.js'
import type { Realm } from '../log/realm.js'
import type { Sql } from '../sql.js'
import type { MessagesInMemory } from './unread-content.js'

/** A registration that examines as many messages makes the process load those of the realm (3). */
const MANY = 1_000
/** The same for all registrations since the messages were last in memory: a load examines as many at most. */
const MANY_TOGETHER = 200_000
/**
 * How many messages are kept, of one realm and of all. One takes about 30 bytes, and a registration examines at most
 * a quarter of those of its realm.
 */
const usualCapacity = { realm: 200_000, process: 1_000_000 }
/** Ids per page: the event loop is busy with one for a few milliseconds. */
const PAGE_IDS = 10_000
/** With more changed or moved messages, memory would save little. */
const MOST_CHANGED = 2_000
const MOST_READS = 4
/** After as many sends, the new messages are read, so that no registration has to read many. */
const MOST_BEHIND = 5_000
/** Milliseconds after which messages that no registration used are forgotten. */
const UNUSED_MS = 30 * 60_000

/** The newest messages of the realms of this process. */
export interface RecentMessagesOfRealms {
  /** The messages of this realm; undefined: they are not in memory. */
  find(realm: Realm): RecentMessagesOfRealm | undefined
  /**
   * Notes how many messages a registration examined in the database, and loads those of the realm if it is worth it.
   */
  noteExamined(realm: Realm, examined: number): void
  /** Forgets the realm, which leaves the memory. */
  drop(realm: Realm): void
}

/** The newest messages of one realm. */
export interface RecentMessagesOfRealm {
  /** What the statement that loads a reader's facts needs to know; undefined: memory would save little. */
  describe(): MessagesInMemory | undefined
  /**
   * Composes the unread messages of a reader at `seq`, which the realm has applied (2).
   * @param facts what the database has at `seq`, for these messages in memory
   */
  composeUnread(
    user_id: number,
    seq: number,
    facts: ReaderFacts,
    inMemory: MessagesInMemory,
  ): Promise<Unread<UnreadTopic> | undefined>
}

/** Opens the memory of the newest messages. */
export const openRecentMessages = (sql: Sql, capacity = usualCapacity): RecentMessagesOfRealms => {
  const followed = new Map<Realm, Follower>()
  /** how many messages registrations have examined since the realm was followed */
  const examinedKey = new OwnedKey<{ messages: number }>('examined_messages')
  const drop = (realm: Realm) => {
    followed.get(realm)?.stop()
    followed.delete(realm)
  }
  const dropOldest = () => {
    let size = 0
    // The map is in the order of use.
    for (const [realm, follower] of [...followed].reverse()) {
      size += follower.size
      if (size > capacity.process) drop(realm)
    }
  }
  return {
    find(realm) {
      const follower = followed.get(realm)
      if (follower === undefined) return undefined
      followed.delete(realm)
      if (follower.hasStopped) return undefined
      followed.set(realm, follower)
      return follower.isLoaded ? follower : undefined
    },
    noteExamined(realm, examined) {
      if (followed.has(realm)) return
      const together = realm.own(examinedKey, () => ({ messages: 0 }))
      together.messages += examined
      if (examined < MANY && together.messages < MANY_TOGETHER) return
      together.messages = 0
      const follower = new Follower(sql, realm, capacity.realm)
      followed.set(realm, follower)
      follower.load().then(dropOldest, () => drop(realm))
    },
    drop,
  }
}

class Follower implements RecentMessagesOfRealm {
  readonly #sql: Sql
  readonly #realm: Realm
  readonly #unlisten: () => void
  readonly #capacity: number
  #recent: RecentMessages
  #reading: Promise<void> | undefined
  #usedAt = Date.now()
  isLoaded = false
  hasStopped = false

  constructor(sql: Sql, realm: Realm, capacity: number) {
    this.#sql = sql
    this.#realm = realm
    this.#capacity = capacity
    this.#recent = new RecentMessages(0, capacity)
    this.#unlisten = realm.listen({
      entry: (entry) => this.#receive(entry),
      ephemeral: () => undefined,
      hasClients: () => false,
    })
  }

  get size(): number {
    return this.#recent.size
  }

  stop(): void {
    this.hasStopped = true
    this.#unlisten()
  }

  /** Loads the newest messages. Entries that come meanwhile are noted. */
  async load(): Promise<void> {
    const [head] = await this.#sql<{ last_message_id: number }[]>`
      select last_message_id from log_heads where realm_id = ${this.#realm.id}`
    const last = head?.last_message_id ?? 0
    const changed = this.#recent.changed
    this.#recent = new RecentMessages(Math.max(0, last - this.#capacity), this.#capacity)
    for (const [id, seq] of changed) this.#recent.markChanged([id], seq)
    while (this.#recent.lastId < last && !this.hasStopped) await this.#read()
    this.isLoaded = true
  }

  describe(): MessagesInMemory | undefined {
    this.#usedAt = Date.now()
    const { floor, moved } = this.#recent
    return moved.size > MOST_CHANGED ? undefined : { floor, moved: [...moved] }
  }

  async composeUnread(
    user_id: number,
    seq: number,
    facts: ReaderFacts,
    inMemory: MessagesInMemory,
  ): Promise<Unread<UnreadTopic> | undefined> {
    for (let reads = 0; reads < MOST_READS; reads++) {
      const recent = this.#recent
      const isSame = recent.lastChangeSeq <= seq && recent.floor === inMemory.floor
      if (this.hasStopped || !isSame) return undefined
      if (recent.changed.size > 0 || recent.lastId < facts.last_message_id) await this.#read()
      else if (this.#realm.seq < recent.pageSeq) await this.#realm.waitForSeq(recent.pageSeq)
      else return hasOnly(recent.moved, inMemory.moved) ? composeUnreadTopics(recent, user_id, facts) : undefined
    }
    return undefined
  }

  #receive({ kind, data, seq }: Entry): void {
    // A kind of a newer release may change messages.
    if (this.#realm.kinds.get(kind) === undefined) this.stop()
    this.#recent.markChanged(listChanged(kind, data), seq)
    if (this.#recent.changed.size > MOST_CHANGED) this.stop()
    if (kind === 'message') this.#followSends((data as MessageData).id ?? 0)
  }

  #followSends(last_message_id: number): void {
    if (!this.isLoaded || this.#reading !== undefined || last_message_id - this.#recent.lastId < MOST_BEHIND) return
    // While Postgres is away, the next message or registration reads again.
    if (Date.now() - this.#usedAt > UNUSED_MS) this.stop()
    else this.#read().catch(() => {})
  }

  /** Reads the next page, or waits for the one that is being read. */
  #read(): Promise<void> {
    this.#reading ??= this.#readPage().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readPage(): Promise<void> {
    const recent = this.#recent
    const from = recent.lastId
    const again = [...recent.changed.keys()].filter((id) => id <= from)
    const { seq, last_message_id, topics } = await loadPage(this.#sql, this.#realm.id, from, again)
    recent.addPage({ seq, from, to: Math.max(from, Math.min(from + PAGE_IDS, last_message_id)), again, topics })
  }
}

const hasOnly = (ids: ReadonlySet<number>, known: readonly number[]): boolean => {
  const set = new Set(known)
  return [...ids].every((id) => set.has(id))
}

/** The messages in channels that this entry changed in the database, or that may be gone, or there again. */
const listChanged = (kind: string, data: unknown): readonly number[] => {
  if (kind === 'update_message') {
    const { channel, message_id, message_ids, redrawn } = data as UpdateMessageData
    return channel === undefined || redrawn !== undefined ? [] : [message_id, ...message_ids]
  }
  if (kind === 'delete_message') {
    const { stream_id, message_id, message_ids = [] } = data as LostMessage
    return stream_id === undefined ? [] : [message_id, ...message_ids]
  }
  if (kind === 'restore_message') {
    const { stream_id, message_ids } = data as RestoredMessages
    return stream_id === undefined ? [] : message_ids
  }
  return kind === 'messages_changed' ? (data as ChangedMessages).message_ids : []
}

/** Reads the messages in channels after `from`, and those of the ids in `again`. Index: key. */
const loadPage = async (sql: Sql, realm_id: number, from: number, again: readonly number[]) => {
  const columns = sql`id, channel_id, topic, sender_id, sender_read, read_by_all, origin_channel_id, has_wildcard`
  const [page] = await sql<{ seq: number; last_message_id: number; topics: PageTopic[] }[]>`
    select log_seq as seq, last_message_id, (
      select coalesce(json_agg(t), '[]') from (
        select m.channel_id, m.topic, lower(m.topic) as folded, json_agg(m.id order by m.id) as ids,
          json_agg(case when read_by_all then ${ALL_READERS}::int when sender_read then sender_id else 0 end order by m.id)
            as readers,
          coalesce(json_agg(m.id) filter (where m.origin_channel_id is not null), '[]') as moved,
          coalesce(json_agg(json_build_array(m.id, (
            select e.flags from message_flags e
            where e.realm_id = ${realm_id} and e.user_id = ${everySubscriber} and e.message_id = m.id
          ))) filter (where m.has_wildcard), '[]') as everyone
        from (
          select ${columns} from messages
          where realm_id = ${realm_id} and id > ${from} and id <= ${from + PAGE_IDS} and channel_id is not null
          union all
          select ${columns} from messages
          where realm_id = ${realm_id} and id = any(${again as number[]}::bigint[]) and channel_id is not null
        ) m
        group by m.channel_id, m.topic
      ) t
    ) as topics
    from log_heads where realm_id = ${realm_id}`
  if (page === undefined) throw new Error(`realm ${realm_id} has no log`)
  return page
}

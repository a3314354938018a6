/**
 * The newest messages in the channels of a realm: what decides for whom they are unread. All readers share it.
 *
 * 1. Each message is a version of its row, which a page brought. `changed` are ids whose rows are newer than their
 *    versions here. The log tells these ids.
 * 2. Without such ids, the versions are exact at every seq from `lastChangeSeq` to the seq that the replica has
 *    applied.
 * 3. All channel messages with ids above `floor`, up to `lastId`, are here. The floor rises, so the memory is bounded.
 */

/** A topic as messages spell it, and as Postgres compares it. */
export interface TopicName {
  text: string
  folded: string
}

/** The messages of a channel in three lists of the same length, ids ascending. */
export interface ChannelMessages {
  ids: number[]
  topics: TopicName[]
  /** for whom the message was read when it was sent: ALL_READERS, the id of a user, or 0 for nobody */
  readers: number[]
}

/** In `readers`: the message is read for all users without a flag row. */
export const ALL_READERS = -1

/** Messages of one topic in a page. */
export interface PageTopic {
  channel_id: number
  topic: string
  folded: string
  ids: number[]
  readers: number[]
  /** ids of messages that were moved here from another channel */
  moved: number[]
  /** ids of messages with flags for all users who received them as subscribers, and these flags as bits */
  everyone: [id: number, flags: number][]
}

/** Versions of rows, as of `seq`: all messages in `(from, to]`, and those of the ids in `again` that still exist. */
export interface MessagePage {
  seq: number
  from: number
  to: number
  again: readonly number[]
  topics: readonly PageTopic[]
}

interface Message {
  id: number
  topic: TopicName
  reader: number
}

/** Above this number, all messages are checked for changed ones, instead of searching each one in all channels. */
const FEW = 20

/** The newest messages of a realm (see above). */
export class RecentMessages {
  /** how many messages are kept at least, when there are as many */
  readonly #capacity: number
  readonly channels = new Map<number, ChannelMessages>()
  /** ids of messages that were moved from another channel */
  readonly moved = new Set<number>()
  /** flags of all users who received a message as subscribers, as bits */
  readonly everyone = new Map<number, number>()
  /** ids whose rows changed, with the seq of the change (1) */
  readonly #changed = new Map<number, number>()
  #topics = new Map<string, TopicName>()
  #size = 0
  floor: number
  lastId: number
  /** of the last entry that changed one of the messages */
  lastChangeSeq = 0
  /** the seq of the newest page */
  pageSeq = 0

  constructor(floor: number, capacity: number) {
    this.#capacity = capacity
    this.floor = floor
    this.lastId = floor
  }

  /** how many messages are here */
  get size(): number {
    return this.#size
  }

  /** ids whose versions are too old (1) */
  get changed(): ReadonlyMap<number, number> {
    return this.#changed
  }

  /** Notes that an entry changed or deleted these messages. */
  markChanged(ids: readonly number[], seq: number): void {
    for (const id of ids) {
      if (id <= this.floor) continue
      this.#changed.set(id, seq)
      this.lastChangeSeq = seq
    }
  }

  /** Adds a page. Pages come in the order of their ids, each beginning where the last one ended. */
  addPage({ seq, from, to, again, topics }: MessagePage): void {
    if (again.length > 0) this.#remove(again)
    const added = new Map<number, Message[]>()
    for (const { channel_id, topic, folded, ids, readers, moved, everyone } of topics) {
      const name = this.#internTopic(topic, folded)
      const list = added.get(channel_id) ?? []
      for (const [i, id] of ids.entries()) list.push({ id, topic: name, reader: readers[i] ?? 0 })
      added.set(channel_id, list)
      for (const id of moved) this.moved.add(id)
      for (const [id, flags] of everyone) this.everyone.set(id, flags)
    }
    for (const [channel_id, list] of added) this.#insert(channel_id, list)
    for (const id of again) this.#unmark(id, seq)
    for (const id of this.#changed.keys()) if (id > from && id <= to) this.#unmark(id, seq)
    this.lastId = to
    this.pageSeq = Math.max(this.pageSeq, seq)
    if (this.#size > this.#capacity * 1.25) this.#trim()
  }

  /** The messages of the channel in `(after, upTo]`, as positions in its lists. */
  findRange(channel_id: number, after: number, upTo: number): MessageRange | undefined {
    const messages = this.channels.get(channel_id)
    if (messages === undefined) return undefined
    const start = countUpTo(messages.ids, after)
    const end = countUpTo(messages.ids, upTo)
    return start < end ? { messages, start, end } : undefined
  }

  #unmark(id: number, seq: number): void {
    const changed = this.#changed.get(id)
    if (changed !== undefined && changed <= seq) this.#changed.delete(id)
  }

  #internTopic(text: string, folded: string): TopicName {
    const cached = this.#topics.get(text)
    if (cached !== undefined) return cached
    const name = { text, folded }
    this.#topics.set(text, name)
    return name
  }

  #insert(channel_id: number, list: Message[]): void {
    list.sort((a, b) => a.id - b.id)
    const known = this.channels.get(channel_id) ?? { ids: [], topics: [], readers: [] }
    this.channels.set(channel_id, known)
    this.#size += list.length
    const start = countUpTo(known.ids, (list[0] as Message).id)
    const after = {
      ids: known.ids.splice(start),
      topics: known.topics.splice(start),
      readers: known.readers.splice(start),
    }
    let i = 0
    for (const { id, topic, reader } of list) {
      for (; i < after.ids.length && (after.ids[i] as number) < id; i++) copyMessage(after, i, known)
      known.ids.push(id)
      known.topics.push(topic)
      known.readers.push(reader)
    }
    for (; i < after.ids.length; i++) copyMessage(after, i, known)
  }

  #remove(ids: readonly number[]): void {
    for (const id of ids) this.#forgetFacts(id)
    if (ids.length > FEW) {
      const removed = new Set(ids)
      this.#keep((id) => !removed.has(id))
      return
    }
    for (const id of ids) {
      for (const [channel_id, { ids: known, topics, readers }] of this.channels) {
        const at = countUpTo(known, id) - 1
        if (known[at] !== id) continue
        for (const list of [known, topics, readers]) list.splice(at, 1)
        if (known.length === 0) this.channels.delete(channel_id)
        this.#size -= 1
        break
      }
    }
  }

  #forgetFacts(id: number): void {
    this.moved.delete(id)
    this.everyone.delete(id)
  }

  /** Keeps only the messages whose ids pass. */
  #keep(isKept: (id: number) => boolean): void {
    this.#size = 0
    for (const [channel_id, messages] of this.channels) {
      const kept: ChannelMessages = { ids: [], topics: [], readers: [] }
      for (const [i, id] of messages.ids.entries()) if (isKept(id)) copyMessage(messages, i, kept)
      if (kept.ids.length === 0) this.channels.delete(channel_id)
      else this.channels.set(channel_id, kept)
      this.#size += kept.ids.length
    }
  }

  /** Raises the floor, and forgets what only the messages below it have (3). */
  #trim(): void {
    const all = [...this.channels.values()].map((messages) => ({ messages, start: 0, end: messages.ids.length }))
    const floor = findNewest(all, this.#capacity) - 1
    this.floor = floor
    this.#keep((id) => id > floor)
    for (const id of [...this.moved, ...this.everyone.keys()]) if (id <= floor) this.#forgetFacts(id)
    for (const id of this.#changed.keys()) if (id <= floor) this.#changed.delete(id)
    this.#topics = new Map()
    for (const { topics } of this.channels.values()) for (const topic of topics) this.#topics.set(topic.text, topic)
  }
}

const copyMessage = (from: ChannelMessages, i: number, to: ChannelMessages): void => {
  to.ids.push(from.ids[i] as number)
  to.topics.push(from.topics[i] as TopicName)
  to.readers.push(from.readers[i] as number)
}

/** Consecutive messages of a channel: the positions from `start` on, before `end`. */
export interface MessageRange {
  messages: ChannelMessages
  start: number
  end: number
}

/** How many of these ascending ids are not above `id`. */
export const countUpTo = (ids: readonly number[], id: number): number => {
  let low = 0
  for (let high = ids.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((ids[middle] as number) <= id) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the lowest id of the newest `count` messages in these ranges. The ranges have at least as many messages. */
export const findNewest = (ranges: readonly MessageRange[], count: number): number => {
  let low = 0
  let high = Math.max(...ranges.map(({ messages, end }) => messages.ids[end - 1] as number))
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    let found = 0
    for (const { messages, start, end } of ranges)
      found += Math.max(0, end - Math.max(start, countUpTo(messages.ids, middle - 1)))
    if (found >= count) low = middle
    else high = middle - 1
  }
  return low
}

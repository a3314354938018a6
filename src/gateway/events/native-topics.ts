/**
 * The uWebSockets topics of one profile's sockets: one topic per role, and one per busy channel.
 *
 * A socket subscribes to the topic of its user's role when it connects. A channel's topic is created when a message
 * first has many sockets to reach, and removed when it was not used for TOPIC_IDLE_MS. So an idle socket whose user
 * has hundreds of channel subscriptions costs one topic, and a message to a busy channel costs one native publish.
 *
 * 1. The subscribers of a channel's topic are exactly the sockets of this profile whose users are subscribed to the
 *    channel now: connecting, subscribing and unsubscribing change the topic before anything else is published.
 * 2. The sockets are in groups (paced-sends.ts), and each group has topics of its own, because a large realm's groups
 *    send in different turns of the event loop. Who receives an event, and what it says, is decided at once. What
 *    waits is only the call of uWebSockets: to send, to publish, and to change a topic (1).
 * 3. A connected socket always has a topic: uWebSockets drops what it has not written yet when a socket leaves its last
 *    one.
 * 4. A socket that closes leaves its group at once, and what waits for it is dropped: its client resumes from its last
 *    event id. One that is still open leaves its topics too. Else it would receive an event after those that it missed.
 */
import type { RealmState } from '../../domain/log/state.js'
import type { Client, PushSocket } from './connected-client.js'
import type { DeliveryCounts } from './delivery-counts.js'
import { type PacedSends, SendGroup } from './paced-sends.js'

/** Encodes the event when the first recipient is found; null: this profile does not receive it. */
export type LazyEventJson = () => string | null

/** Below this many sockets, sending to each one costs less than keeping a topic. */
const MIN_SOCKETS_FOR_TOPIC = 16
const TOPIC_IDLE_MS = 5 * 60_000
/** A topic that nothing is published to: of sockets that leave their other topics (3). */
const EXCLUDED = 'excluded'

class SocketGroup extends SendGroup {
  readonly number: number
  /** its sockets, and the roles of their users */
  readonly roles = new Map<PushSocket, number>()
  /** how many of its sockets have a role */
  readonly counts = new Map<number, number>()

  constructor(number: number) {
    super()
    this.number = number
  }
}

/** The sockets of one profile by user id, and their subscriptions to topics. */
export class NativeTopics {
  readonly sockets = new Map<number, Set<Client>>()
  readonly #groups: SocketGroup[] = []
  readonly #groupOf = new Map<PushSocket, SocketGroup>()
  /** the channels that have topics, and when those were last used, as Date.now() */
  readonly #channels = new Map<number, number>()
  readonly #prefix: string
  readonly #sends: PacedSends
  readonly #deliveries: DeliveryCounts

  constructor(prefix: string, sends: PacedSends, deliveries: DeliveryCounts) {
    this.#prefix = prefix
    this.#deliveries = deliveries
    this.#sends = sends
  }

  /** Subscribes the socket to the topics of its user's role and channels (1). */
  addSocket(client: Client, socket: PushSocket, state: RealmState): void {
    const user_id = client.queue.user_id
    const role = state.users.get(user_id)?.role ?? 0
    const group = this.#findPlace()
    this.#groupOf.set(socket, group)
    group.roles.set(socket, role)
    addTo(group.counts, role, 1)
    this.#change(group, [socket], (each) => each.subscribe(this.#roleTopic(group, role)))
    for (const channel_id of this.#channels.keys()) {
      if (state.isSubscribed(user_id, channel_id)) {
        this.#change(group, [socket], (each) => each.subscribe(this.#channelTopic(group, channel_id)))
      }
    }
    const clients = this.sockets.get(user_id)
    if (clients === undefined) this.sockets.set(user_id, new Set([client]))
    else clients.add(client)
  }

  /**
   * Removes a socket from the indexes. uWebSockets unsubscribes a socket from its topics when it closes.
   * @param isOpen it closes later (4)
   */
  removeSocket(client: Client, socket: PushSocket, isOpen: boolean): void {
    if (isOpen) {
      const topics = socket.getTopics()
      socket.subscribe(EXCLUDED)
      for (const topic of topics) socket.unsubscribe(topic)
    }
    const group = this.#groupOf.get(socket)
    if (group !== undefined) {
      addTo(group.counts, group.roles.get(socket) ?? 0, -1)
      group.roles.delete(socket)
      this.#groupOf.delete(socket)
    }
    const clients = this.sockets.get(client.queue.user_id)
    if (clients?.delete(client) && clients.size === 0) this.sockets.delete(client.queue.user_id)
  }

  /**
   * Subscribes and unsubscribes a user's sockets as the state says now (1).
   * @param channel_id the channel whose subscription changed; undefined: the user's role may have changed
   */
  updateSubscriptions(user_id: number, state: RealmState, channel_id?: number): void {
    for (const { socket } of this.sockets.get(user_id) ?? []) {
      const group = socket === undefined ? undefined : this.#groupOf.get(socket)
      if (socket === undefined || group === undefined) continue
      if (channel_id !== undefined) {
        if (!this.#channels.has(channel_id)) continue
        const topic = this.#channelTopic(group, channel_id)
        const isSubscribed = state.isSubscribed(user_id, channel_id)
        this.#change(group, [socket], (each) => (isSubscribed ? each.subscribe(topic) : each.unsubscribe(topic)))
      } else {
        const role = state.users.get(user_id)?.role ?? 0
        const previous = group.roles.get(socket) ?? 0
        if (previous === role) continue
        group.roles.set(socket, role)
        addTo(group.counts, previous, -1)
        addTo(group.counts, role, 1)
        this.#change(group, [socket], (each) => {
          each.subscribe(this.#roleTopic(group, role))
          each.unsubscribe(this.#roleTopic(group, previous))
        })
      }
    }
  }

  /** Sends to the sockets of all users whose role is in the range (both ends included), except users in `except`. */
  sendToRoles([from, to]: readonly [number, number], json: LazyEventJson, except: readonly number[]): void {
    const excluded = this.#socketsOf(except)
    for (const group of this.#groups) {
      for (const [role, count] of group.counts) {
        if (role < from || role > to) continue
        const without = excluded.filter((socket) => group.roles.get(socket) === role)
        this.#publish(group, this.#roleTopic(group, role), count - without.length, json, without)
      }
    }
  }

  /** Sends to the sockets of the channel's subscribers, except users in `except`. */
  sendToChannel(channel_id: number, state: RealmState, json: LazyEventJson, except: readonly number[]): void {
    const subscribers = state.subscribers(channel_id)
    if (!this.#channels.has(channel_id)) {
      const isCheaperOneByOne = Math.min(subscribers.size, this.sockets.size) < MIN_SOCKETS_FOR_TOPIC
      if (isCheaperOneByOne) {
        this.#sendToEach(subscribers, json, except)
        return
      }
      this.#createTopics(channel_id, subscribers)
    }
    this.#channels.set(channel_id, Date.now())
    const excluded = this.#socketsOf(except.filter((user_id) => subscribers.has(user_id)))
    for (const group of this.#groups) {
      const topic = this.#channelTopic(group, channel_id)
      const without = excluded.filter((socket) => group.roles.has(socket))
      this.#publish(group, topic, this.#sends.native.countSubscribers(topic) - without.length, json, without)
    }
  }

  sendToUser(user_id: number, json: LazyEventJson): void {
    for (const { socket } of this.sockets.get(user_id) ?? []) {
      const encoded = json()
      if (encoded === null || socket === undefined) continue
      this.#deliveries.events += 1
      this.sendTo(socket, encoded)
    }
  }

  /** Sends to one socket, after everything that waits for it. */
  sendTo(socket: PushSocket, encoded: string): void {
    const group = this.#groupOf.get(socket)
    if (group === undefined) return
    this.#sends.run(group, 1, () => {
      if (group.roles.has(socket)) socket.send(encoded)
    })
  }

  /** Removes channel topics that were not published to for TOPIC_IDLE_MS. */
  removeIdleTopics(now = Date.now()): void {
    for (const [channel_id, usedAt] of this.#channels) {
      if (now - usedAt < TOPIC_IDLE_MS) continue
      this.#channels.delete(channel_id)
      for (const group of this.#groups) {
        const topic = this.#channelTopic(group, channel_id)
        this.#change(group, [...group.roles.keys()], (socket) => socket.unsubscribe(topic))
      }
    }
  }

  /** The group of a new socket. */
  #findPlace(): SocketGroup {
    let group = this.#groups.find(({ roles }) => roles.size < this.#sends.writesPerTurn)
    if (group === undefined) {
      group = new SocketGroup(this.#groups.length)
      this.#groups.push(group)
    }
    return group
  }

  #createTopics(channel_id: number, subscribers: ReadonlySet<number>): void {
    const ofGroups = this.#groups.map((group) => ({ group, sockets: [] as PushSocket[] }))
    for (const user_id of smallerOf(subscribers, this.sockets)) {
      if (!subscribers.has(user_id)) continue
      for (const socket of this.#socketsOf([user_id])) {
        const number = this.#groupOf.get(socket)?.number
        if (number !== undefined) ofGroups[number]?.sockets.push(socket)
      }
    }
    for (const { group, sockets } of ofGroups) {
      const topic = this.#channelTopic(group, channel_id)
      if (sockets.length > 0) this.#change(group, sockets, (socket) => socket.subscribe(topic))
    }
  }

  #sendToEach(subscribers: ReadonlySet<number>, json: LazyEventJson, except: readonly number[]): void {
    for (const user_id of smallerOf(subscribers, this.sockets)) {
      if (subscribers.has(user_id) && !except.includes(user_id)) this.sendToUser(user_id, json)
    }
  }

  /** Changes the topics of sockets, after what waits for their group, and before what comes later (2). */
  #change(group: SocketGroup, sockets: readonly PushSocket[], change: (socket: PushSocket) => void): void {
    this.#sends.run(group, 0, () => {
      for (const socket of sockets) if (group.roles.has(socket)) change(socket)
    })
  }

  /**
   * A native publish reaches every subscriber, so the sockets of excluded users are unsubscribed while it runs.
   * @param count the number of sockets that it reaches
   */
  #publish(
    group: SocketGroup,
    topic: string,
    count: number,
    json: LazyEventJson,
    without: readonly PushSocket[],
  ): void {
    const encoded = group.roles.size === 0 ? null : json()
    if (encoded === null) return
    this.#deliveries.events += count
    this.#sends.run(group, count, () => {
      const connected = without.filter((socket) => group.roles.has(socket))
      for (const socket of connected) socket.subscribe(EXCLUDED)
      const unsubscribed = connected.filter((socket) => socket.unsubscribe(topic))
      this.#sends.native.publish(topic, encoded)
      for (const socket of unsubscribed) socket.subscribe(topic)
      for (const socket of connected) socket.unsubscribe(EXCLUDED)
    })
  }

  #socketsOf(user_ids: readonly number[]): PushSocket[] {
    return user_ids.flatMap((user_id) =>
      [...(this.sockets.get(user_id) ?? [])].flatMap(({ socket }) => (socket === undefined ? [] : [socket])),
    )
  }

  #roleTopic(group: SocketGroup, role: number): string {
    return `${this.#prefix}${group.number}r${role}`
  }

  #channelTopic(group: SocketGroup, channel_id: number): string {
    return `${this.#prefix}${group.number}c${channel_id}`
  }
}

const addTo = (counts: Map<number, number>, role: number, change: number): void => {
  const count = (counts.get(role) ?? 0) + change
  if (count > 0) counts.set(role, count)
  else counts.delete(role)
}

const smallerOf = (a: ReadonlySet<number>, b: ReadonlyMap<number, unknown>): Iterable<number> =>
  a.size <= b.size ? a : b.keys()

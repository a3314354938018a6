/**
 * The uWebSockets topics of one profile's sockets: one topic per role, and one per busy channel.
 *
 * A socket subscribes to the topic of its user's role when it connects. A channel's topic is created when a message
 * first has many sockets to reach, and removed when it was not used for TOPIC_IDLE_MS. So an idle socket whose user
 * has hundreds of channel subscriptions costs one topic, and a message to a busy channel costs one native publish.
 *
 * 1. The subscribers of a channel's topic are exactly the sockets of this profile whose users are subscribed to the
 *    channel now: connecting, subscribing and unsubscribing change the topic before anything else is published.
 */
import type { RealmState } from '../../domain/log/state.js'
import type { Client, Publish, PushSocket } from './connected-client.js'
import type { Deliveries } from './deliveries.js'

/** Encodes the event when the first recipient is found; null: this profile does not receive it. */
export type LazyEventJson = () => string | null

/** Below this many sockets, sending to each one costs less than keeping a topic. */
const MIN_SOCKETS_FOR_TOPIC = 16
const TOPIC_IDLE_MS = 5 * 60_000

interface ChannelTopic {
  name: string
  usedAt: number
}

/** The sockets of one profile by user id, and their subscriptions to topics. */
export class NativeTopics {
  readonly sockets = new Map<number, Set<Client>>()
  readonly #channelTopics = new Map<number, ChannelTopic>()
  readonly #roles = new Map<PushSocket, number>()
  readonly #prefix: string
  readonly #publish: Publish
  readonly #deliveries: Deliveries

  constructor(prefix: string, publish: Publish, deliveries: Deliveries) {
    this.#prefix = prefix
    this.#deliveries = deliveries
    this.#publish = publish
  }

  /** Subscribes the socket to the topics of its user's role and channels (1). */
  addSocket(client: Client, socket: PushSocket, state: RealmState): void {
    const user_id = client.queue.user_id
    const role = state.users.get(user_id)?.role ?? 0
    this.#roles.set(socket, role)
    socket.subscribe(this.#roleTopic(role))
    for (const [channel_id, channelTopic] of this.#channelTopics) {
      if (state.isSubscribed(user_id, channel_id)) socket.subscribe(channelTopic.name)
    }
    const clients = this.sockets.get(user_id)
    if (clients === undefined) this.sockets.set(user_id, new Set([client]))
    else clients.add(client)
  }

  /** Removes a socket from the indexes. uWebSockets unsubscribes a socket from its topics when it closes. */
  removeSocket(client: Client, socket: PushSocket): void {
    this.#roles.delete(socket)
    const clients = this.sockets.get(client.queue.user_id)
    if (clients?.delete(client) && clients.size === 0) this.sockets.delete(client.queue.user_id)
  }

  /**
   * Subscribes and unsubscribes a user's sockets as the state says now (1).
   * @param channel_id the channel whose subscription changed; undefined: the user's role may have changed
   */
  updateSubscriptions(user_id: number, state: RealmState, channel_id?: number): void {
    for (const { socket } of this.sockets.get(user_id) ?? []) {
      if (socket === undefined) continue
      if (channel_id !== undefined) {
        const channelTopic = this.#channelTopics.get(channel_id)
        if (channelTopic !== undefined)
          this.#setSubscribed(socket, channelTopic.name, state.isSubscribed(user_id, channel_id))
      } else {
        const role = state.users.get(user_id)?.role ?? 0
        const former = this.#roles.get(socket)
        if (former === role) continue
        if (former !== undefined) socket.unsubscribe(this.#roleTopic(former))
        socket.subscribe(this.#roleTopic(role))
        this.#roles.set(socket, role)
      }
    }
  }

  /** Sends to the sockets of all users whose role is in the range (both ends included), except users in `except`. */
  sendToRoles([from, to]: readonly [number, number], json: LazyEventJson, except: readonly number[]): void {
    for (const role of new Set(this.#roles.values())) {
      if (role >= from && role <= to) this.#publishWithout(this.#roleTopic(role), json, except)
    }
  }

  /** Sends to the sockets of the channel's subscribers, except users in `except`. */
  sendToChannel(channel_id: number, state: RealmState, json: LazyEventJson, except: readonly number[]): void {
    const subscribers = state.subscribers(channel_id)
    let channelTopic = this.#channelTopics.get(channel_id)
    if (channelTopic === undefined) {
      const isCheaperOneByOne = Math.min(subscribers.size, this.sockets.size) < MIN_SOCKETS_FOR_TOPIC
      if (isCheaperOneByOne) {
        this.#sendToEach(subscribers, json, except)
        return
      }
      channelTopic = { name: `${this.#prefix}c${channel_id}`, usedAt: 0 }
      this.#channelTopics.set(channel_id, channelTopic)
      for (const user_id of smallerOf(subscribers, this.sockets)) {
        if (!subscribers.has(user_id)) continue
        for (const { socket } of this.sockets.get(user_id) ?? []) socket?.subscribe(channelTopic.name)
      }
    }
    channelTopic.usedAt = Date.now()
    this.#publishWithout(channelTopic.name, json, except)
  }

  sendToUser(user_id: number, json: LazyEventJson): void {
    for (const { socket } of this.sockets.get(user_id) ?? []) {
      const encoded = json()
      if (encoded === null) continue
      this.#deliveries.events += 1
      socket?.send(encoded)
    }
  }

  /** Removes channel topics that were not published to for TOPIC_IDLE_MS. */
  removeIdleTopics(now = Date.now()): void {
    for (const [channel_id, channelTopic] of this.#channelTopics) {
      if (now - channelTopic.usedAt < TOPIC_IDLE_MS) continue
      this.#channelTopics.delete(channel_id)
      for (const clients of this.sockets.values())
        for (const { socket } of clients) socket?.unsubscribe(channelTopic.name)
    }
  }

  #sendToEach(subscribers: ReadonlySet<number>, json: LazyEventJson, except: readonly number[]): void {
    for (const user_id of smallerOf(subscribers, this.sockets)) {
      if (subscribers.has(user_id) && !except.includes(user_id)) this.sendToUser(user_id, json)
    }
  }

  /** A native publish reaches every subscriber, so the sockets of excluded users are unsubscribed while it runs. */
  #publishWithout(topic: string, json: LazyEventJson, except: readonly number[]): void {
    const encoded = json()
    if (encoded === null) return
    const unsubscribed: PushSocket[] = []
    for (const user_id of except) {
      for (const { socket } of this.sockets.get(user_id) ?? []) {
        if (socket?.unsubscribe(topic)) unsubscribed.push(socket)
      }
    }
    this.#publish(topic, encoded)
    for (const socket of unsubscribed) socket.subscribe(topic)
  }

  #setSubscribed(socket: PushSocket, topic: string, isSubscribed: boolean): void {
    if (isSubscribed) socket.subscribe(topic)
    else socket.unsubscribe(topic)
  }

  #roleTopic(role: number): string {
    return `${this.#prefix}r${role}`
  }
}

const smallerOf = (a: ReadonlySet<number>, b: ReadonlyMap<number, unknown>): Iterable<number> =>
  a.size <= b.size ? a : b.keys()

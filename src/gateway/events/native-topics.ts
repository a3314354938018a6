/**
 * Native topics for sockets of one profile: one per role, and one per busy channel.
 *
 * A socket is in the topic of its user's role from the start. The topic of a channel (a room) is made when a message
 * first has many sockets to reach, and given up when none came for a while: so an idle socket with hundreds of
 * subscriptions costs one topic, and a busy channel is one native publish.
 *
 * 1. A room holds exactly the sockets of this profile whose users are subscribed now: on connecting, on subscribing
 *    and on leaving, before anything else is published.
 */
import type { RealmState } from '../../domain/log/state.js'
import type { Client, Publish, PushSocket } from './connected-client.js'

/** The bytes to send, built when the first receiver is found; null: nothing for this profile. */
export type Text = () => string | null

/** Below this many sockets, sending to each is cheaper than keeping a room. */
const ROOM_FROM = 16
const ROOM_IDLE_MS = 5 * 60_000

interface Room {
  topic: string
  usedAt: number
}

export class NativeTopics {
  readonly sockets = new Map<number, Set<Client>>()
  readonly #rooms = new Map<number, Room>()
  readonly #roles = new Map<PushSocket, number>()
  readonly #prefix: string
  readonly #publish: Publish

  constructor(prefix: string, publish: Publish) {
    this.#prefix = prefix
    this.#publish = publish
  }

  add(client: Client, socket: PushSocket, state: RealmState): void {
    const user_id = client.queue.user_id
    const role = state.users.get(user_id)?.role ?? 0
    this.#roles.set(socket, role)
    socket.subscribe(this.#roleTopic(role))
    for (const [channel_id, room] of this.#rooms) {
      if (state.isSubscribed(user_id, channel_id)) socket.subscribe(room.topic)
    }
    const own = this.sockets.get(user_id)
    if (own === undefined) this.sockets.set(user_id, new Set([client]))
    else own.add(client)
  }

  /** Forgets a socket; the native side leaves its topics by itself when it closes. */
  remove(client: Client, socket: PushSocket): void {
    this.#roles.delete(socket)
    const own = this.sockets.get(client.queue.user_id)
    if (own?.delete(client) && own.size === 0) this.sockets.delete(client.queue.user_id)
  }

  /** Puts a user's sockets into the topics that the state gives them now (1). */
  refresh(user_id: number, state: RealmState, channel_id?: number): void {
    for (const { socket } of this.sockets.get(user_id) ?? []) {
      if (socket === undefined) continue
      if (channel_id !== undefined) {
        const room = this.#rooms.get(channel_id)
        if (room !== undefined) this.#place(socket, room.topic, state.isSubscribed(user_id, channel_id))
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

  /** Sends to all sockets of users with a role in the range, but not to those of `except`. */
  toRoles([from, to]: readonly [number, number], text: Text, except: readonly number[]): void {
    for (const role of new Set(this.#roles.values())) {
      if (role >= from && role <= to) this.#publishWithout(this.#roleTopic(role), text, except)
    }
  }

  /** Sends to the sockets of the channel's subscribers, but not to those of `except`. */
  toChannel(channel_id: number, state: RealmState, text: Text, except: readonly number[]): void {
    const subscribers = state.subscribers(channel_id)
    let room = this.#rooms.get(channel_id)
    if (room === undefined) {
      const few = Math.min(subscribers.size, this.sockets.size) < ROOM_FROM
      if (few) {
        this.#toEach(subscribers, text, except)
        return
      }
      room = { topic: `${this.#prefix}c${channel_id}`, usedAt: 0 }
      this.#rooms.set(channel_id, room)
      for (const user_id of smaller(subscribers, this.sockets)) {
        if (!subscribers.has(user_id)) continue
        for (const { socket } of this.sockets.get(user_id) ?? []) socket?.subscribe(room.topic)
      }
    }
    room.usedAt = Date.now()
    this.#publishWithout(room.topic, text, except)
  }

  toUser(user_id: number, text: Text): void {
    for (const { socket } of this.sockets.get(user_id) ?? []) send(socket, text())
  }

  /** Gives up rooms that nothing was sent to for a while. */
  tidy(now = Date.now()): void {
    for (const [channel_id, room] of this.#rooms) {
      if (now - room.usedAt < ROOM_IDLE_MS) continue
      this.#rooms.delete(channel_id)
      for (const own of this.sockets.values()) for (const { socket } of own) socket?.unsubscribe(room.topic)
    }
  }

  #toEach(subscribers: ReadonlySet<number>, text: Text, except: readonly number[]): void {
    for (const user_id of smaller(subscribers, this.sockets)) {
      if (subscribers.has(user_id) && !except.includes(user_id)) this.toUser(user_id, text)
    }
  }

  /** Publishing cannot leave anyone out, so the few who get their own copy step outside for a moment. */
  #publishWithout(topic: string, text: Text, except: readonly number[]): void {
    const bytes = text()
    if (bytes === null) return
    const outside: PushSocket[] = []
    for (const user_id of except) {
      for (const { socket } of this.sockets.get(user_id) ?? []) {
        if (socket?.unsubscribe(topic)) outside.push(socket)
      }
    }
    this.#publish(topic, bytes)
    for (const socket of outside) socket.subscribe(topic)
  }

  #place(socket: PushSocket, topic: string, inside: boolean): void {
    if (inside) socket.subscribe(topic)
    else socket.unsubscribe(topic)
  }

  #roleTopic(role: number): string {
    return `${this.#prefix}r${role}`
  }
}

const smaller = (a: ReadonlySet<number>, b: ReadonlyMap<number, unknown>): Iterable<number> =>
  a.size <= b.size ? a : b.keys()

const send = (socket: PushSocket | undefined, text: string | null): void => {
  if (text !== null) socket?.send(text)
}

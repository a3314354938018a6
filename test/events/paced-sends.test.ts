/**
 * DeliveryCounts in several turns of the event loop, with real sockets. Whatever waits: each socket receives exactly
 * what was sent while it was connected and named, in that order.
 */

import uWS, { type WebSocket as NativeSocket, type us_listen_socket } from 'uWebSockets.js'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { SubscriptionRow } from '../../src/domain/log/rows.js'
import type { Client, PushSocket } from '../../src/gateway/events/connected-client.js'
import { DeliveryCounts } from '../../src/gateway/events/delivery-counts.js'
import { NativeTopics } from '../../src/gateway/events/native-topics.js'
import { PacedSends, SendGroup } from '../../src/gateway/events/paced-sends.js'
import { openRandom } from '../setup/random.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const WRITES_PER_TURN = 8

test('A turn of the event loop writes to no more sockets than it may, and the next ones to the others.', async () => {
  await using server = await openServer()
  const { sends, topics } = openTopics(server)
  const builder = new StateBuilder()
  const written: number[] = []
  for (let i = 0; i < 3 * WRITES_PER_TURN; i++) {
    const { socket } = await server.connect()
    topics.addSocket(clientOf(builder.user().id, socket), socket, builder.state)
    await setImmediate()
  }
  const { native } = sends
  const publish = native.publish.bind(native)
  native.publish = (topic, text) => {
    written.push(native.countSubscribers(topic))
    return publish(topic, text)
  }
  const turns: number[] = []
  topics.sendToRoles([0, 1000], () => 'one', [])
  topics.sendToRoles([0, 1000], () => 'two', [])
  let isSent = false
  sends.afterWaiting(() => {
    isSent = true
  })
  while (!isSent) {
    turns.push(written.splice(0).reduce((sum, count) => sum + count, 0))
    await setImmediate()
  }
  turns.push(written.splice(0).reduce((sum, count) => sum + count, 0))
  // The first group sends the first message at once. Then each group sends in one turn all that waits for it.
  expect(turns.filter((count) => count > 0)).toEqual([8, 16, 16, 8])
})

test.each([1, 2, 3, 4])(
  'Each group sends in its order, also when it waits again during a turn or sends out of turn (seed %i).',
  async (seed) => {
    await using server = await openServer()
    const { sends } = openTopics(server)
    const { pick, next } = openRandom(seed)
    const chance = (share: number) => next() < share
    const groups = Array.from({ length: 20 }, () => ({ group: new SendGroup(), told: 0, sent: [] as number[] }))
    const tell = (one = pick(groups)) => {
      const number = ++one.told
      sends.run(one.group, 3, () => {
        one.sent.push(number)
        // In the middle of a turn, other groups get more.
        const other = pick(groups)
        if (other !== one && chance(0.3)) tell(other)
      })
    }
    const after: { sent: number[]; told: number[] }[] = []
    for (let i = 0; i < 2_000; i++) {
      tell()
      // So many that a group sends out of turn.
      if (chance(0.005)) for (let n = 0; n < 300; n++) tell(groups[0])
      if (chance(0.01)) {
        const told = groups.map((one) => one.told)
        sends.afterWaiting(() => after.push({ told, sent: groups.map((one) => one.sent.length) }))
      }
      if (chance(0.05)) await setImmediate()
    }
    await expect.poll(() => groups.every((one) => one.sent.length === one.told)).toBe(true)
    for (const { sent, told } of groups) expect(sent).toEqual(Array.from({ length: told }, (_, i) => i + 1))
    expect(after.length).toBeGreaterThan(5)
    for (const { sent, told } of after) {
      for (const [i, count] of sent.entries()) expect(count).toBeGreaterThanOrEqual(told[i] ?? 0)
    }
  },
)

test.each([1, 2, 3, 4])(
  'Each socket receives what is sent while it is connected, in order, whatever waits (seed %i).',
  async (seed) => {
    await using server = await openServer()
    const { sends, topics } = openTopics(server)
    const random = openRandom(seed)
    const builder = new StateBuilder()
    const { state } = builder
    const channel = builder.channel()
    const users = Array.from({ length: 40 }, (_, i) => builder.user({ role: i % 5 === 0 ? 600 : 400 }))
    const { pick } = random
    const open: Connection[] = []
    const all: Connection[] = []
    const connect = async () => {
      const connection = { ...(await server.connect()), user_id: pick(users).id, expected: [] as string[] }
      topics.addSocket(clientOf(connection.user_id, connection.socket), connection.socket, state)
      for (const list of [open, all]) list.push(connection)
    }
    for (let i = 0; i < 60; i++) await connect()

    const roleOf = (user_id: number) => state.users.get(user_id)?.role ?? 0
    const send = (text: string, isNamed: (user_id: number) => boolean) => {
      for (const { user_id, expected } of open) if (isNamed(user_id)) expected.push(text)
      return () => text
    }
    const subscribe = (user_id: number, isSubscribed: boolean) => {
      if (state.isSubscribed(user_id, channel.id) === isSubscribed) return
      const user = state.users.get(user_id)
      if (isSubscribed && user !== undefined) builder.subscribe(user, channel)
      else {
        const key: SubscriptionRow = { user_id, channel_id: channel.id } as SubscriptionRow
        state.apply({ table: 'subscriptions', key, before: key, after: null } as Parameters<typeof state.apply>[0])
      }
      topics.updateSubscriptions(user_id, state, channel.id)
    }
    for (let i = 0; i < 400; i++) {
      const kind = random.next()
      const { id } = pick(users)
      if (kind < 0.25) {
        const except = [id]
        topics.sendToRoles(
          [0, 1000],
          send(`all ${i}`, (user_id) => user_id !== id),
          except,
        )
      } else if (kind < 0.35) {
        topics.sendToRoles(
          [0, 400],
          send(`members ${i}`, (user_id) => roleOf(user_id) <= 400),
          [],
        )
      } else if (kind < 0.55) {
        const except = random.next() < 0.5 ? [id] : []
        const isNamed = (user_id: number) => state.isSubscribed(user_id, channel.id) && !except.includes(user_id)
        topics.sendToChannel(channel.id, state, send(`channel ${i}`, isNamed), except)
      } else if (kind < 0.7)
        topics.sendToUser(
          id,
          send(`user ${i}`, (user_id) => user_id === id),
        )
      else if (kind < 0.85) subscribe(id, random.next() < 0.7)
      else if (kind < 0.9) {
        const user = state.users.get(id)
        if (user !== undefined) builder.put('users', { ...user, role: roleOf(id) === 600 ? 400 : 600 })
        topics.updateSubscriptions(id, state)
      } else if (kind < 0.93 && open.length > 20) {
        const [closed] = open.splice(random.integer(0, open.length - 1), 1)
        if (closed === undefined) continue
        const staysOpen = random.next() < 0.5
        topics.removeSocket(clientOf(closed.user_id, closed.socket), closed.socket, staysOpen)
        if (!staysOpen) closed.socket.close()
      } else if (kind < 0.96) await connect()
      else await setImmediate()
    }
    await new Promise<void>((resolve) => sends.afterWaiting(resolve))
    for (const { socket } of open) socket.send('end')
    for (const { received, expected } of open) {
      await expect.poll(() => received.at(-1), { timeout: 10_000 }).toBe('end')
      expect(received.slice(0, -1)).toEqual(expected)
    }
    expect(open.reduce((sum, { expected }) => sum + expected.length, 0)).toBeGreaterThan(1_000)
    for (const { received, expected } of all)
      expect(expected.slice(0, received.length)).toEqual(received.filter((text) => text !== 'end'))
  },
)

interface Connection {
  socket: PushSocket
  received: string[]
  user_id: number
  expected: string[]
}

const clientOf = (user_id: number, socket: PushSocket): Client => {
  const known = clients.get(socket)
  if (known !== undefined) return known
  const client = { queue: { user_id }, socket } as Client
  clients.set(socket, client)
  return client
}
const clients = new WeakMap<PushSocket, Client>()

const openTopics = (server: { app: uWS.TemplatedApp }) => {
  const { app } = server
  const native = {
    publish: (topic: string, text: string | Uint8Array) => app.publish(topic, text),
    countSubscribers: (topic: string) => app.numSubscribers(topic),
  }
  const sends = new PacedSends(native, WRITES_PER_TURN)
  return { sends, topics: new NativeTopics('1:1:', sends, new DeliveryCounts()) }
}

/** A server of sockets, whose both ends a test holds. */
const openServer = async () => {
  const opened: ((socket: NativeSocket<unknown>) => void)[] = []
  const app = uWS.App().ws('/*', { open: (socket) => opened.shift()?.(socket), maxBackpressure: 1024 * 1024 })
  const listening = await new Promise<us_listen_socket>((resolve) => app.listen('127.0.0.1', 0, resolve))
  const port = uWS.us_socket_local_port(listening)
  const ends: WebSocket[] = []
  return {
    app,
    async connect() {
      const accepted = new Promise<NativeSocket<unknown>>((resolve) => opened.push(resolve))
      const client = new WebSocket(`ws://127.0.0.1:${port}`)
      ends.push(client)
      const received: string[] = []
      client.on('message', (data) => received.push(String(data)))
      const [socket] = await Promise.all([accepted, once(client, 'open')])
      return { socket: socket as unknown as PushSocket, received }
    },
    async [Symbol.asyncDispose]() {
      for (const client of ends) client.terminate()
      uWS.us_listen_socket_close(listening)
    },
  }
}

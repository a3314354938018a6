/**
 * The memory of connections that stay open: a gateway and the client library keep nothing of the events and heartbeats
 * that they have delivered. An hour is compressed: as many heartbeats as an hour has, and thousands of events.
 */
import http from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Transport } from '../../client/src/index.js'
import { startRelays } from '../setup/clients/library-client.js'
import { portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import { inspectorVariables, measureLiveBytes } from '../setup/processes/live-memory.js'
import { basicAuthorization, type Cursor } from '../setup/realm/event-reader.js'
import { ok, type Person } from '../setup/realm/realm.js'

/** Of each transport. A poll costs as much as ten deliveries. */
const CLIENTS = { socket: 30, stream: 30, poll: 5 } as const
/** Before the first measurement: code is compiled, buffers and tables have their size. */
const WARM_UP_EVENTS = 500
const EVENTS = 1_000
/** An hour has 400 with the default of 9 seconds. */
const HEARTBEATS = 400
const HEARTBEAT_MS = 50
/**
 * A gateway keeps the newest entries of a realm with their events as text (store/log/realm.ts): 1.9 MB for EVENTS, with
 * any number of clients. If something kept 20 bytes of each event for each client, it would be 1.3 MB more.
 */
const MAX_GROWTH_BYTES = 3_000_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const measureOwnBytes = (): number => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** What a reader has received. */
interface Reader {
  events: number
  heartbeats: number
  close(): void
}

const count = (reader: Reader, text: string) => {
  reader.events += text.split('"type":"update_message_flags"').length - 1
  reader.heartbeats += text.split('"type":"heartbeat"').length - 1
}

const openReaders = (url: string, reader: Person) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const headers = { Host: reader.host, Authorization: basicAuthorization(reader) }
  const pathOf = (queue_id: string, id: number) => `/api/v1/events?queue_id=${queue_id}&last_event_id=${id}`
  return {
    socket({ queue_id, last_event_id }: Cursor): Reader {
      const socket = new WebSocket(`${url.replace('http', 'ws')}${pathOf(queue_id, last_event_id)}`, { headers })
      const opened: Reader = { events: 0, heartbeats: 0, close: () => socket.terminate() }
      socket.on('message', (data) => count(opened, String(data)))
      return opened
    },
    stream({ queue_id, last_event_id }: Cursor): Reader {
      const options = { port: portOf(url), path: pathOf(queue_id, last_event_id), agent: false as const }
      const request = http.get({ ...options, headers: { ...headers, Accept: 'text/event-stream' } }, (response) => {
        response.on('data', (piece) => count(opened, String(piece)))
        response.on('error', () => {})
      })
      request.on('error', () => {})
      const opened: Reader = { events: 0, heartbeats: 0, close: () => request.destroy() }
      return opened
    },
    poll({ queue_id, last_event_id }: Cursor): Reader {
      let isClosed = false
      let current: http.ClientRequest | undefined
      const opened: Reader = {
        events: 0,
        heartbeats: 0,
        close() {
          isClosed = true
          current?.destroy()
        },
      }
      const next = (id: number) => {
        if (isClosed) return
        current = http.get({ port: portOf(url), path: pathOf(queue_id, id), agent, headers }, (response) => {
          let text = ''
          response.on('data', (piece) => {
            text += String(piece)
          })
          response.on('end', () => {
            count(opened, text)
            next((JSON.parse(text) as { events: { id: number }[] }).events.at(-1)?.id ?? id)
          })
        })
        current.on('error', () => {})
      }
      next(last_event_id)
      return opened
    },
  }
}

test('After an hour of events and heartbeats, a gateway and the client library hold no more memory than before.', {
  timeout: 180_000,
}, async () => {
  const heartbeat = String(HEARTBEAT_MS)
  const heartbeats = { POLL_HEARTBEAT_MS: heartbeat, STREAM_HEARTBEAT_MS: heartbeat }
  const env = { ...inspectorVariables, ...heartbeats, RATE_LIMITS: 'off' }
  await using own = await startOwnGateway(env)
  const { ada, gateway } = own
  const at = { url: gateway.url }
  const register = async (): Promise<Cursor> =>
    ok(ada, 'POST', '/register', { event_types: '["update_message_flags"]' }, at)
  const open = openReaders(gateway.url, ada)
  const readers: Reader[] = []
  for (const kind of ['socket', 'stream', 'poll'] as const) {
    for (let n = 0; n < CLIENTS[kind]; n++) readers.push(open[kind](await register()))
  }

  await using relays = await startRelays(ada.host, [gateway.url])
  const library = await Promise.all(
    (['websocket', 'sse', 'poll'] as const satisfies readonly Transport[]).map(async (transport) => {
      const events = relays.client(ada).events({ transports: [transport], event_types: ['update_message_flags'] })
      await events.snapshot
      const received = { events: 0, heartbeats: HEARTBEATS, close: () => events.close() }
      void (async () => {
        for await (const _ of events) received.events += 1
      })()
      return received
    }),
  )

  const total = () => Math.min(...[...readers, ...library].map(({ events }) => events))
  let sent = 0
  const message = { type: 'direct', to: [ada.user_id], content: 'hi' }
  const ids = await Promise.all(
    Array.from({ length: 8 }, async () => (await ok(ada, 'POST', '/messages', message, at)).id),
  )
  /** Causes events that no gateway keeps for other readers: the star of a message comes and goes. */
  const send = async (number: number) => {
    const toggle = async (id: number) => {
      for (const op of ['add', 'remove'] as const) {
        sent += 1
        await ok(ada, 'POST', '/messages/flags', { messages: [id], op, flag: 'starred' }, at)
      }
    }
    const toggleOften = async (id: number) => {
      while (sent < number) await toggle(id)
    }
    await Promise.all(ids.map(toggleOften))
    await expect.poll(total, { timeout: 30_000 }).toBe(sent)
  }

  await send(WARM_UP_EVENTS)
  const before = { gateway: await measureLiveBytes(gateway.logFile), library: measureOwnBytes() }
  const counts = readers.map(({ heartbeats }) => heartbeats)
  await send(WARM_UP_EVENTS + EVENTS)
  const countBeats = () =>
    Math.min(
      ...readers.slice(0, CLIENTS.socket + CLIENTS.stream).map(({ heartbeats }, i) => heartbeats - (counts[i] ?? 0)),
    )
  await expect.poll(countBeats, { timeout: 60_000 }).toBeGreaterThan(HEARTBEATS)
  // What is on its way when it is measured is gone a moment later. What was kept is not.
  const growth = async () => (await measureLiveBytes(gateway.logFile)) - before.gateway
  await expect.poll(growth, { timeout: 20_000 }).toBeLessThan(MAX_GROWTH_BYTES)
  await expect.poll(() => measureOwnBytes() - before.library, { timeout: 20_000 }).toBeLessThan(MAX_GROWTH_BYTES)
  for (const reader of [...readers, ...library]) reader.close()
})

/** How often the client library connects while its connections open and end at once, in a simulated time. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { backoff } from '../../client/src/events/backoff.js'
import { createClient, type SocketClass, type Transport } from '../../client/src/index.js'

const SIMULATED_MS = 600_000
/** The bounds of the pauses double up to 30 seconds: with the mean pauses, 45 attempts in ten minutes. */
const MAX_ATTEMPTS = 80
/** Each answer takes so long. */
const ANSWER_MS = 10

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const heartbeat = (id: number) => ({ id, type: 'heartbeat' })

/** What a socket does after it has opened: it gets frames, and is closed with a code. */
interface SocketEnd {
  frames?: object[]
  code?: number
}

/** Long enough for a connection to be trusted, and shorter than the silence that ends one. */
const LASTED_MS = 12_000

/** Creates a WebSocket class whose sockets open and end at once. `connect` counts them. */
const createSocketClass = (connect: () => SocketEnd): SocketClass =>
  class {
    readonly readyState = 1
    readonly #listeners: Record<string, (event: never) => void> = {}

    constructor() {
      const { frames = [], code = 1006 } = connect()
      setTimeout(() => {
        this.#listeners.open?.({} as never)
        for (const frame of frames) this.#listeners.message?.({ data: JSON.stringify(frame) } as never)
        setTimeout(() => this.#listeners.close?.({ code, reason: '' } as never), ANSWER_MS)
      }, ANSWER_MS)
    }

    addEventListener(type: string, listener: (event: never) => void) {
      this.#listeners[type] = listener
    }

    send() {}

    close() {}
  } as SocketClass

interface Server {
  /** what each socket does */
  socket?: (n: number) => SocketEnd
  /** what each request for events is answered with: a stream, or a body in JSON */
  answer?: (n: number) => string | object
}

/** Runs a client for ten minutes. @returns how often it asked for events, and how often it registered */
const countAttempts = async (transport: Transport, server: Server) => {
  const counts = { events: 0, registrations: 0 }
  const fetch = async (address: string | URL | Request) => {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
    if (String(address).endsWith('/register')) {
      counts.registrations += 1
      return Response.json({ result: 'success', queue_id: `queue ${counts.registrations}`, last_event_id: 0 })
    }
    counts.events += 1
    const answer = server.answer?.(counts.events) ?? {}
    if (typeof answer !== 'string') {
      return Response.json(answer, { status: 'code' in answer ? 400 : 200 })
    }
    return new Response(answer, { headers: { 'Content-Type': 'text/event-stream' } })
  }
  const WebSocket = createSocketClass(() => {
    counts.events += 1
    return server.socket?.(counts.events) ?? {}
  })
  const credentials = { email: 'ada@example.com', apiKey: 'key' }
  const client = createClient({
    url: 'http://parley.test',
    credentials,
    fetch: fetch as typeof globalThis.fetch,
    WebSocket,
  })
  const events = client.events({ transports: [transport] })
  await vi.advanceTimersByTimeAsync(SIMULATED_MS)
  events.close()
  return counts
}

const gone = { result: 'error', code: 'BAD_EVENT_QUEUE_ID', msg: 'Bad event queue ID' }

describe('A client connects less and less often', () => {
  test.for<[form: string, transport: Transport, server: Server]>([
    ['sockets that break as soon as they are open', 'websocket', {}],
    ['sockets that are closed with "resume"', 'websocket', { socket: () => ({ code: 4000 }) }],
    ['sockets that deliver an event and end', 'websocket', { socket: (n) => ({ frames: [heartbeat(n)] }) }],
    [
      'sockets whose end is announced',
      'websocket',
      { socket: () => ({ frames: [{ closing: { code: 4000, reason: '' } }] }) },
    ],
    ['sockets whose queue is gone', 'websocket', { socket: () => ({ code: 4010 }) }],
    ['streams that end as soon as they are open', 'sse', { answer: () => 'retry: 1000\n\n' }],
    ['streams that deliver an event and end', 'sse', { answer: (n) => `data: ${JSON.stringify(heartbeat(n))}\n\n` }],
    ['polls that are answered without an event', 'poll', { answer: () => ({ result: 'success', events: [] }) }],
    [
      'polls that are answered with the same event',
      'poll',
      { answer: () => ({ result: 'success', events: [heartbeat(7)] }) },
    ],
    ['polls whose queue is gone', 'poll', { answer: () => gone }],
  ])('with %s.', async ([, transport, server]) => {
    const { events, registrations } = await countAttempts(transport, server)
    expect(events).toBeGreaterThan(10)
    // A connection of polls consists of two requests.
    expect(events).toBeLessThan(transport === 'poll' ? 2 * MAX_ATTEMPTS : MAX_ATTEMPTS)
    expect(registrations).toBeLessThan(MAX_ATTEMPTS)
  })
})

describe('The clients of a gateway', { timeout: 60_000 }, () => {
  /** Opens many clients whose first connections end with a code. @returns the pauses until they connect again */
  const measurePauses = async (code: number) => {
    const pauses: number[] = []
    const openClient = () => {
      let [sockets, closedAt] = [0, 0]
      class WebSocket {
        readonly readyState = 1
        readonly #listeners: Record<string, (event: never) => void> = {}

        constructor() {
          sockets += 1
          if (sockets > 1) {
            pauses.push(Date.now() - closedAt)
            return
          }
          setTimeout(() => this.#listeners.open?.({} as never), ANSWER_MS)
          setTimeout(() => {
            closedAt = Date.now()
            this.#listeners.close?.({ code, reason: '' } as never)
          }, LASTED_MS)
        }

        addEventListener(type: string, listener: (event: never) => void) {
          this.#listeners[type] = listener
        }

        send() {}

        close() {}
      }
      const registration = { result: 'success', queue_id: 'queue', last_event_id: 0 }
      const fetch = (async () => Response.json(registration)) as typeof globalThis.fetch
      const credentials = { email: 'ada@example.com', apiKey: 'key' }
      const client = createClient({
        url: 'http://parley.test',
        credentials,
        fetch,
        WebSocket: WebSocket as SocketClass,
      })
      return client.events({ transports: ['websocket'] })
    }
    const all = Array.from({ length: 100 }, openClient)
    await vi.advanceTimersByTimeAsync(15_000)
    for (const events of all) events.close()
    expect(pauses.length).toBe(all.length)
    return pauses
  }

  test('come back spread over two seconds when it dies.', async () => {
    const pauses = await measurePauses(1006)
    const perTenth = Array.from({ length: 21 }, () => 0)
    for (const pause of pauses) perTenth[Math.floor(pause / 100)] = (perTenth[Math.floor(pause / 100)] ?? 0) + 1
    expect(Math.max(...pauses)).toBeLessThanOrEqual(2_000)
    // The mean is five.
    expect(Math.max(...perTenth)).toBeLessThan(18)
  })

  test('come back within half a second when it closes their connections, which it spreads.', async () => {
    expect(Math.max(...(await measurePauses(4000)))).toBeLessThanOrEqual(500)
  })

  test('come back spread when they are all told to wait for the same time.', () => {
    const pauses = Array.from({ length: 400 }, () => backoff(1, 10))
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(10_000)
    expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(4_000)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(15_000)
  })
})

/**
 * Readers and senders of a drill: they behave like clients, connect again when a connection ends, and note everything
 * that a client would notice.
 *
 * Like a browser, a poll or stream sends its GET again when a connection that was used before ends without an answer
 * (RFC 9112 section 9.3.1): the other side closed it while it was idle.
 *
 * A reader keeps its queue. It notes the id of each message it receives, each event that it received before (doubled),
 * and each failure: a refused call, and a connection that ended without the reason that means "resume".
 */
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Client } from '../../client/src/index.js'
import {
  type Account,
  basicAuthorization,
  type Cursor,
  type Transport,
  type WireEvent,
} from '../setup/realm/event-reader.js'

/** What one reader noticed. */
export interface Reader {
  readonly transport: Transport
  /** the ids of the messages of its events, in the order in which they arrived */
  readonly messages: number[]
  /** when each of them arrived (performance.now) */
  readonly times: number[]
  /** events whose id was not greater than that of the event before */
  doubled: number
  /** refused calls and broken connections */
  readonly failures: string[]
  /** milliseconds without a connection, each time that it connected again */
  readonly gaps: number[]
  /** Ends the current connection, as a client whose network changes. It connects again. */
  reconnect(): void
  /** Ends the reader. */
  stop(): void
}

export interface ReaderOptions {
  /** Receives each event, before it is counted. */
  onEvent?(event: WireEvent): void
  /** milliseconds without a byte after which the connection is given up. Default: never */
  silence_ms?: number
}

/** Milliseconds before a new attempt after a failure. */
const RETRY_MS = 100

/** Starts a reader. @param url where it connects, each time */
export const startReader = (
  transport: Transport,
  url: () => string,
  account: Account,
  cursor: Cursor,
  { onEvent, silence_ms }: ReaderOptions = {},
): Reader => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { Host: account.host, Authorization: basicAuthorization(account) }
  let last_event_id = cursor.last_event_id
  let isStopped = false
  let lostAt: number | undefined
  let abort = () => {}
  const reader: Reader = {
    transport,
    messages: [],
    times: [],
    doubled: 0,
    failures: [],
    gaps: [],
    reconnect: () => abort(),
    stop() {
      isStopped = true
      clearInterval(watchdog)
      abort()
      agent.destroy()
    },
  }
  let heardAt = performance.now()
  const watchdog =
    silence_ms === undefined
      ? undefined
      : setInterval(() => {
          if (performance.now() - heardAt < silence_ms) return
          heardAt = performance.now()
          abort()
        }, 500)
  const receive = (event: WireEvent) => {
    heardAt = performance.now()
    onEvent?.(event)
    if (event.id <= last_event_id) reader.doubled += 1
    last_event_id = Math.max(last_event_id, event.id)
    if (event.type !== 'message') return
    reader.messages.push((event.message as { id: number }).id)
    reader.times.push(performance.now())
  }
  const noteOpen = () => {
    if (lostAt !== undefined) reader.gaps.push(performance.now() - lostAt)
    lostAt = undefined
    heardAt = performance.now()
  }
  const noteEnd = (failure?: string) => {
    if (isStopped) return
    lostAt ??= performance.now()
    if (failure !== undefined) reader.failures.push(failure)
  }
  const path = () => `${url()}/api/v1/events?queue_id=${encodeURIComponent(cursor.queue_id)}`

  /** One connection, until it ends. @returns whether it failed */
  const connections: Record<Transport, () => Promise<boolean>> = {
    poll: () =>
      new Promise((resolve) => {
        const fail = (failure: string) => {
          noteEnd(failure)
          resolve(true)
        }
        const request = http.get(`${path()}&last_event_id=${last_event_id}`, { agent, headers }, (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part
          })
          response.on('error', (error) => fail(`poll: ${error.message}`))
          response.on('end', () => {
            if (response.statusCode !== 200) return fail(`poll: ${response.statusCode} ${text.slice(0, 200)}`)
            noteOpen()
            for (const event of (JSON.parse(text) as { events: WireEvent[] }).events) receive(event)
            return resolve(false)
          })
        })
        abort = () => request.destroy()
        request.on('error', (error) => {
          if (request.reusedSocket && !isStopped) resolve(false)
          else fail(`poll: ${error.message}`)
        })
      }),

    sse: () =>
      new Promise((resolve) => {
        const fail = (failure: string) => {
          noteEnd(failure)
          resolve(true)
        }
        const options = { agent, headers: { ...headers, Accept: 'text/event-stream' } }
        const request = http.get(`${path()}&last_event_id=${last_event_id}`, options, (response) => {
          const isOpen = response.statusCode === 200
          if (isOpen) noteOpen()
          let text = ''
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part
            if (!isOpen) return
            const blocks = text.split('\n\n')
            text = blocks.pop() ?? ''
            for (const block of blocks) {
              const data = block.split('\n').find((line) => line.startsWith('data: '))
              if (data !== undefined) receive(JSON.parse(data.slice(6)) as WireEvent)
            }
          })
          response.on('error', (error) => fail(`stream: ${error.message}`))
          response.on('end', () => {
            if (!isOpen) return fail(`stream: ${response.statusCode} ${text.slice(0, 200)}`)
            noteEnd()
            return resolve(false)
          })
        })
        abort = () => request.destroy()
        request.on('error', (error) => {
          if (request.reusedSocket && !isStopped) resolve(false)
          else fail(`stream: ${error.message}`)
        })
      }),

    websocket: () =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${path().replace('http', 'ws')}&last_event_id=${last_event_id}`, { headers })
        abort = () => socket.terminate()
        let failure: string | undefined
        socket.on('open', noteOpen)
        socket.on('message', (data) => receive(JSON.parse(String(data)) as WireEvent))
        socket.on('error', (error) => {
          failure = error.message
        })
        socket.on('close', (code, reason) => {
          // 4000-4499 mean "come back".
          const isResume = code >= 4000 && code < 4500
          noteEnd(isResume ? undefined : `socket: ${code} ${String(reason)} ${failure ?? ''}`)
          resolve(!isResume)
        })
      }),
  }
  const run = async () => {
    while (!isStopped) {
      heardAt = performance.now()
      if (await connections[transport]()) await sleep(RETRY_MS)
    }
  }
  void run()
  return reader
}

/** What one sender noticed. */
export interface Sender {
  /** the ids of the messages that were acknowledged */
  readonly acknowledged: number[]
  /** when each of them was acknowledged (performance.now) */
  readonly times: number[]
  /** what was answered, or happened, instead */
  readonly failures: { at: number; reason: string; content: string }[]
  /** milliseconds of the call that took longest */
  longest: number
  /** Lets its current call finish, and ends it. */
  stop(): Promise<void>
}

let senders = 0

/**
 * Starts a sender on one kept-alive connection. It sends, waits for the answer, pauses, and sends again.
 * @param fields of the message, except its content
 * @param period_ms the least time from the beginning of one send to that of the next
 */
export const startSender = (
  url: () => string,
  account: Account,
  fields: Record<string, string>,
  pause_ms: number,
  period_ms = 0,
): Sender => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const send = (content: string) =>
    new Promise<number>((resolve, reject) => {
      const body = new URLSearchParams({ ...fields, content }).toString()
      const headers = {
        Host: account.host,
        Authorization: basicAuthorization(account),
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': Buffer.byteLength(body),
      }
      const request = http.request(`${url()}/api/v1/messages`, { method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('error', reject)
        response.on('end', () => {
          if (response.statusCode === 200) resolve((JSON.parse(text) as { id: number }).id)
          else reject(new Error(`${response.statusCode} ${text.slice(0, 200)}`))
        })
      })
      request.on('error', reject)
      request.end(body)
    })
  return runSender(send, () => agent.destroy(), pause_ms, period_ms)
}

/** Starts a sender that uses the client library. So it also has the socket on which the library receives events. */
export const startClientSender = (
  client: Client,
  fields: { type: 'stream'; to: string; topic: string },
  pause_ms: number,
  period_ms = 0,
): Sender => {
  const events = client.events({ event_types: ['message'], fetch_event_types: [], transports: ['websocket'] })
  const readToEnd = async () => {
    for await (const _ of events);
  }
  void readToEnd()
  const send = async (content: string) => (await client.call('POST /messages', { ...fields, content })).id
  return runSender(send, () => events.close(), pause_ms, period_ms)
}

/** Runs a sender. @param send returns the id of the message; throws an error with what happened instead */
const runSender = (
  send: (content: string) => Promise<number>,
  end: () => void,
  pause_ms: number,
  period_ms: number,
): Sender => {
  const name = `s${++senders}`
  let isStopped = false
  let count = 0
  const run = async () => {
    while (!isStopped) {
      const content = `${name} number ${++count}`
      const began = performance.now()
      try {
        sender.acknowledged.push(await send(content))
        sender.times.push(performance.now())
      } catch (error) {
        sender.failures.push({ at: performance.now(), reason: (error as Error).message, content })
      }
      const took = performance.now() - began
      sender.longest = Math.max(sender.longest, took)
      await sleep(Math.max(pause_ms, period_ms - took))
    }
    end()
  }
  const sender: Sender = {
    acknowledged: [],
    times: [],
    failures: [],
    longest: 0,
    async stop() {
      isStopped = true
      await running
    },
  }
  const running = run()
  return sender
}

/** Compares what readers received with what was acknowledged. */
export const compare = (readers: readonly Reader[], acknowledged: readonly number[]) => {
  let [lost, doubled, outOfOrder] = [0, 0, 0]
  for (const reader of readers) {
    const received = new Set(reader.messages)
    lost += acknowledged.filter((id) => !received.has(id)).length
    doubled += reader.doubled + reader.messages.length - received.size
    outOfOrder += reader.messages.filter((id, i) => id < (reader.messages[i - 1] ?? 0)).length
  }
  return { lost, doubled, outOfOrder }
}

/** Resolves when every reader has received these messages, or rejects after a time. */
export const waitForReaders = async (readers: readonly Reader[], ids: readonly number[], timeout_ms: number) => {
  const deadline = performance.now() + timeout_ms
  const last = Math.max(0, ...ids)
  while (readers.some(({ messages }) => (messages.at(-1) ?? 0) < last) && performance.now() < deadline) await sleep(10)
}

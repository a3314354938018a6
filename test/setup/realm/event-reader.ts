/**
 * Reads an event queue like a client: some events after a cursor, over poll, SSE or WebSocket.
 *
 * It shares no code with the gateway, so that it finds an error that the gateway's own decoder would share.
 */
import http from 'node:http'
import { WebSocket } from 'ws'

export const transports = ['poll', 'sse', 'websocket'] as const
export type Transport = (typeof transports)[number]

export interface Account {
  /** the Host header that selects the realm */
  host: string
  email: string
  api_key: string
}

export interface WireEvent {
  id: number
  type: string
  [key: string]: unknown
}

export interface Cursor {
  queue_id: string
  last_event_id: number
}

/** Says that the gateway refused the connection. It has the status or close code, and the body or close reason. */
export class Refused extends Error {
  readonly status: number
  readonly body: string

  constructor(status: number, body: string) {
    super(`${status} ${body}`)
    this.status = status
    this.body = body
  }
}

/** The Authorization header of an account. */
export const basicAuthorization = ({ email, api_key }: Account): string =>
  `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`

/**
 * Reads the events after the cursor, heartbeats included. There are none when the time ran out, or the connection ended
 * first. Throws Refused; a connection that breaks throws the system's error.
 */
export const readEvents = (
  transport: Transport,
  url: string,
  account: Account,
  cursor: Cursor,
  timeout_ms = 10_000,
): Promise<WireEvent[]> => {
  if (transport === 'poll') return readPoll(url, account, cursor, timeout_ms)
  return transport === 'sse'
    ? readStream(url, account, cursor, timeout_ms)
    : readSocket(url, account, cursor, timeout_ms)
}

/**
 * Reads the events after the cursor up to the first that `isLast`. Heartbeats are included. It opens as many
 * connections as it takes, one after the other, because a queue has one reader (a second one displaces the first).
 * Throws like `readEvents`.
 */
export const readUntil = async (
  transport: Transport,
  url: string,
  account: Account,
  { queue_id, last_event_id }: Cursor,
  isLast: (event: WireEvent) => boolean,
): Promise<WireEvent[]> => {
  const events: WireEvent[] = []
  for (;;) {
    const at = { queue_id, last_event_id: events.at(-1)?.id ?? last_event_id }
    for (const event of await readEvents(transport, url, account, at)) {
      events.push(event)
      if (isLast(event)) return events
    }
  }
}

const pathOf = ({ queue_id, last_event_id }: Cursor) =>
  `/api/v1/events?queue_id=${encodeURIComponent(queue_id)}&last_event_id=${last_event_id}`

const agent = new http.Agent({ keepAlive: false })

const readPoll = (url: string, account: Account, cursor: Cursor, timeout_ms: number): Promise<WireEvent[]> =>
  new Promise((resolve, reject) => {
    const headers = { Host: account.host, Authorization: basicAuthorization(account) }
    const request = http.get(`${url}${pathOf(cursor)}`, { agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => {
        clearTimeout(timer)
        if (response.statusCode !== 200) reject(new Refused(response.statusCode ?? 0, text))
        else resolve((JSON.parse(text) as { events: WireEvent[] }).events)
      })
    })
    // The gateway may answer a poll while it is given up. The next poll returns the same events.
    const timer = setTimeout(() => {
      request.destroy()
      resolve([])
    }, timeout_ms)
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })

/** Milliseconds that a stream stays open after its first event, to receive a whole burst. */
const LINGER_MS = 15

const readStream = (url: string, account: Account, cursor: Cursor, timeout_ms: number): Promise<WireEvent[]> =>
  new Promise((resolve, reject) => {
    const headers = { Host: account.host, Authorization: basicAuthorization(account), Accept: 'text/event-stream' }
    const events: WireEvent[] = []
    const request = http.get(`${url}${pathOf(cursor)}`, { agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (response.statusCode !== 200) return
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          const lines = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          const data = lines.find((line) => line.startsWith('data: '))
          if (data === undefined) continue
          const event = JSON.parse(data.slice(6)) as WireEvent
          if (!lines.includes(`id: ${event.id}`)) reject(new Error(`no id line for event ${event.id}`))
          events.push(event)
          if (events.length === 1) setTimeout(leave, LINGER_MS)
        }
      })
      response.on('error', leave)
      response.on('end', () => {
        if (response.statusCode !== 200) reject(new Refused(response.statusCode ?? 0, text))
        else leave()
      })
    })
    const leave = () => {
      clearTimeout(timer)
      request.destroy()
      resolve(events)
    }
    const timer = setTimeout(leave, timeout_ms)
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })

const readSocket = (url: string, account: Account, cursor: Cursor, timeout_ms: number): Promise<WireEvent[]> =>
  new Promise((resolve, reject) => {
    const headers = { Host: account.host, Authorization: basicAuthorization(account) }
    const socket = new WebSocket(`${url.replace('http', 'ws')}${pathOf(cursor)}`, { headers })
    const events: WireEvent[] = []
    const leave = () => {
      clearTimeout(timer)
      socket.terminate()
      resolve(events)
    }
    const timer = setTimeout(leave, timeout_ms)
    socket.on('message', (data) => {
      events.push(JSON.parse(String(data)) as WireEvent)
      if (events.length === 1) setTimeout(leave, LINGER_MS)
    })
    socket.on('close', (code, reason) => {
      // 4000-4499 mean "come back" (the table of closes); what came before them counts.
      if (code >= 4500 || code === 4010) reject(new Refused(code, String(reason)))
      else leave()
    })
    socket.on('unexpected-response', (_request, response) => {
      clearTimeout(timer)
      let text = ''
      response.on('data', (part) => {
        text += String(part)
      })
      response.on('end', () => reject(new Refused(response.statusCode ?? 0, text)))
    })
    socket.on('error', (error) => {
      clearTimeout(timer)
      if (events.length > 0) resolve(events)
      else reject(error)
    })
  })

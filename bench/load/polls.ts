/**
 * Clients that wait by long poll: each asks again as soon as it has its answer, with the last id it got.
 *
 * Against a gateway they read a queue each; against a server that answers everyone with the same body they count.
 */
import { serve } from '../part.js'
import { type Connection, connectHttp, request } from './http.js'

interface Poller {
  queue_id: string
  last_event_id: number
  credentials: string
}

let connections: Connection[] = []
let events: Uint32Array = new Uint32Array()
let disorder = 0
let total = 0
let sample = ''
let waiting: { total: number; resolve(): void } | undefined

const count = (i: number, n: number) => {
  events[i] = (events[i] ?? 0) + n
  total += n
  if (waiting !== undefined && total >= waiting.total) waiting.resolve()
}

const jobs = {
  /** Parks a poll per client at GET /events, and goes on polling until the connections are closed. */
  async poll({ port, host, pollers }: { port: number; host: string; pollers: Poller[] }): Promise<void> {
    await start(port, pollers.length, async (connection, i) => {
      const poller = pollers[i]
      if (poller === undefined) return
      const { queue_id, last_event_id, credentials } = poller
      const query = { queue_id, last_event_id: String(last_event_id) }
      const { status, body } = await connection.ask(request('GET', '/events', { host, credentials }, query))
      if (status !== 200) throw new Error(`a poll was answered with ${status}: ${body}`)
      const answer = JSON.parse(body) as { events: { id: number }[] }
      for (const { id } of answer.events) {
        if (id <= poller.last_event_id) disorder += 1
        poller.last_event_id = id
      }
      if (sample === '') sample = body
      count(i, answer.events.length)
    })
  },

  /** The same at another server's path, whose answers are one event each. */
  async park({ port, path, clients }: { port: number; path: string; clients: number }): Promise<void> {
    const text = `GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`
    await start(port, clients, async (connection, i) => {
      await connection.ask(text)
      count(i, 1)
    })
  },

  reset(_: null): void {
    events.fill(0)
    disorder = 0
    total = 0
    sample = ''
  },

  /** Waits until there are `each` events per client, or `within_ms` are over. */
  async counted({ each, within_ms }: { each: number; within_ms: number }) {
    const goal = each * events.length
    if (total < goal) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, within_ms)
        const done = () => {
          clearTimeout(timer)
          resolve()
        }
        waiting = { total: goal, resolve: done }
      })
      waiting = undefined
    }
    return { total, wrong: events.filter((n) => n !== each).length, disorder, sample }
  },
}

/** Connects, and lets each connection ask over and over. */
const start = async (port: number, clients: number, ask: (connection: Connection, i: number) => Promise<void>) => {
  connections = []
  for (let i = 0; i < clients; i++) connections.push(await connectHttp(port))
  events = new Uint32Array(clients)
  total = 0
  for (const [i, connection] of connections.entries()) {
    const loop = async () => {
      for (;;) await ask(connection, i)
    }
    // A connection that the server ends is the end of that client; what it misses shows in the counts.
    loop().catch((error: Error) => console.error(error.message))
  }
}

export type PollJobs = typeof jobs
serve(jobs)

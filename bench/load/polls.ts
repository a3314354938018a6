/**
 * Clients that long-poll: each sends its next request as soon as it has a response.
 *
 * `pollQueues` reads one queue of a gateway per client, from the last event id that the client received. `pollPath`
 * reads a path of another server, whose responses contain one event each.
 */
import { serveProcedures } from '../harness/child-process.js'
import { connectHttp, formatRequest, type HttpConnection } from './http.js'

interface PollingClient {
  queue_id: string
  last_event_id: number
  credentials: string
}

let connections: HttpConnection[] = []
/** events per client */
let eventCounts: Uint32Array = new Uint32Array()
/** events whose id was not greater than the id before it */
let outOfOrder = 0
let total = 0
/** the body of the first response */
let sample = ''
let waiter: { total: number; resolve(): void } | undefined

const countEvents = (client: number, count: number) => {
  eventCounts[client] = (eventCounts[client] ?? 0) + count
  total += count
  if (waiter !== undefined && total >= waiter.total) waiter.resolve()
}

const procedures = {
  /** Starts a long poll per client at GET /events. The clients poll until the connections are closed. */
  async pollQueues({ port, host, clients }: { port: number; host: string; clients: PollingClient[] }): Promise<void> {
    await startLoops(port, clients.length, async (connection, i) => {
      const client = clients[i]
      if (client === undefined) return
      const { queue_id, last_event_id, credentials } = client
      const query = { queue_id, last_event_id: String(last_event_id) }
      const { status, body } = await connection.send(formatRequest('GET', '/events', { host, credentials }, query))
      if (status !== 200) throw new Error(`a poll was answered with ${status}: ${body}`)
      const response = JSON.parse(body) as { events: { id: number }[] }
      for (const { id } of response.events) {
        if (id <= client.last_event_id) outOfOrder += 1
        client.last_event_id = id
      }
      if (sample === '') sample = body
      countEvents(i, response.events.length)
    })
  },

  /** Starts a long poll per client at a path of another server. */
  async pollPath({ port, path, clients }: { port: number; path: string; clients: number }): Promise<void> {
    const text = `GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`
    await startLoops(port, clients, async (connection, i) => {
      await connection.send(text)
      countEvents(i, 1)
    })
  },

  resetCounts(_: null): void {
    eventCounts.fill(0)
    outOfOrder = 0
    total = 0
    sample = ''
  },

  /** Waits until the clients have received `each` events per client, at most `within_ms`, and returns the counts. */
  async waitForEvents({ each, within_ms }: { each: number; within_ms: number }) {
    const expected = each * eventCounts.length
    if (total < expected) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, within_ms)
        const finish = () => {
          clearTimeout(timer)
          resolve()
        }
        waiter = { total: expected, resolve: finish }
      })
      waiter = undefined
    }
    const wrongCounts = eventCounts.filter((count) => count !== each).length
    return { total, wrongCounts, outOfOrder, sample }
  },
}

/** Connects all clients, then lets each poll in a loop. */
const startLoops = async (
  port: number,
  clients: number,
  poll: (connection: HttpConnection, i: number) => Promise<void>,
) => {
  connections = []
  for (let i = 0; i < clients; i++) connections.push(await connectHttp(port))
  eventCounts = new Uint32Array(clients)
  total = 0
  for (const [i, connection] of connections.entries()) {
    const pollInLoop = async () => {
      for (;;) await poll(connection, i)
    }
    // A client ends when the server closes its connection. The counts show the events that it did not receive.
    pollInLoop().catch((error: Error) => console.error(error.message))
  }
}

export type PollProcedures = typeof procedures
serveProcedures(procedures)

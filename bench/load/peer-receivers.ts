/**
 * Clients that receive the messages of one room of any server that bench/peers/ compares: WebSockets or long polls.
 *
 * 1. Every message is found by its stamp (stamps.ts), so frames and responses may contain several.
 * 2. The clients receive the same order exactly if the hashes of the stamps that they received are equal.
 */
import { serveProcedures } from '../harness/child-process.js'
import { now, percentile } from '../harness/measure.js'
import { createFrameReader, encodeTextFrame } from './frames.js'
import { connectHttp, type HttpResponse } from './http.js'
import { readStamps } from './stamps.js'
import { type Handshake, openWebSocket } from './websocket.js'

/** How clients receive. */
export type ReceiverPlan = SocketReceivers | PollReceivers

interface SocketReceivers {
  kind: 'sockets'
  /** the virtual host */
  host: string
  handshakes: Handshake[]
  /** what each client sends when its socket is open */
  firstFrames?: string[][]
  /** a text in the frame after which a client receives; without it, an open socket receives */
  readyText?: string
}

interface PollReceivers {
  kind: 'polls'
  protocol: keyof typeof protocols
  clients: PollingClient[]
}

/** A client that polls, and how far it has read. */
interface PollingClient {
  /** the request, with POSITION where the position is */
  request: string
  /** after what it receives events, in the protocol's own form */
  position: string
}

/** Returns the position after a response. */
type ReadPosition = (response: HttpResponse, position: string) => string

const protocols = {
  /** Each event has an id: the last one of the response. */
  parley: (({ body }, position) => {
    const { events } = JSON.parse(body) as { events: { id: number }[] }
    return String(events.at(-1)?.id ?? position)
  }) satisfies ReadPosition,
  /** The headers of the response are those of the next request. */
  nchan: (({ head }) => {
    const header = (name: string) => new RegExp(`^${name}: (.*)\r?$`, 'im').exec(head)?.[1]?.trim() ?? ''
    return `If-Modified-Since: ${header('Last-Modified')}\r\nIf-None-Match: ${header('Etag')}\r\n`
  }) satisfies ReadPosition,
  matrix: (({ body }) => (JSON.parse(body) as { next_batch: string }).next_batch) satisfies ReadPosition,
  /** The server has no positions: it answers the polls that wait. */
  none: ((_, position) => position) satisfies ReadPosition,
} as const

let counts: number[] = []
let hashes: number[] = []
let total = 0
let bytesReceived = 0
let lastAt = 0
/** Messages with an older stamp are of an earlier round. */
let since = 0
let deliveryTimes: number[] = []
let waiter: { total: number; resolve(): void } | undefined
let closers: (() => void)[] = []
let failure: string | undefined

const countStamps = (client: number, bytes: Buffer, start: number, end: number) => {
  const before = total
  readStamps(bytes, start, end, (elapsed, stamp) => {
    if (stamp < since) return
    counts[client] = (counts[client] ?? 0) + 1
    hashes[client] = (Math.imul(hashes[client] ?? 0, 31) + (stamp % 1_000_000_007)) | 0
    total += 1
    deliveryTimes.push(elapsed)
  })
  if (total === before) return
  bytesReceived += end - start
  lastAt = now()
  if (waiter !== undefined && total >= waiter.total) waiter.resolve()
}

const openSocket = (port: number, plan: SocketReceivers, i: number, client: number) =>
  new Promise<void>((resolve, reject) => {
    let isReady = plan.readyText === undefined
    let seen = ''
    const timer = setTimeout(() => reject(new Error(`a client was not ready; it received ${seen}`)), READY_TIMEOUT_MS)
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    const read = createFrameReader((bytes, start, end) => {
      if (!isReady) {
        const text = bytes.toString('latin1', start, end)
        seen = (seen + text).slice(-1000)
        isReady = text.includes(plan.readyText ?? '')
        if (isReady) finish()
      }
      countStamps(client, bytes, start, end)
    })
    const handshake = plan.handshakes[i] ?? { path: '/', headers: [] }
    openWebSocket({ port, host: plan.host, handshake }, read).then((socket) => {
      closers.push(socket.close)
      for (const frame of plan.firstFrames?.[i] ?? []) socket.write(encodeTextFrame(frame))
      if (plan.readyText === undefined) finish()
    }, reject)
  })

const openPoll = async (port: number, plan: PollReceivers, i: number, client: number) => {
  const { request, position: first } = plan.clients[i] ?? { request: '', position: '' }
  const connection = await connectHttp(port)
  let isClosed = false
  closers.push(() => {
    isClosed = true
    connection.close()
  })
  const readPosition = protocols[plan.protocol]
  const poll = async () => {
    for (let position = first; ; ) {
      const response = await connection.send(request.replace('POSITION', position))
      if (response.status !== 200) throw new Error(`a poll was answered with ${response.status}: ${response.body}`)
      const body = Buffer.from(response.body, 'latin1')
      countStamps(client, body, 0, body.length)
      position = readPosition(response, position)
    }
  }
  poll().catch((error: Error) => {
    if (!isClosed) failure = error.message
  })
}

/** Waits until the clients have received a number of messages together, at most `within_ms`. */
const waitForTotal = async (expected: number, within_ms: number) => {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, within_ms)
    waiter = {
      total: expected,
      resolve() {
        clearTimeout(timer)
        resolve()
      },
    }
  })
  waiter = undefined
}

const procedures = {
  /** Opens further clients, a limited number at a time. */
  async open({ port, plan }: { port: number; plan: ReceiverPlan }): Promise<void> {
    const indexes = Array.from((plan.kind === 'sockets' ? plan.handshakes : plan.clients).keys())
    const first = counts.length
    counts.push(...indexes.map(() => 0))
    hashes.push(...indexes.map(() => 0))
    const next = indexes.values()
    const openNext = async () => {
      for (const i of next) {
        if (plan.kind === 'sockets') await openSocket(port, plan, i, first + i)
        else await openPoll(port, plan, i, first + i)
      }
    }
    await Promise.all(Array.from({ length: OPEN_CONCURRENCY }, openNext))
  },

  reset(_: null): void {
    counts = counts.map(() => 0)
    hashes = hashes.map(() => 0)
    total = 0
    bytesReceived = 0
    deliveryTimes = []
    since = now() * 1000
  },

  /** Waits until every client has received `each` messages, or none has received any for `quiet_ms`. */
  async wait({ each, quiet_ms }: { each: number; quiet_ms: number }) {
    const expected = each * counts.length
    const startedAt = now()
    while (total < expected && now() - Math.max(lastAt, startedAt) < quiet_ms) await waitForTotal(expected, quiet_ms)
    if (failure !== undefined) throw new Error(failure)
    return {
      total,
      lastAt,
      bytes: bytesReceived,
      lost: counts.reduce((sum, count) => sum + Math.max(0, each - count), 0),
      repeated: counts.reduce((sum, count) => sum + Math.max(0, count - each), 0),
      orders: new Set(hashes).size,
      p50: percentile(deliveryTimes, 0.5),
      p99: percentile(deliveryTimes, 0.99),
    }
  },

  close(_: null): void {
    for (const close of closers) close()
    closers = []
    counts = []
    hashes = []
  },
}

const READY_TIMEOUT_MS = 60_000
/** Fewer connections than the accept queue of a listening socket holds. */
const OPEN_CONCURRENCY = 50

export type PeerReceiverProcedures = typeof procedures
serveProcedures(procedures)

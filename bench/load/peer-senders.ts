/**
 * Senders to one room of any server that bench/peers/ compares: over HTTP, or as calls over a few WebSockets, each of
 * which has several calls open. Every message contains the time at which it was due (stamps.ts).
 */
import { serveProcedures } from '../harness/child-process.js'
import { now, percentile, runAtRate } from '../harness/measure.js'
import { createFrameReader, encodeTextFrame } from './frames.js'
import { type ConnectionPool, openConnectionPool } from './http.js'
import { compileStamped } from './stamps.js'
import { type Handshake, openWebSocket } from './websocket.js'

/** How messages are sent. The texts contain the placeholder of the stamp. */
export type SenderPlan = HttpPlan | SocketPlan

interface HttpPlan {
  kind: 'http'
  /** whole requests, one per account */
  requests: string[]
  /** a text that only the response of a refused message contains, for servers that refuse with the status 200 */
  refusal?: string
}

interface SocketPlan {
  kind: 'sockets'
  handshakes: Handshake[]
  /** what each socket sends first, and the text in the reply to the last of it */
  firstFrames: string[][]
  readyText: string
  /** the call of each socket, whose id is the stamp */
  calls: string[]
  /** the source of a regular expression that matches the reply to an accepted call; its first group is the id */
  reply: string
}

/** Sends one message with a stamp, and resolves when it is acknowledged. */
type Send = (i: number, time: number) => Promise<void>

let sendOne: Send = () => Promise.reject(new Error('no senders were opened'))
let pool: ConnectionPool | undefined

const openHttpSenders = (port: number, { requests, refusal }: HttpPlan): Send => {
  const connections = openConnectionPool(port)
  pool = connections
  const templates = requests.map(compileStamped)
  return async (i, time) => {
    const connection = await connections.take()
    const { status, body } = await connection.send(templates[i % templates.length]?.(time) ?? '')
    connections.giveBack(connection)
    if (status < 200 || status > 299 || (refusal !== undefined && body.includes(refusal))) {
      throw new Error(`a message was refused with ${status}: ${body.slice(0, 400)}`)
    }
  }
}

const openSocketSenders = async (port: number, plan: SocketPlan): Promise<Send> => {
  const pattern = new RegExp(plan.reply, 'g')
  const templates = plan.calls.map(compileStamped)
  const waiting = new Map<string, () => void>()
  let last = 0
  const open = (handshake: Handshake, i: number) =>
    new Promise<{ write(bytes: Buffer): void }>((resolve, reject) => {
      let socket: { write(bytes: Buffer): void } | undefined
      let isReady = false
      const read = createFrameReader((bytes, start, end) => {
        const text = bytes.toString('latin1', start, end)
        if (!isReady && text.includes(plan.readyText)) {
          isReady = true
          if (socket !== undefined) resolve(socket)
        }
        for (const [, id = ''] of text.matchAll(pattern)) {
          waiting.get(id)?.()
          waiting.delete(id)
        }
      })
      openWebSocket({ port, host: '127.0.0.1', handshake }, read).then((opened) => {
        socket = opened
        for (const frame of plan.firstFrames[i] ?? []) opened.write(encodeTextFrame(frame))
        if (isReady) resolve(opened)
      }, reject)
    })
  const sockets = await Promise.all(plan.handshakes.map(open))
  return (i, time) =>
    new Promise((resolve) => {
      // The stamp is the id of the call, so no two calls have the same one.
      last = Math.max(time, last + 0.001)
      waiting.set(String(Math.round(last * 1000)), resolve)
      const socket = i % sockets.length
      sockets[socket]?.write(encodeTextFrame(templates[socket]?.(last) ?? ''))
    })
}

const procedures = {
  async open({ port, plan }: { port: number; plan: SenderPlan }): Promise<void> {
    sendOne = plan.kind === 'http' ? openHttpSenders(port, plan) : await openSocketSenders(port, plan)
  },

  /** Each of `senders` sends its next message when the last one is acknowledged, for some seconds. */
  async sendInClosedLoop({ senders, seconds }: { senders: number; seconds: number }) {
    const start = now()
    const end = start + seconds * 1000
    const responseTimes: number[] = []
    const runSender = async (_: unknown, i: number) => {
      for (let sentAt = now(); sentAt < end; sentAt = now()) {
        await sendOne(i, sentAt)
        responseTimes.push(now() - sentAt)
      }
    }
    await Promise.all(Array.from({ length: senders }, runSender))
    return { count: responseTimes.length, startedAt: start, endedAt: now(), p99: percentile(responseTimes, 0.99) }
  },

  /** Sends at a constant rate. Resolves when all messages are acknowledged. */
  async sendAtRate({ rate, count }: { rate: number; count: number }): Promise<void> {
    const sends: Promise<void>[] = []
    await runAtRate(rate, count, (i, due) => void sends.push(sendOne(i, due)))
    await Promise.all(sends)
  },

  close(_: null): void {
    pool?.close()
  },
}

export type PeerSenderProcedures = typeof procedures
serveProcedures(procedures)

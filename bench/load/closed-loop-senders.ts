/**
 * Senders in a closed loop: each sends its next message as soon as the last one is acknowledged, over HTTP or as calls
 * over a socket.
 */
import { serveProcedures } from '../harness/child-process.js'
import { now } from '../harness/measure.js'
import { createFrameReader, encodeTextFrame } from './frames.js'
import { connectHttp, type HttpResponse } from './http.js'
import { compileTemplate } from './messages.js'
import { type Handshake, openWebSocket } from './websocket.js'

/** Sends one message, and resolves when it is acknowledged. */
type Send = (number: number) => Promise<void>

/** groups of senders, by name */
const groups = new Map<string, Send[]>()
/** of the next message: no two messages of a run have the same number */
let number = 0

const openHttpSender = async (port: number, request: string): Promise<Send> => {
  const connection = await connectHttp(port)
  const insertNumber = compileTemplate(request)
  return async (number) => requireSuccess(await connection.send(insertNumber(number)))
}

const openSocketSender = async (port: number, host: string, handshake: Handshake, call: string): Promise<Send> => {
  const insertNumber = compileTemplate(call)
  let acknowledge: (response: Answer) => void = () => {}
  const read = createFrameReader((bytes, start, end) => {
    const body = bytes.toString('latin1', start, end)
    const status = /^\{"req":1,"status":(\d+)/.exec(body)?.[1]
    // Every other frame is an event of the sender's queue.
    if (status !== undefined) acknowledge({ status: Number(status), body })
  })
  const socket = await openWebSocket({ port, host, handshake }, read)
  return async (number) => {
    const acknowledged = new Promise<Answer>((resolve) => {
      acknowledge = resolve
    })
    socket.write(encodeTextFrame(insertNumber(number)))
    requireSuccess(await acknowledged)
  }
}

/** What both transports answer. */
type Answer = Pick<HttpResponse, 'status' | 'body'>

const requireSuccess = ({ status, body }: Answer) => {
  if (status !== 200) throw new Error(`a message was refused with ${status}: ${body}`)
}

interface SocketSenders {
  group: string
  port: number
  host: string
  handshakes: Handshake[]
  call: string
}

const procedures = {
  /** Opens a keep-alive connection per request. */
  async openHttpSenders(input: { group: string; port: number; requests: string[] }): Promise<void> {
    const { group, port, requests } = input
    groups.set(group, await Promise.all(requests.map((request) => openHttpSender(port, request))))
  },

  /** Opens a socket per handshake. All of them send the same call. */
  async openSocketSenders({ group, port, host, handshakes, call }: SocketSenders): Promise<void> {
    const open = (handshake: Handshake) => openSocketSender(port, host, handshake, call)
    groups.set(group, await Promise.all(handshakes.map(open)))
  },

  /** Lets the senders of a group send for some seconds. Throws when a message is refused. */
  async sendMessages({ group, seconds }: { group: string; seconds: number }) {
    const start = now()
    const end = start + seconds * 1000
    const responseTimes: number[] = []
    const runSender = async (send: Send) => {
      for (let sentAt = now(); sentAt < end; sentAt = now()) {
        await send(number++)
        responseTimes.push(now() - sentAt)
      }
    }
    await Promise.all((groups.get(group) ?? []).map(runSender))
    return { count: responseTimes.length, seconds: (now() - start) / 1000, responseTimes }
  },
}

export type ClosedLoopSenderProcedures = typeof procedures
serveProcedures(procedures)

/**
 * Thousands of WebSockets in one process, which counts the frames that they receive.
 *
 * 1. Sockets are in groups, one group per server. Every delivery is one text frame, counted for its socket.
 * 2. Event ids must increase on every socket. So the right number of frames means that each event came exactly once.
 */
import { serveProcedures } from '../harness/child-process.js'
import { now } from '../harness/measure.js'
import { createFrameReader, encodeTextFrame, readEventId } from './frames.js'
import { connectHttp } from './http.js'
import { compileTemplate } from './messages.js'
import { type Handshake, openWebSocket, type WebSocketConnection } from './websocket.js'

interface Group {
  sockets: WebSocketConnection[]
  /** frames per socket */
  frames: Uint32Array
  /** the last event id per socket */
  lastIds: Float64Array
  /** whether the event ids are checked; a server that repeats one frame has no increasing ids */
  checksIds: boolean
  total: number
  /** frames whose event id was not greater than the id before it */
  outOfOrder: number
  /** the first frame of the first socket */
  sample: string
  /** when the number of frames reached each multiple of the number of sockets */
  multipleTimes: number[]
  waiter: { total: number; resolve(): void } | undefined
  /** called when the number of frames reaches a multiple of the number of sockets */
  onMultiple: (() => void) | undefined
}

interface GroupOptions {
  group: string
  port: number
  host: string
  checksIds: boolean
  handshakes: Handshake[]
  /** the first frame that a client sends */
  firstFrame?: string
}

const groups = new Map<string, Group>()

const requireGroup = (name: string): Group => {
  const group = groups.get(name)
  if (group === undefined) throw new Error(`there is no group of sockets ${name}`)
  return group
}

/** The event id is within these first bytes of an event's JSON. */
const ID_BYTES = 32

const createFrameCounter = (group: Group, i: number) =>
  createFrameReader(
    (bytes, start, end) => {
      if (group.checksIds) {
        const id = readEventId(bytes, start)
        if (id <= (group.lastIds[i] ?? 0)) group.outOfOrder += 1
        group.lastIds[i] = id
      }
      group.frames[i] = (group.frames[i] ?? 0) + 1
      group.total += 1
      if (group.total % group.frames.length === 0) {
        group.multipleTimes.push(now())
        group.onMultiple?.()
      }
      if (group.waiter !== undefined && group.total >= group.waiter.total) group.waiter.resolve()
      if (i === 0 && group.sample === '') group.sample = bytes.toString('utf8', start, end)
    },
    // The sample is the whole frame of the first socket. The other sockets need the event id only.
    i === 0 ? undefined : ID_BYTES,
  )

const procedures = {
  /** Opens a socket per handshake, a limited number at a time. */
  async openGroup({ group: name, port, host, checksIds, handshakes, firstFrame }: GroupOptions): Promise<void> {
    const count = handshakes.length
    const group: Group = {
      sockets: [],
      frames: new Uint32Array(count),
      lastIds: new Float64Array(count),
      checksIds,
      total: 0,
      outOfOrder: 0,
      sample: '',
      multipleTimes: [],
      waiter: undefined,
      onMultiple: undefined,
    }
    groups.set(name, group)
    const next = handshakes.entries()
    const openNext = async () => {
      for (const [i, handshake] of next) {
        const socket = await openWebSocket({ port, host, handshake }, createFrameCounter(group, i))
        if (firstFrame !== undefined) socket.write(encodeTextFrame(firstFrame))
        group.sockets[i] = socket
      }
    }
    await Promise.all(Array.from({ length: OPEN_CONCURRENCY }, openNext))
  },

  resetCounts({ group: name }: { group: string }): void {
    const group = requireGroup(name)
    group.frames.fill(0)
    Object.assign(group, { total: 0, outOfOrder: 0, sample: '', multipleTimes: [] })
  },

  /**
   * Sends messages to the group for some seconds, one over each connection of `requests` at a time: the next message is
   * sent when the group has received as many frames as one message causes.
   * @returns the number of messages
   */
  async sendInFlight(input: { group: string; port: number; requests: string[]; seconds: number }): Promise<number> {
    const { port, requests, seconds } = input
    const group = requireGroup(input.group)
    const senders = await Promise.all(
      requests.map(async (request) => ({ connection: await connectHttp(port), compose: compileTemplate(request) })),
    )
    const idle = [...senders]
    const answers: Promise<void>[] = []
    let sent = 0
    let delivered = 0
    const until = now() + seconds * 1000
    const sendNext = () => {
      if (now() > until || sent - delivered >= senders.length) return
      const sender = idle.shift()
      if (sender === undefined) return
      sent += 1
      const answer = sender.connection.send(sender.compose(sent)).then(({ status, body }) => {
        if (status !== 200) throw new Error(`a message was refused with ${status}: ${body}`)
        idle.push(sender)
        sendNext()
      })
      answers.push(answer)
    }
    group.onMultiple = () => {
      delivered += 1
      sendNext()
    }
    for (let i = 0; i < senders.length; i++) sendNext()
    while (now() < until) await new Promise((resolve) => setTimeout(resolve, until - now()))
    await Promise.all(answers)
    group.onMultiple = undefined
    for (const { connection } of senders) connection.close()
    return sent
  },

  /** Waits until the group has received `each` frames per socket, at most `within_ms`, and returns the counts. */
  async waitForFrames({ group: name, each, within_ms }: { group: string; each: number; within_ms: number }) {
    const group = requireGroup(name)
    const expected = each * group.frames.length
    if (group.total < expected) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, within_ms)
        const finish = () => {
          clearTimeout(timer)
          resolve()
        }
        group.waiter = { total: expected, resolve: finish }
      })
      group.waiter = undefined
    }
    const { total, outOfOrder, sample, multipleTimes } = group
    const wrongCounts = group.frames.filter((frames) => frames !== each).length
    return { total, wrongCounts, outOfOrder, sample, multipleTimes }
  },
}

/** Fewer connections than the accept queue of a listening socket holds. */
const OPEN_CONCURRENCY = 100

export type SocketProcedures = typeof procedures
serveProcedures(procedures)

/**
 * Senders in an open loop, who send at a constant rate, and the sockets that receive their messages. Both are in one
 * process, so one clock measures both ends.
 *
 * Times are measured from the due time of a message, not from when it was sent: a pause of the server or of this
 * process counts for every message that it delayed.
 */
import { serveProcedures } from '../harness/child-process.js'
import { now, runAtRate } from '../harness/measure.js'
import { createFrameReader } from './frames.js'
import { openConnectionPool } from './http.js'
import { compileTemplate, findMessageNumber } from './messages.js'
import { type Handshake, openWebSocket } from './websocket.js'

/** due times, by message number */
const dueTimes = new Map<number, number>()
let deliveryTimes: number[] = []
/** deliveries that have not arrived yet */
let missing = 0
let resolveDelivered: (() => void) | undefined
/** sockets that receive each message */
let receivers = 0
let lastNumber = 0

const recordDelivery = (bytes: Buffer, start: number, end: number) => {
  const number = findMessageNumber(bytes, start, end)
  const due = number === undefined ? undefined : dueTimes.get(number)
  if (due === undefined) return
  deliveryTimes.push(now() - due)
  missing -= 1
  if (missing === 0) resolveDelivered?.()
}

const procedures = {
  /** Opens the sockets that receive. */
  async openReceivers(input: { port: number; host: string; handshakes: Handshake[] }): Promise<void> {
    const { port, host, handshakes } = input
    const open = (handshake: Handshake) => openWebSocket({ port, host, handshake }, createFrameReader(recordDelivery))
    await Promise.all(handshakes.map(open))
    receivers = handshakes.length
  },

  /** Opens a socket in each of many realms: each message is delivered to one of them. */
  async openReceiverPerRealm(input: { port: number; receivers: { host: string; handshake: Handshake }[] }) {
    const { port } = input
    for (const { host, handshake } of input.receivers) {
      await openWebSocket({ port, host, handshake }, createFrameReader(recordDelivery))
    }
    receivers = 1
  },

  /**
   * Sends `count` messages, `rate` per second, over as many connections as needed.
   * @returns the due times, and the milliseconds from a due time to the response and to each delivery
   */
  async sendMessages(input: { port: number; requests: string[]; rate: number; count: number }) {
    const { port, requests, rate, count } = input
    const pool = openConnectionPool(port)
    const responseTimes: number[] = []
    const sends: Promise<void>[] = []
    deliveryTimes = []
    missing = count * receivers
    const delivered = new Promise<void>((resolve) => {
      if (missing === 0) resolve()
      resolveDelivered = resolve
    })
    const templates = requests.map(compileTemplate)
    const send = async (number: number, due: number) => {
      const connection = await pool.take()
      const { status, body } = await connection.send(templates[number % templates.length]?.(number) ?? '')
      responseTimes.push(now() - due)
      pool.giveBack(connection)
      if (status !== 200) throw new Error(`a message was refused with ${status}: ${body}`)
    }
    const due = await runAtRate(rate, count, (_, due) => {
      lastNumber += 1
      dueTimes.set(lastNumber, due)
      sends.push(send(lastNumber, due))
    })
    await Promise.all(sends)
    await Promise.race([delivered, new Promise((resolve) => setTimeout(resolve, DELIVERY_TIMEOUT_MS).unref())])
    pool.close()
    dueTimes.clear()
    return { dueTimes: due, responseTimes, deliveryTimes, missing }
  },
}

/** A delivery that takes longer counts as missing. */
const DELIVERY_TIMEOUT_MS = 10_000

export type OpenLoopSenderProcedures = typeof procedures
serveProcedures(procedures)

/**
 * Messages at a steady pace and the sockets that receive them, in one process, so that one clock times both ends.
 *
 * Times run from the moment a message was due, not from when it went out: a pause anywhere counts against every
 * message that it held up.
 */
import { atPace, now } from '../measure.js'
import { serve } from '../part.js'
import { frameReader } from './frames.js'
import { type Connection, connectHttp } from './http.js'
import { numberIn, numbering } from './messages.js'
import { type Door, openWebSocket } from './websocket.js'

const dues = new Map<number, number>()
let deliveries: number[] = []
let missing = 0
let allDelivered: (() => void) | undefined
let receivers = 0
let numbered = 0

const receive = (bytes: Buffer, start: number, end: number) => {
  const number = numberIn(bytes, start, end)
  const due = number === undefined ? undefined : dues.get(number)
  if (due === undefined) return
  deliveries.push(now() - due)
  missing -= 1
  if (missing === 0) allDelivered?.()
}

const jobs = {
  /** Opens the receiving sockets. */
  async receive({ port, host, doors }: { port: number; host: string; doors: Door[] }): Promise<void> {
    await Promise.all(doors.map((door) => openWebSocket({ port, host, door }, frameReader(receive))))
    receivers = doors.length
  },

  /**
   * Sends `count` messages, `rate` a second, over as many connections as it takes.
   * @returns when each was due, and the milliseconds until it was acknowledged, and delivered at each socket
   */
  async send({ port, texts, rate, count }: { port: number; texts: string[]; rate: number; count: number }) {
    const idle: Connection[] = []
    const acknowledged: number[] = []
    const sends: Promise<void>[] = []
    deliveries = []
    missing = count * receivers
    const all = new Promise<void>((resolve) => {
      if (missing === 0) resolve()
      allDelivered = resolve
    })
    const makers = texts.map(numbering)
    const send = async (number: number, due: number) => {
      const connection = idle.pop() ?? (await connectHttp(port))
      const { status, body } = await connection.ask(makers[number % makers.length]?.(number) ?? '')
      acknowledged.push(now() - due)
      idle.push(connection)
      if (status !== 200) throw new Error(`a message was refused with ${status}: ${body}`)
    }
    const times = await atPace(rate, count, (_, due) => {
      numbered += 1
      dues.set(numbered, due)
      sends.push(send(numbered, due))
    })
    await Promise.all(sends)
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())])
    for (const connection of idle) connection.close()
    dues.clear()
    return { dues: times, acknowledged, delivered: deliveries, missing }
  },
}

/** What has not come by then was lost. */
const PATIENCE_MS = 10_000

export type PulseJobs = typeof jobs
serve(jobs)

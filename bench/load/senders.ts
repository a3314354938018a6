/**
 * Senders who send again as soon as their last message is acknowledged: over HTTP, or as calls over a socket.
 */
import { now } from '../measure.js'
import { serve } from '../part.js'
import { frameReader, textFrame } from './frames.js'
import { type Answer, connectHttp } from './http.js'
import { numbering } from './messages.js'
import { type Door, openWebSocket } from './websocket.js'

/** Sends one message, and resolves when it is acknowledged. */
type Send = (n: number) => Promise<void>

const kinds = new Map<string, Send[]>()

const httpSender = async (port: number, text: string): Promise<Send> => {
  const connection = await connectHttp(port)
  const textOf = numbering(text)
  return async (n) => confirm(await connection.ask(textOf(n)))
}

const socketSender = async (port: number, host: string, door: Door, text: string): Promise<Send> => {
  const textOf = numbering(text)
  let acknowledge: (answer: Answer) => void = () => {}
  const read = frameReader((bytes, start, end) => {
    const body = bytes.toString('latin1', start, end)
    const status = /^\{"req":1,"status":(\d+)/.exec(body)?.[1]
    // Whatever else comes is an event of the sender's queue.
    if (status !== undefined) acknowledge({ status: Number(status), body })
  })
  const socket = await openWebSocket({ port, host, door }, read)
  return async (n) => {
    const answered = new Promise<Answer>((resolve) => {
      acknowledge = resolve
    })
    socket.write(textFrame(textOf(n)))
    confirm(await answered)
  }
}

const confirm = ({ status, body }: Answer) => {
  if (status !== 200) throw new Error(`a message was refused with ${status}: ${body}`)
}

const jobs = {
  /** A keep-alive connection per text. */
  async overHttp({ kind, port, texts }: { kind: string; port: number; texts: string[] }): Promise<void> {
    kinds.set(kind, await Promise.all(texts.map((text) => httpSender(port, text))))
  },

  /** A socket per door, all making the same call. */
  async overSockets(given: { kind: string; port: number; host: string; doors: Door[]; text: string }): Promise<void> {
    const { kind, port, host, doors, text } = given
    kinds.set(kind, await Promise.all(doors.map((door) => socketSender(port, host, door, text))))
  },

  /** Lets the senders of a kind send for some seconds. Throws when a message was refused. */
  async run({ kind, seconds }: { kind: string; seconds: number }) {
    const start = now()
    const end = start + seconds * 1000
    const latencies: number[] = []
    let n = 0
    const sender = async (send: Send) => {
      for (let began = now(); began < end; began = now()) {
        await send(n++)
        latencies.push(now() - began)
      }
    }
    await Promise.all((kinds.get(kind) ?? []).map(sender))
    return { count: latencies.length, seconds: (now() - start) / 1000, latencies }
  },
}

export type SenderJobs = typeof jobs
serve(jobs)

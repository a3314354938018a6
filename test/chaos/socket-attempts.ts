/** Calls over sockets to a fleet under chaos: each is sent once, and its outcome may stay unknown. */
import { WebSocket } from 'ws'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import type { Person } from '../setup/realm/realm.js'
import { type Attempt, readOutcome, TIMEOUT_MS } from './attempts.js'

/** One call, as the frame of a socket has it. */
export interface SocketCall {
  method: string
  path: string
  params: Record<string, unknown>
  idempotency_key?: string | undefined
}

export interface SocketAttempts {
  /** Sends a call over the socket of an account to a gateway, which is opened if there is none. */
  send(account: Person, gateway: string, call: SocketCall): Promise<Attempt>
  /** Answers that no fault excuses, such as a 500. */
  readonly unexpected: string[]
  close(): void
}

interface Answer {
  status: number
  body: Record<string, unknown>
}

interface Line {
  socket: WebSocket
  opened: Promise<void>
  waiting: Map<number, (answer: Answer | undefined) => void>
  last: number
}

/** Opens the sockets of the clients of a run. */
export const openSocketAttempts = (): SocketAttempts => {
  const lines = new Map<string, Line>()
  const unexpected: string[] = []

  const openLine = (account: Person, gateway: string, name: string): Line => {
    const path = '/api/v1/events?event_types=["restart"]&fetch_event_types=[]'
    const headers = { Host: account.host, Authorization: basicAuthorization(account) }
    const socket = new WebSocket(`${gateway.replace('http', 'ws')}${path}`, { headers })
    const waiting: Line['waiting'] = new Map()
    const opened = new Promise<void>((resolve) => socket.once('open', resolve))
    socket.on('error', () => {})
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as { req?: number } & Answer
      if (frame.req === undefined) return
      waiting.get(frame.req)?.(frame)
      waiting.delete(frame.req)
    })
    socket.on('close', () => {
      if (lines.get(name)?.socket === socket) lines.delete(name)
      for (const tell of waiting.values()) tell(undefined)
    })
    return { socket, opened, waiting, last: 0 }
  }

  const sendOnce = (account: Person, gateway: string, call: SocketCall): Promise<Answer | undefined> =>
    new Promise((resolve) => {
      const name = `${account.user_id} ${gateway}`
      const line = lines.get(name) ?? openLine(account, gateway, name)
      lines.set(name, line)
      // The answer to the handshake has the number 0.
      const req = ++line.last
      const timer = setTimeout(() => {
        line.socket.terminate()
        resolve(undefined)
      }, TIMEOUT_MS)
      line.waiting.set(req, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      void line.opened.then(() => line.socket.send(JSON.stringify({ req, ...call })))
    })

  return {
    unexpected,
    async send(account, gateway, call) {
      const { status, body } = (await sendOnce(account, gateway, call)) ?? { status: 0, body: {} }
      const outcome = readOutcome(status)
      if (outcome === 'unknown' && status !== 0 && status !== 503) {
        unexpected.push(`${call.method} ${call.path} over a socket: ${status} ${JSON.stringify(body).slice(0, 300)}`)
      }
      return { outcome, body }
    },
    close() {
      for (const { socket } of lines.values()) socket.terminate()
    },
  }
}

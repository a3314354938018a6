/**
 * HTTP/1.1 as lean as a load driver needs it: one keep-alive connection, one request at a time, requests as text made
 * beforehand, answers with Content-Length only.
 */
import { connect } from 'node:net'

export interface Answer {
  status: number
  body: string
}

export interface Connection {
  /** Sends a whole request. The one before must have been answered. */
  ask(request: string): Promise<Answer>
  close(): void
}

/** Whom a request comes from, at which organization. */
export interface Who {
  host: string
  /** the Authorization header, without its name */
  credentials: string
}

const API = '/api/v1'
const shared = Buffer.allocUnsafe(1024 * 1024)

/** A request as text. `fields` go into the query of a GET, else into a form body. */
export const request = (method: 'GET' | 'POST', path: string, who: Who, fields: Record<string, string>): string => {
  const form = new URLSearchParams(fields).toString()
  const isGet = method === 'GET'
  const head = [
    `${method} ${API}${path}${isGet && form !== '' ? `?${form}` : ''} HTTP/1.1`,
    `Host: ${who.host}`,
    `Authorization: ${who.credentials}`,
    'User-Agent: bench/1.0',
    ...(isGet ? [] : ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`]),
  ]
  return `${head.join('\r\n')}\r\n\r\n${isGet ? '' : form}`
}

/** Connects to a port of this machine. */
export const connectHttp = (port: number): Promise<Connection> =>
  new Promise((resolve, reject) => {
    let received = ''
    let awaited: { resolve(answer: Answer): void; reject(error: Error): void } | undefined

    const take = (size: number, buffer: Uint8Array) => {
      // One character per byte, so that lengths hold. Nothing a bench reads is beyond ASCII.
      received += (buffer as Buffer).toString('latin1', 0, size)
      const head = received.indexOf('\r\n\r\n')
      if (head === -1) return true
      const from = head + 4
      const length = lengthIn(received, head)
      if (received.length < from + length) return true
      const body = received.slice(from, from + length)
      const status = Number(received.slice(9, 12))
      received = received.slice(from + length)
      const answered = awaited
      awaited = undefined
      answered?.resolve({ status, body })
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: shared, callback: take } })
    const lost = (error: Error) => {
      reject(error)
      awaited?.reject(error)
    }
    socket.on('error', lost)
    socket.on('close', () => lost(new Error('the server closed a connection')))
    socket.once('connect', () =>
      resolve({
        ask: (text) =>
          new Promise((resolve, reject) => {
            awaited = { resolve, reject }
            socket.write(text)
          }),
        close: () => void socket.destroy(),
      }),
    )
  })

const lengthIn = (text: string, head: number): number => {
  const at = text.indexOf(LENGTH)
  if (at === -1 || at > head) throw new Error(`an answer without Content-Length: ${text.slice(0, head)}`)
  return Number.parseInt(text.slice(at + LENGTH.length, head), 10)
}

const LENGTH = '\r\nContent-Length: '

/** The answer's JSON. Throws when it is a refusal: a bench has nothing to be refused. */
export const accepted = <T>({ status, body }: Answer): T => {
  if (status !== 200) throw new Error(`answered with ${status}: ${body.slice(0, 500)}`)
  return JSON.parse(body) as T
}

/** Asks many requests over a few connections; answers come in the order of the requests. */
export const askAll = async (port: number, requests: readonly string[], at_once = 32): Promise<Answer[]> => {
  const answers: Answer[] = []
  let next = 0
  const worker = async () => {
    const connection = await connectHttp(port)
    while (next < requests.length) {
      const i = next++
      answers[i] = await connection.ask(requests[i] ?? '')
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: Math.min(at_once, requests.length) }, worker))
  return answers
}

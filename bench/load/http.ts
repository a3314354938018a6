/**
 * A minimal HTTP/1.1 client for load: one request at a time on a keep-alive connection, requests as prepared text, and
 * responses with Content-Length or in chunks. So the client costs the machine less than the server that it loads.
 */
import { connect } from 'node:net'

export interface HttpResponse {
  status: number
  /** the status line and the headers */
  head: string
  body: string
}

export interface HttpConnection {
  /** Sends a whole request. The previous request must have been answered. */
  send(request: string): Promise<HttpResponse>
  /** false after the server closed it, for example because it was idle */
  isOpen(): boolean
  close(): void
}

/** The account that sends a request, and its organization. */
export interface Identity {
  host: string
  /** the value of the Authorization header */
  credentials: string
}

const API = '/api/v1'
const readBuffer = Buffer.allocUnsafe(1024 * 1024)

/**
 * Formats a request as text. `fields` become the query of a GET, otherwise a form body.
 * @param headers further headers
 */
export const formatRequest = (
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  identity: Identity,
  fields: Record<string, string>,
  headers: readonly string[] = [],
): string => {
  const form = new URLSearchParams(fields).toString()
  const isGet = method === 'GET'
  const head = [
    `${method} ${API}${path}${isGet && form !== '' ? `?${form}` : ''} HTTP/1.1`,
    `Host: ${identity.host}`,
    `Authorization: ${identity.credentials}`,
    'User-Agent: bench/1.0',
    ...headers,
    ...(isGet ? [] : ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`]),
  ]
  return `${head.join('\r\n')}\r\n\r\n${isGet ? '' : form}`
}

/** Connects to a port of this machine. */
export const connectHttp = (port: number): Promise<HttpConnection> =>
  new Promise((resolve, reject) => {
    let received = ''
    let pending: { resolve(response: HttpResponse): void; reject(error: Error): void } | undefined

    const receive = (size: number, buffer: Uint8Array) => {
      // latin1 keeps one character per byte, as Content-Length counts. The benchmarks read no text beyond ASCII.
      received += (buffer as Buffer).toString('latin1', 0, size)
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1) return true
      const found = readBody(received, headEnd)
      if (found === undefined) return true
      const { body } = found
      const status = Number(received.slice(9, 12))
      const head = received.slice(0, headEnd)
      received = received.slice(found.end)
      const answered = pending
      pending = undefined
      answered?.resolve({ status, head, body })
      return true
    }
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: readBuffer, callback: receive },
    })
    let failure: Error | undefined
    const fail = (error: Error) => {
      failure = error
      reject(error)
      pending?.reject(error)
    }
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the server closed a connection')))
    socket.once('connect', () =>
      resolve({
        send: (request) =>
          new Promise((resolve, reject) => {
            if (failure !== undefined) return reject(failure)
            pending = { resolve, reject }
            socket.write(request)
          }),
        isOpen: () => failure === undefined,
        close: () => void socket.destroy(),
      }),
    )
  })

/** Connections that wait for a request. */
export interface ConnectionPool {
  /** Takes a connection that is still open, or opens one. */
  take(): Promise<HttpConnection>
  giveBack(connection: HttpConnection): void
  close(): void
}

/** Opens a pool without connections. The server closes connections that are idle for seconds: they are not taken. */
export const openConnectionPool = (port: number): ConnectionPool => {
  const idle: HttpConnection[] = []
  return {
    async take() {
      let connection = idle.pop()
      while (connection?.isOpen() === false) connection = idle.pop()
      return connection ?? (await connectHttp(port))
    },
    giveBack: (connection) => void idle.push(connection),
    close() {
      for (const connection of idle) connection.close()
    },
  }
}

/** Finds the body of a response and the end of the response; undefined when it has not arrived completely. */
const readBody = (text: string, headEnd: number): { body: string; end: number } | undefined => {
  const start = headEnd + 4
  const at = text.indexOf(CONTENT_LENGTH)
  if (at === -1 || at > headEnd) return readChunks(text, headEnd)
  const end = start + Number.parseInt(text.slice(at + CONTENT_LENGTH.length, headEnd), 10)
  return text.length < end ? undefined : { body: text.slice(start, end), end }
}

/** Source: RFC 9112 section 7.1. The servers send no trailers. */
const readChunks = (text: string, headEnd: number): { body: string; end: number } | undefined => {
  const head = text.slice(0, headEnd)
  if (!head.includes('\r\nTransfer-Encoding: chunked')) throw new Error(`a response without a length: ${head}`)
  let body = ''
  for (let at = headEnd + 4; ; ) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (text.length < end) return undefined
    if (size === 0) return { body, end }
    body += text.slice(lineEnd + 2, end - 2)
    at = end
  }
}

const CONTENT_LENGTH = '\r\nContent-Length: '

/** Parses the JSON of a successful response. Throws when the request was refused. */
export const parseSuccess = <T>({ status, body }: HttpResponse): T => {
  if (status !== 200) throw new Error(`a request was answered with ${status}: ${body.slice(0, 500)}`)
  return JSON.parse(body) as T
}

/** Sends many requests over at most `concurrency` connections. The responses have the order of the requests. */
export const sendAll = async (port: number, requests: readonly string[], concurrency = 32): Promise<HttpResponse[]> => {
  const responses: HttpResponse[] = []
  let next = 0
  const runConnection = async () => {
    const connection = await connectHttp(port)
    while (next < requests.length) {
      const i = next++
      responses[i] = await connection.send(requests[i] ?? '')
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, requests.length) }, runConnection))
  return responses
}

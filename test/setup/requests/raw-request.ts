/** Single HTTP requests with any headers and bytes, and the raw response. */
import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'

export interface RawRequest {
  method?: string
  path: string
  host?: string
  authorization?: string
  /** several values are several fields */
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
}

export interface RawResponse {
  status: number
  headers: http.IncomingHttpHeaders
  /** names and values in turn, as received */
  rawHeaders: string[]
  bytes: Buffer
  text: string
  /** the body as JSON */
  json: Record<string, unknown>
}

/** Sends a request to a server on this machine. A body without a Content-Type is sent as a form. */
export const sendRequest = (
  port: number,
  { method = 'GET', path, host, authorization, headers, body }: RawRequest,
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const all: Record<string, string> = { ...(host === undefined ? {} : { Host: host }) }
    if (authorization !== undefined) all.Authorization = authorization
    if (body !== undefined) {
      all['Content-Type'] = 'application/x-www-form-urlencoded'
      all['Content-Length'] = String(Buffer.byteLength(body))
    }
    const request = http.request({ port, method, path, headers: { ...all, ...headers }, agent: false }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(pieces)
        const text = bytes.toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          bytes,
          text,
          get json() {
            return JSON.parse(text)
          },
        })
      })
    })
    request.on('error', reject)
    request.end(body)
  })

/**
 * Writes raw bytes, and reads the answer until the server closes the connection.
 * @param end ends it before: an answer that is enough, or a number of milliseconds, for what may have no answer
 */
export const sendRaw = (
  port: number,
  bytes: string | Uint8Array,
  end: number | ((text: string) => boolean),
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    const timer = typeof end === 'number' ? setTimeout(done, end) : undefined
    socket.on('data', (piece) => {
      text += piece.toString()
      if (typeof end === 'function' && end(text)) done()
    })
    socket.on('close', done)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') done()
      else reject(error)
    })
  })

export interface RawHead {
  /** the first line */
  line: string
  status: number
  /** by name in lower case */
  headers: Record<string, string>
}

/** A connection on which a test writes bytes and reads one answer after the other. */
export interface RawConnection extends AsyncDisposable {
  write(bytes: string | Uint8Array): void
  /** Writes each piece in a packet of its own. Stops at the first byte of an answer, and when the connection ends. */
  writeInPackets(pieces: readonly Uint8Array[]): Promise<void>
  /** Sends the end of the stream (FIN). The answer can still be read. */
  endWriting(): void
  /** The status and headers of the next answer. Throws when the connection ends before. */
  readHead(): Promise<RawHead>
  /** The next bytes, as text. Throws when the connection ends before. */
  readBytes(count: number): Promise<string>
  /** Everything that is still to come, until the server closes the connection. */
  readToEnd(): Promise<string>
  /** Resolves when the connection is closed: with the error code, or with 'end'. */
  closed: Promise<string>
}

/** Opens a connection. @param isTls with TLS, and with any certificate */
export const openRawConnection = async (port: number, address = '127.0.0.1', isTls = false): Promise<RawConnection> => {
  const socket = isTls
    ? tls.connect({ port, host: address, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    : net.connect(port, address)
  let received = Buffer.alloc(0)
  let failure: string | undefined
  let wake = () => {}
  const closed = new Promise<string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure ??= error.code
    })
    socket.on('close', () => {
      failure ??= 'end'
      resolve(failure)
      wake()
    })
  })
  socket.on('data', (piece) => {
    received = Buffer.concat([received, piece])
    wake()
  })
  const connected = isTls ? 'secureConnect' : 'connect'
  await new Promise<void>((resolve, reject) => socket.once(connected, resolve).once('error', reject))

  const take = (length: number): string => {
    const text = received.subarray(0, length).toString('latin1')
    received = received.subarray(length)
    return text
  }
  const waitFor = async (isEnough: () => boolean, what: string) => {
    while (!isEnough()) {
      if (failure !== undefined) throw new Error(`no ${what}: ${failure} after ${JSON.stringify(received.toString())}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  return {
    closed,
    write: (bytes) => void socket.write(bytes),
    async writeInPackets(pieces) {
      socket.setNoDelay(true)
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) await sleep(3)
        if (received.length > 0 || failure !== undefined) return
        socket.write(piece)
      }
    },
    endWriting: () => void socket.end(),
    async readHead() {
      await waitFor(() => received.includes('\r\n\r\n'), 'head of an answer')
      const [line = '', ...lines] = take(received.indexOf('\r\n\r\n') + 4)
        .trimEnd()
        .split('\r\n')
      const headers = Object.fromEntries(
        lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
      )
      return { line, status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]), headers }
    },
    async readBytes(count) {
      await waitFor(() => received.length >= count, `${count} bytes`)
      return take(count)
    },
    async readToEnd() {
      await closed
      return take(received.length)
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
      await closed
    },
  }
}

/** Single HTTP requests with any headers and bytes, and the raw response. */
import http from 'node:http'
import net from 'node:net'

export interface RawRequest {
  method?: string
  path: string
  host?: string
  authorization?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export interface RawResponse {
  status: number
  headers: http.IncomingHttpHeaders
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

/** Writes raw bytes and reads until the server closes the connection or `patience` milliseconds pass. */
export const sendRaw = (port: number, bytes: string | Uint8Array, patience = 300): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(done, patience)
    socket.on('data', (piece) => {
      text += piece.toString()
    })
    socket.on('close', done)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') done()
      else reject(error)
    })
  })

/** One WebSocket of a load driver: a TCP connection that writes the handshake itself, and a reader of its frames. */
import { connect } from 'node:net'
import { handshake } from './frames.js'

/** What a socket asks for: a path with its query, and header lines. */
export interface Door {
  path: string
  headers: string[]
}

export interface WebSocket {
  write(bytes: Buffer): void
  close(): void
}

/** All sockets read into one buffer, each read being dealt with before the next. */
const shared = Buffer.allocUnsafe(256 * 1024)

/**
 * Opens a socket on a port of this machine.
 * @param read gets the bytes of frames as they come, in a buffer that is used again
 */
export const openWebSocket = (
  { port, host, door }: { port: number; host: string; door: Door },
  read: (bytes: Buffer, from: number, to: number) => void,
): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    let upgraded = false
    // The gateway may send the response of the handshake in several segments. latin1 keeps one character per byte.
    let response = ''
    const take = (size: number, buffer: Uint8Array) => {
      const bytes = buffer as Buffer
      if (upgraded) {
        read(bytes, 0, size)
        return true
      }
      const before = response.length
      response += bytes.toString('latin1', 0, size)
      const end = response.indexOf('\r\n\r\n')
      if (end === -1) return true
      if (!response.startsWith('HTTP/1.1 101')) {
        reject(new Error(`a socket was not opened: ${response.slice(0, 400)}`))
        return true
      }
      upgraded = true
      resolve({ write: (bytes) => void socket.write(bytes), close: () => void socket.destroy() })
      const frames = end + 4 - before
      if (frames < size) read(bytes, frames, size)
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: shared, callback: take } })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('a socket was closed before it was open')))
    socket.once('connect', () => socket.write(handshake(host, door.path, door.headers)))
  })

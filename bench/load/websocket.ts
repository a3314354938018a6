/** One WebSocket of a load driver: plain TCP, a handshake by hand, and whatever reads its frames. */
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
    const take = (size: number, buffer: Uint8Array) => {
      const bytes = buffer as Buffer
      if (upgraded) {
        read(bytes, 0, size)
        return true
      }
      const head = bytes.toString('latin1', 0, size)
      const end = head.indexOf('\r\n\r\n')
      if (!head.startsWith('HTTP/1.1 101') || end === -1) {
        reject(new Error(`a socket was not opened: ${head.slice(0, 400)}`))
        return true
      }
      upgraded = true
      resolve({ write: (bytes) => void socket.write(bytes), close: () => void socket.destroy() })
      if (end + 4 < size) read(bytes, end + 4, size)
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: shared, callback: take } })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('a socket was closed before it was open')))
    socket.once('connect', () => socket.write(handshake(host, door.path, door.headers)))
  })

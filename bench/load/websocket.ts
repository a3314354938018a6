/** A WebSocket client for load: a TCP connection that sends the handshake itself and passes on the received bytes. */
import { connect } from 'node:net'
import { type FrameReader, formatHandshake } from './frames.js'

/** The parts of a handshake that differ between sockets. */
export interface Handshake {
  /** with its query */
  path: string
  /** header lines without line ends */
  headers: string[]
}

export interface WebSocketConnection {
  write(bytes: Buffer): void
  close(): void
}

/** One buffer for all sockets: each read is processed before the next one. */
const readBuffer = Buffer.allocUnsafe(256 * 1024)

/**
 * Opens a socket on a port of this machine.
 * @param read gets the bytes of frames as they arrive, in a buffer that the next read overwrites
 */
export const openWebSocket = (
  { port, host, handshake }: { port: number; host: string; handshake: Handshake },
  read: FrameReader,
): Promise<WebSocketConnection> =>
  new Promise((resolve, reject) => {
    let isOpen = false
    // The gateway may send the response of the handshake in several segments. latin1 keeps one character per byte.
    let response = ''
    const write = (bytes: Buffer) => void socket.write(bytes)
    const receive = (size: number, buffer: Uint8Array) => {
      const bytes = buffer as Buffer
      if (isOpen) {
        read(bytes, 0, size, write)
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
      isOpen = true
      resolve({ write, close: () => void socket.destroy() })
      const frames = end + 4 - before
      if (frames < size) read(bytes, frames, size, write)
      return true
    }
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: readBuffer, callback: receive },
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('a socket was closed before it was open')))
    socket.once('connect', () => socket.write(formatHandshake(host, handshake.path, handshake.headers)))
  })

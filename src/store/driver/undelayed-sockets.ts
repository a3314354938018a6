/**
 * Connections whose small messages the operating system does not hold back.
 *
 * The driver sends the end of a COPY in a small message of its own, and leaves its sockets as the operating system
 * makes them: that holds the message back until the server has acknowledged the one before, 40 ms and more for each
 * COPY. Seen in 3.4.9 (`CopyInResponse` in https://github.com/porsager/postgres/blob/v3.4.9/src/connection.js).
 *
 * 1. The socket sends each message at once.
 */
import net, { type Socket } from 'node:net'

/** Seconds after which an attempt to connect fails. */
export const CONNECT_TIMEOUT_SECONDS = 5

/** Connects (1). Rejects after CONNECT_TIMEOUT_SECONDS. */
export const connect = (hostname: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = net.connect({ host, port, noDelay: true })
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error(`connect ETIMEDOUT ${host}:${port}`), { code: 'ETIMEDOUT' }))
    }, CONNECT_TIMEOUT_SECONDS * 1000)
    // It stays: an error before the driver listens must not end the process.
    socket.on('error', reject)
    socket.once('connect', () => {
      clearTimeout(timer)
      // The driver reads the name, for TLS.
      resolve(Object.assign(socket, { host, port }))
    })
    socket.once('close', () => clearTimeout(timer))
  })

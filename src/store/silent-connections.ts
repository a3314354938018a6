/**
 * Closes connections to Postgres that do not answer: the network loses all packets, the server hangs, or a proxy has
 * lost an answer. TCP alone notices the first of them after a quarter of an hour, and the others never.
 *
 * 1. A connection waits while the server owes it a message ReadyForQuery, or an answer to a message Flush. The messages
 *    of both sides are counted: a proxy can lose one answer of several.
 * 2. A connection that waits for `limit_ms` without receiving anything is closed. Its statements fail with ETIMEDOUT,
 *    and the pool opens another connection.
 * 3. A connection that uses TLS is not watched: its messages cannot be read here.
 * 4. A pause of this process is not a silence: ticks of a timer are counted, which a pause delays too.
 */
import type { Socket } from 'node:net'

const TICKS = 20
/** Types of messages: Sync and Query, each of which ReadyForQuery answers; Flush; ReadyForQuery. */
const [SYNC, QUERY, FLUSH, READY] = ['S', 'Q', 'H', 'Z'].map((type) => type.charCodeAt(0))

/** Closes this connection when it is silent (1-4). The driver writes whole messages to it. */
export const closeWhenSilent = (socket: Socket, limit_ms: number): void => {
  /** The messages ReadyForQuery that the server owes; first the one that ends the start. undefined: not watched */
  let owed: number | undefined = 1
  let isFlushed = false
  let hasStarted = false
  let ticks = 0

  const noteSent = (bytes: Buffer) => {
    if (owed === 0 && !isFlushed) ticks = 0
    readMessages((type) => {
      if (type === FLUSH) isFlushed = true
      else if (type === SYNC || type === QUERY) {
        isFlushed = false
        owed = (owed ?? 0) + 1
      }
    })(bytes)
  }
  const { write } = socket
  socket.write = (...args: unknown[]) => {
    // The first message has no type.
    if (hasStarted && owed !== undefined) noteSent(args[0] as Buffer)
    hasStarted = true
    return write.apply(socket, args as Parameters<Socket['write']>)
  }
  const read = readMessages((type) => {
    if (type === READY) owed = Math.max(0, (owed ?? 0) - 1)
  })
  let isFirst = true
  socket.on('data', (bytes: Buffer) => {
    // The answer to the request for TLS is a byte; all messages are longer (3).
    if (isFirst && bytes.length === 1) owed = undefined
    isFirst = false
    ticks = 0
    if (owed !== undefined) read(bytes)
  })

  const timer = setInterval(() => {
    // The driver removes all listeners of a connection with TLS.
    if (socket.destroyed || owed === undefined) return clearInterval(timer)
    if (owed === 0 && !isFlushed) return
    ticks += 1
    if (ticks <= TICKS) return
    const error = new Error(`Postgres sent nothing for ${limit_ms / 1000} s while a statement waited for its answer`)
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
  }, limit_ms / TICKS).unref()
  socket.once('close', () => clearInterval(timer))
}

/** The type and the length of a message, without which it cannot be read. */
const HEADER_BYTES = 5
const EMPTY = Buffer.alloc(0)

/**
 * Reads the types of the messages in a stream.
 * @returns a function that gets the bytes of the stream, in any parts
 */
const readMessages = (onMessage: (type: number) => void): ((bytes: Buffer) => void) => {
  /** the bytes of the current message that are still to come */
  let rest = 0
  /** the first bytes of a message, when its header is not complete */
  let start = EMPTY
  return (bytes) => {
    const all = start.length === 0 ? bytes : Buffer.concat([start, bytes])
    let at = rest
    while (at + HEADER_BYTES <= all.length) {
      onMessage(all[at] as number)
      at += 1 + all.readUInt32BE(at + 1)
    }
    rest = Math.max(0, at - all.length)
    start = at < all.length ? Buffer.from(all.subarray(at)) : EMPTY
  }
}

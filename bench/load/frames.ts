/**
 * WebSocket bytes, as little of them as a load driver needs: the client's handshake, its text frames, and finding the
 * server's frames in what arrives. No library, so that the client costs the machine less than the server it loads.
 * Source: RFC 6455 sections 4.1 and 5.2.
 */

/** The request that opens a WebSocket. `headers` are lines without their ends. */
export const handshake = (host: string, path: string, headers: readonly string[] = []): string =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...headers,
    '\r\n',
  ].join('\r\n')

/** A text frame as a client sends it. Its mask is zero: allowed, and nothing to compute. */
export const textFrame = (text: string): Buffer => {
  const payload = Buffer.from(text)
  const { length } = payload
  if (length > 0xffff) throw new Error('a bench sends no text this long')
  const head = length < 126 ? Buffer.alloc(6) : Buffer.alloc(8)
  head[0] = TEXT
  if (length < 126) {
    head[1] = 0x80 | length
  } else {
    head[1] = 0x80 | 126
    head.writeUInt16BE(length, 2)
  }
  return Buffer.concat([head, payload])
}

/**
 * Finds the text frames in the bytes of one connection, however reads cut them.
 * @param show gets the buffer, and where the payload starts and ends in it
 * @param needed how many bytes of a payload must be there before it is shown; the whole, if it is shorter
 */
export const frameReader = (
  show: (bytes: Buffer, start: number, end: number) => void,
  needed: number = Number.POSITIVE_INFINITY,
): ((bytes: Buffer, from: number, to: number) => void) => {
  let skip = 0
  let kept: Buffer | undefined

  return (given, from, to) => {
    let [bytes, at, end] = [given, from, to]
    if (kept !== undefined) {
      bytes = Buffer.concat([kept, given.subarray(from, to)])
      kept = undefined
      at = 0
      end = bytes.length
    }
    for (;;) {
      const step = Math.min(skip, end - at)
      at += step
      skip -= step
      if (at >= end) return
      const frame = end - at < 2 ? undefined : frameAt(bytes, at, end)
      if (frame === undefined || end - at < frame.head + Math.min(frame.payload, needed)) {
        // The buffer of the next read is this one.
        kept = Buffer.from(bytes.subarray(at, end))
        return
      }
      const kind = bytes[at]
      if (kind === CLOSE) throw new Error('the server closed a socket')
      if (kind === TEXT) show(bytes, at + frame.head, at + frame.head + frame.payload)
      skip = frame.head + frame.payload
    }
  }
}

/** First bytes of frames that come in one piece, as a server's events do. */
const TEXT = 0x81
const CLOSE = 0x88

const frameAt = (bytes: Buffer, at: number, end: number): { head: number; payload: number } | undefined => {
  const short = (bytes[at + 1] ?? 0) & 0x7f
  if (short < 126) return { head: 2, payload: short }
  const head = short === 126 ? 4 : 10
  if (end - at < head) return undefined
  return { head, payload: short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2)) }
}

/** The id of the event whose JSON starts here: `{"id":123,…`. */
export const eventIdAt = (bytes: Buffer, start: number): number => {
  let id = 0
  for (let i = start + '{"id":'.length; ; i++) {
    const digit = (bytes[i] ?? 0) - 48
    if (digit < 0 || digit > 9) return id
    id = id * 10 + digit
  }
}

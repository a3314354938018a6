/**
 * A minimal WebSocket codec for load: the client's handshake, text frames, and finding the server's frames in the
 * received bytes. It is no library, so that the client costs the machine less than the server that it loads.
 * Source: RFC 6455 sections 4.1 and 5.2.
 */

/** Formats the request that opens a WebSocket. `headers` are lines without line ends. */
export const formatHandshake = (host: string, path: string, headers: readonly string[] = []): string =>
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

/** Encodes a text frame of a client. Its masking key is zero, which is allowed and leaves the payload unchanged. */
export const encodeTextFrame = (text: string): Buffer => {
  const payload = Buffer.from(text)
  const { length } = payload
  if (length > 0xffff) throw new Error('a text frame is limited to 65,535 bytes')
  const header = length < 126 ? Buffer.alloc(6) : Buffer.alloc(8)
  header[0] = TEXT
  if (length < 126) {
    header[1] = 0x80 | length
  } else {
    header[1] = 0x80 | 126
    header.writeUInt16BE(length, 2)
  }
  return Buffer.concat([header, payload])
}

/** Reads the bytes between two positions. The server's connection is written to with `write`. */
export type FrameReader = (bytes: Buffer, from: number, to: number, write?: (bytes: Buffer) => void) => void

/**
 * Creates a reader that finds the frames in the bytes of a connection. It finds text and binary frames, however reads
 * split them.
 * It answers pings, if it gets a function that writes: a server closes sockets that do not.
 * @param onFrame gets the buffer, and the start and end of the payload in it
 * @param needed  the bytes of a payload that must have arrived before `onFrame` is called; all, if it is shorter
 */
export const createFrameReader = (
  onFrame: (bytes: Buffer, start: number, end: number) => void,
  needed: number = Number.POSITIVE_INFINITY,
): FrameReader => {
  let skip = 0
  let incomplete: Buffer | undefined

  return (received, from, to, write) => {
    let [bytes, at, end] = [received, from, to]
    if (incomplete !== undefined) {
      bytes = Buffer.concat([incomplete, received.subarray(from, to)])
      incomplete = undefined
      at = 0
      end = bytes.length
    }
    for (;;) {
      const step = Math.min(skip, end - at)
      at += step
      skip -= step
      if (at >= end) return
      const frame = end - at < 2 ? undefined : parseFrameHeader(bytes, at, end)
      if (frame === undefined || end - at < frame.header + Math.min(frame.payload, needed)) {
        // A copy, because the next read overwrites the buffer.
        incomplete = Buffer.from(bytes.subarray(at, end))
        return
      }
      const kind = bytes[at]
      if (kind === CLOSE) throw new Error('the server closed a socket')
      if (kind === PING) write?.(PONG)
      if (kind === TEXT || kind === BINARY) onFrame(bytes, at + frame.header, at + frame.header + frame.payload)
      skip = frame.header + frame.payload
    }
  }
}

/** The first byte of a frame that is not fragmented. A gateway does not fragment events. */
const TEXT = 0x81
const BINARY = 0x82
const CLOSE = 0x88
const PING = 0x89
/** A masked frame without payload: the pings of a gateway have none. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

/** Parses the lengths of a frame's header and payload; undefined when the header is incomplete. */
const parseFrameHeader = (bytes: Buffer, at: number, end: number): { header: number; payload: number } | undefined => {
  const short = (bytes[at + 1] ?? 0) & 0x7f
  if (short < 126) return { header: 2, payload: short }
  const header = short === 126 ? 4 : 10
  if (end - at < header) return undefined
  return { header, payload: short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2)) }
}

/** Reads the id of the event whose JSON starts at `start`: `{"id":123,…`. */
export const readEventId = (bytes: Buffer, start: number): number => {
  let id = 0
  for (let i = start + '{"id":'.length; ; i++) {
    const digit = (bytes[i] ?? 0) - 48
    if (digit < 0 || digit > 9) return id
    id = id * 10 + digit
  }
}

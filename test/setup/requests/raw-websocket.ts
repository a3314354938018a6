/** A WebSocket in bytes: a test writes each frame as it wants, and reads what the gateway sends. */
import { basicAuthorization } from '../realm/event-reader.js'
import type { Person } from '../realm/realm.js'
import { withinDeadline } from './odd-requests.js'
import { openRawConnection, type RawConnection, type RawHead } from './raw-request.js'

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** A frame that a client sends. */
export interface SentFrame {
  opcode: number
  payload?: string | Uint8Array
  /** the last frame of its message; true unless it is said */
  isLast?: boolean
  isMasked?: boolean
  /** RSV1, RSV2 and RSV3, as in the first byte */
  reserved?: number
  /** the bytes of the length, in place of the shortest form */
  length?: readonly number[]
}

const MASK = Buffer.from([0x11, 0x22, 0x33, 0x44])

const encodeLength = (length: number): number[] => {
  if (length < 126) return [length]
  if (length < 65_536) return [126, length >> 8, length & 255]
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return [127, ...bytes]
}

/** Encodes a frame as RFC 6455 section 5.2 says. It deviates only where the test wants so. */
export const encodeFrame = (frame: SentFrame): Buffer => {
  const { opcode, payload = '', isLast = true, isMasked = true, reserved = 0 } = frame
  const data = Buffer.from(payload)
  const [first = 0, ...rest] = frame.length ?? encodeLength(data.length)
  const head = [(isLast ? 0x80 : 0) | reserved | opcode, first | (isMasked ? 0x80 : 0), ...rest]
  if (!isMasked) return Buffer.concat([Buffer.from(head), data])
  const masked = data.map((byte, index) => byte ^ (MASK[index % 4] as number))
  return Buffer.concat([Buffer.from(head), MASK, masked])
}

/** A frame that the gateway sent. */
export interface ReceivedFrame {
  opcode: number
  text: string
  /** of a close frame */
  code?: number
}

export interface RawSocket {
  connection: RawConnection
  send(...frames: SentFrame[]): void
  /** The next frame, unless it is a heartbeat. Throws when the connection ends before. */
  read(): Promise<ReceivedFrame>
  /**
   * How the gateway ends the socket: the code of its close frame, 'no code' when that is empty, or 'no close frame'.
   * Frames of other kinds before it are skipped. Resolves when the connection is closed.
   */
  readEnd(): Promise<number | string>
}

/** The lines of a handshake that is complete. */
export const handshakeHeaders: Readonly<Record<string, string>> = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
}

/** @param headers replace those of a complete handshake; undefined removes one */
export const composeHandshake = (
  person: Person,
  headers: Record<string, string | undefined> = {},
  line = 'GET /api/v1/events?event_types=[]&fetch_event_types=[] HTTP/1.1',
): string => {
  const all = { Host: person.host, Authorization: basicAuthorization(person), ...handshakeHeaders, ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  return `${[line, ...lines].join('\r\n')}\r\n\r\n`
}

/** Shakes hands. @returns the answer, and the connection after it */
export const shakeHands = async (port: number, handshake: string): Promise<{ head: RawHead; socket: RawSocket }> => {
  const connection = await openRawConnection(port)
  connection.write(handshake)
  const head = await withinDeadline(connection.readHead(), 'answer to the handshake')
  return { head, socket: openFrames(connection) }
}

const openFrames = (connection: RawConnection): RawSocket => {
  const readNow = async (): Promise<ReceivedFrame> => {
    const head = Buffer.from(await connection.readBytes(2), 'latin1')
    let length = (head[1] as number) & 127
    if (length === 126) length = Buffer.from(await connection.readBytes(2), 'latin1').readUInt16BE()
    else if (length === 127) length = Number(Buffer.from(await connection.readBytes(8), 'latin1').readBigUInt64BE())
    const payload = Buffer.from(await connection.readBytes(length), 'latin1')
    const opcode = (head[0] as number) & 15
    if (opcode !== Opcode.close || length < 2) return { opcode, text: payload.toString() }
    return { opcode, text: payload.subarray(2).toString(), code: payload.readUInt16BE() }
  }
  const read = async () => {
    for (;;) {
      const frame = await withinDeadline(readNow(), 'frame')
      if (frame.opcode !== Opcode.text || !frame.text.includes('"type":"heartbeat"')) return frame
    }
  }
  return {
    connection,
    read,
    send: (...frames) => connection.write(Buffer.concat(frames.map(encodeFrame))),
    async readEnd() {
      let end: number | string = 'no close frame'
      try {
        for (let frame = await read(); ; frame = await read()) {
          if (frame.opcode !== Opcode.close) continue
          end = frame.code ?? 'no code'
          break
        }
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('no ')) throw error
      }
      await withinDeadline(connection.closed, 'end of the connection')
      return end
    },
  }
}

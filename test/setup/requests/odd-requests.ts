/** Byte streams that are sent whole and in several packets, and the answers to them, with a deadline. */
import { expect } from 'vitest'
import { openRawConnection, type RawConnection, type RawHead } from './raw-request.js'

/** Less than the time after which uWebSockets closes a connection, or the gateway answers a slow body with 408. */
const PROMPT_MS = 8_000

/** Rejects when the work takes longer than an answer may take. */
export const withinDeadline = async <T>(work: Promise<T>, what: string, milliseconds = PROMPT_MS): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`silence: no ${what} within ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** One byte for each character, from U+0000 to U+00FF. */
export const toBytes = (text: string): Buffer => Buffer.from(text, 'latin1')

/**
 * Divides bytes into packets in each of several ways. The ways are: undivided, at odd places, and by single bytes at
 * the beginning and the end.
 */
export const divide = (bytes: Buffer): readonly (readonly Buffer[])[] => {
  const { length } = bytes
  const third = Math.floor(length / 3)
  const cut = (...places: number[]): Buffer[] => {
    const inside = [...new Set(places)].filter((place) => place > 0 && place < length).toSorted((a, b) => a - b)
    return [0, ...inside].map((place, index) => bytes.subarray(place, inside[index]))
  }
  return [[bytes], cut(third, 2 * third + 1), cut(1, 2, 5, length - 5, length - 3, length - 2, length - 1)]
}

/** An answer with its body. */
export interface RawAnswer extends RawHead {
  body: string
}

/** Reads one answer with its body. */
export const readAnswer = async (connection: RawConnection, isHead = false): Promise<RawAnswer> => {
  const head = await withinDeadline(connection.readHead(), 'answer')
  if (head.status < 200) return { ...head, body: '' }
  const length = head.headers['content-length']
  if (isHead || head.status === 204) return { ...head, body: '' }
  if (length !== undefined) return { ...head, body: await connection.readBytes(Number(length)) }
  return { ...head, body: await withinDeadline(connection.readToEnd(), 'end of the connection') }
}

/**
 * Sends the same bytes in each way, and expects the answers. Each answer is given by its status line without the
 * version.
 * @param after a request that is sent at the end and answered with 200; undefined: the connection is closed
 */
export const expectAnswers = async (
  port: number,
  bytes: Buffer,
  statuses: readonly string[],
  after: string | undefined,
  isHead = false,
): Promise<readonly RawAnswer[]> => {
  let last: readonly RawAnswer[] = []
  for (const pieces of divide(bytes)) {
    await using connection = await openRawConnection(port)
    const written = connection.writeInPackets(pieces)
    const answers: RawAnswer[] = []
    for (const _ of statuses) answers.push(await readAnswer(connection, isHead))
    await written
    expect(answers.map(({ line }) => line)).toEqual(statuses.map((status) => `HTTP/1.1 ${status}`))
    if (after === undefined) {
      await withinDeadline(connection.closed, 'end of the connection')
    } else {
      connection.write(after)
      expect((await readAnswer(connection)).line).toBe('HTTP/1.1 200 OK')
    }
    last = answers
  }
  return last
}

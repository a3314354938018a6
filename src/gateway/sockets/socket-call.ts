/**
 * Calls over a socket: `{"req":1,"method":"POST","path":"/messages","params":{…}}` is answered by
 * `{"req":1,"status":200,"body":{…}}`, on the same road as over HTTP.
 *
 * 1. Calls of one socket run side by side, MOST_AT_ONCE of them; further ones wait in order. Answers come as they are
 *    ready; `req` says which call they answer.
 * 2. A socket that sends more than MOST_WAITING (or MOST_WAITING_CHARACTERS) without taking answers is closed.
 * 3. Each call is authenticated anew with the credentials of the handshake, so it ends with the account's rights.
 */
import { z } from 'zod'
import { ApiError, type Close, closes, errors } from '../../domain/protocol/errors.js'
import type { CallPipeline } from '../http/call.js'
import type { Dispatch } from '../http/dispatch.js'
import type { UploadedFile } from '../http/endpoint.js'
import { failure, type Reply } from '../http/envelope.js'
import { parseJson } from '../http/json-values.js'
import type { Handshake, Socket } from '../http/transport.js'

const MOST_AT_ONCE = 32
const MOST_WAITING = 1_000
const MOST_WAITING_CHARACTERS = 4 * 1024 * 1024

export interface SocketCalls {
  /** Takes one frame. `message` need not outlive the call. */
  receive(socket: Socket, handshake: Handshake, message: ArrayBuffer, isBinary: boolean): void
}

/** The calls of one socket. */
interface Line {
  running: number
  waiting: string[]
  characters: number
}

const Frame = z.object({
  req: z.int(),
  method: z.string(),
  path: z.string().startsWith('/'),
  params: z.record(z.string(), z.unknown()).default({}),
})

const noFiles: readonly UploadedFile[] = []

export const openSocketCalls = (dispatch: Dispatch, road: CallPipeline): SocketCalls => {
  const lines = new WeakMap<Handshake, Line>()

  const answer = async (handshake: Handshake, text: string): Promise<string> => {
    const [req, frame] = readFrame(text)
    return answerText(req, frame instanceof ApiError ? failure(frame) : await callOf(handshake, frame))
  }

  const callOf = async (handshake: Handshake, frame: z.output<typeof Frame>): Promise<Reply> => {
    const { host, ip, userAgent, authorization } = handshake
    const place = dispatch.at(`/api/v1${frame.path}`)
    if (place === undefined || 'page' in place) return failure(errors.unknownPath({ path: frame.path }))
    try {
      const [{ name, endpoint }, path] = dispatch.choose(place.match, frame.method.toUpperCase())
      const origin = { transport: 'socket', form: 'json', host, ip, userAgent, authorization } as const
      const reply = await road.call(name, endpoint, { ...origin, fields: frame.params, path, files: noFiles })
      return reply ?? failure(errors.internal())
    } catch (error) {
      if (error instanceof ApiError) return failure(error)
      throw error
    }
  }

  const run = (socket: Socket, handshake: Handshake, line: Line, text: string) => {
    line.running += 1
    answer(handshake, text)
      .then((frame) => sendIfOpen(socket, frame))
      .catch(() => end(socket, closes.internal))
      .finally(() => {
        line.running -= 1
        const next = line.waiting.shift()
        if (next === undefined) return
        line.characters -= next.length
        run(socket, handshake, line, next)
      })
  }

  return {
    receive(socket, handshake, message, isBinary) {
      if (isBinary) return end(socket, closes.badFrame)
      const text = Buffer.from(message).toString()
      let line = lines.get(handshake)
      if (line === undefined) {
        line = { running: 0, waiting: [], characters: 0 }
        lines.set(handshake, line)
      }
      if (line.running < MOST_AT_ONCE) {
        run(socket, handshake, line, text)
      } else if (line.waiting.length < MOST_WAITING && line.characters < MOST_WAITING_CHARACTERS) {
        line.waiting.push(text)
        line.characters += text.length
      } else {
        line.waiting = []
        end(socket, closes.tooManyCalls)
      }
    },
  }
}

/** The call in a frame, or why it is none, with its number as far as that can be read. */
const readFrame = (text: string): [req: number | null, frame: z.output<typeof Frame> | ApiError] => {
  const value = parseJson(text)
  if (value === undefined) return [null, errors.invalidJson()]
  const parsed = Frame.safeParse(value)
  if (parsed.success) return [parsed.data.req, parsed.data]
  const req = Frame.pick({ req: true }).safeParse(value)
  return [req.success ? req.data.req : null, errors.badFrame()]
}

const answerText = (req: number | null, { status, text }: Reply): string =>
  `{"req":${req},"status":${status},"body":${text.trimEnd()}}`

/** A socket may have closed while its call was under way; the native object then refuses any use. */
const ifOpen = (use: () => void): void => {
  try {
    use()
  } catch {
    // Nobody is left to hear the answer; the change it tells of has happened.
  }
}

const sendIfOpen = (socket: Socket, text: string): void => ifOpen(() => socket.send(text))

const end = (socket: Socket, { code, reason }: Close): void => ifOpen(() => socket.end(code, reason))

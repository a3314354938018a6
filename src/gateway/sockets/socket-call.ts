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
import { composeFailure, type Reply } from '../http/envelope.js'
import { parseJson } from '../http/json-values.js'
import type { Handshake, Socket } from '../http/transport.js'

const MAX_RUNNING = 32
const MAX_WAITING = 1_000
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024

export interface SocketCalls {
  /** Takes one frame. `message` need not outlive the call. */
  receive(socket: Socket, handshake: Handshake, message: ArrayBuffer, isBinary: boolean): void
}

/** The calls of one socket. */
interface CallQueue {
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
  const queues = new WeakMap<Handshake, CallQueue>()

  const answerFrame = async (handshake: Handshake, text: string): Promise<string> => {
    const [req, frame] = parseFrame(text)
    return composeAnswer(req, frame instanceof ApiError ? composeFailure(frame) : await executeCall(handshake, frame))
  }

  const executeCall = async (handshake: Handshake, frame: z.output<typeof Frame>): Promise<Reply> => {
    const { host, ip, userAgent, authorization } = handshake
    const route = dispatch.findRoute(`/api/v1${frame.path}`)
    if (route === undefined || 'page' in route) return composeFailure(errors.unknownPath({ path: frame.path }))
    try {
      const [{ name, endpoint }, path] = dispatch.selectEndpoint(route.match, frame.method.toUpperCase())
      const origin = { transport: 'socket', form: 'json', host, ip, userAgent, authorization } as const
      const reply = await road.call(name, endpoint, { ...origin, fields: frame.params, path, files: noFiles })
      return reply ?? composeFailure(errors.internal())
    } catch (error) {
      if (error instanceof ApiError) return composeFailure(error)
      throw error
    }
  }

  const run = (socket: Socket, handshake: Handshake, queue: CallQueue, text: string) => {
    queue.running += 1
    answerFrame(handshake, text)
      .then((frame) => sendIfOpen(socket, frame))
      .catch(() => endIfOpen(socket, closes.internal))
      .finally(() => {
        queue.running -= 1
        const next = queue.waiting.shift()
        if (next === undefined) return
        queue.characters -= next.length
        run(socket, handshake, queue, next)
      })
  }

  return {
    receive(socket, handshake, message, isBinary) {
      if (isBinary) return endIfOpen(socket, closes.badFrame)
      const text = Buffer.from(message).toString()
      let queue = queues.get(handshake)
      if (queue === undefined) {
        queue = { running: 0, waiting: [], characters: 0 }
        queues.set(handshake, queue)
      }
      if (queue.running < MAX_RUNNING) {
        run(socket, handshake, queue, text)
      } else if (queue.waiting.length < MAX_WAITING && queue.characters < MAX_WAITING_CHARACTERS) {
        queue.waiting.push(text)
        queue.characters += text.length
      } else {
        queue.waiting = []
        endIfOpen(socket, closes.tooManyCalls)
      }
    },
  }
}

/** The call in a frame, or why it is none, with its number as far as that can be read. */
const parseFrame = (text: string): [req: number | null, frame: z.output<typeof Frame> | ApiError] => {
  const value = parseJson(text)
  if (value === undefined) return [null, errors.invalidJson()]
  const parsed = Frame.safeParse(value)
  if (parsed.success) return [parsed.data.req, parsed.data]
  const req = Frame.pick({ req: true }).safeParse(value)
  return [req.success ? req.data.req : null, errors.badFrame()]
}

const composeAnswer = (req: number | null, { status, text }: Reply): string =>
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

const endIfOpen = (socket: Socket, { code, reason }: Close): void => ifOpen(() => socket.end(code, reason))

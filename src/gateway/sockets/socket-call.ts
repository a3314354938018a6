/**
 * API calls over a WebSocket: the frame `{"req":1,"method":"POST","path":"/messages","params":{…}}` is answered by
 * `{"req":1,"status":200,"body":{…}}`. Calls go through the same pipeline as over HTTP (call/call.ts).
 *
 * 1. Up to MAX_RUNNING calls of one socket run at the same time; further calls wait in order.
 *    An answer is sent when its call finishes; `req` says which call it answers.
 * 2. A socket with more than MAX_WAITING waiting calls is closed, and so is a socket whose account has more than
 *    MAX_WAITING_CHARACTERS in waiting calls, on all of its sockets together. The waiting calls are not made.
 * 3. Each call is authenticated again with the credentials of the handshake, so a socket loses its rights together with
 *    the account.
 * 4. A socket that the gateway closes is closed when its calls are answered: the call that changes the key of its own
 *    account has the new key in its answer. Calls that arrive within TAKES_CALLS_MS are answered too. The same holds
 *    when the reason is a frame of the client (1, 2): a wrong frame takes no answer from the calls before it. So a call
 *    without an answer was not made, unless the gateway closes the socket with 4001 or 4002.
 * 5. A client whose handshake has `announce_close=true` gets the frame `{"closing":{"code":…,"reason":"…"}}` instead,
 *    and closes the socket when its calls are answered. Until then, for at most CLIENT_CLOSES_MS, calls are taken.
 *    Without the announcement, a proxy that passes on the close frame of the gateway ends both of its connections. What
 *    the client sends at this moment is refused with a reset. If the client sends again before it has read, its system
 *    drops the answers and the close frame, so the client does not know which of its calls were made.
 */
import { z } from 'zod'
import type { Texts } from '#rules/texts.js'
import { ApiError, type Close, closes, errors } from '../../domain/protocol/errors.js'
import type { Realm } from '../../store/log/realm.js'
import { parseJson } from '../body/json-values.js'
import type { CallPipeline } from '../call/call.js'
import { composeFailure, type Reply } from '../call/envelope.js'
import { failureTexts } from '../call/failure-texts.js'
import type { UploadedFile } from '../contract/call-request.js'
import type { Handshake, Socket } from '../contract/transport.js'
import type { Dispatch } from '../transport/dispatch.js'
import { composeAnswerFrame } from './answer-frame.js'

const MAX_CALL_BYTES = 1024 * 1024
const MAX_RUNNING = 32
const MAX_WAITING = 1_000
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024
/** A client that always has a call under way would otherwise stay without events until a pause in its calls. */
const TAKES_CALLS_MS = 1_000
/** More than a busy client on a slow network needs (5). A shutdown waits that long for a client that is gone. */
const CLIENT_CLOSES_MS = 3_000

export interface SocketCalls {
  /**
   * Runs the call in one frame, or queues it. Closes the socket after its answers if no call can be in the frame.
   * @param account identifies the account on all of its sockets
   * @param message is read before this returns
   */
  receive(
    socket: Socket<CallingSocket>,
    account: string,
    handshake: Handshake,
    message: ArrayBuffer,
    isBinary: boolean,
  ): void
  /** Closes the socket when its calls are answered (4): now, if it has none. Or asks the client to close it (5). */
  endAfterAnswers(socket: Socket, account: string, handshake: Handshake, close: Close): void
  /** Forgets a socket that was closed. */
  forget(handshake: Handshake): void
  /** Resolves when no call of any socket runs, and no client is about to close its socket (5). */
  idle(): Promise<void>
}

/** The account of a socket. Its language is that of answers that do not come from the pipeline. */
export interface CallingSocket {
  readonly realm?: Realm
  readonly queue?: { readonly user_id: number }
}

/** The calls of one socket. */
interface CallQueue {
  running: number
  waiting: string[]
  account: string
  /**
   * how the socket is closed after the last answer, until when, as performance.now(), calls are taken, and whether the
   * client still has time to close the socket by itself (5)
   */
  ending: { close: Close; takesUntil: number; waitsForClient: boolean } | undefined
}

const Frame = z.object({
  req: z.int(),
  method: z.string(),
  path: z.string().startsWith('/'),
  params: z.record(z.string(), z.unknown()).default({}),
  idempotency_key: z.string().default(''),
})

const noFiles: readonly UploadedFile[] = []

/** Opens the calls of all sockets of this process. */
export const openSocketCalls = (dispatch: Dispatch, pipeline: CallPipeline): SocketCalls => {
  const queues = new WeakMap<Handshake, CallQueue>()
  /** the characters of waiting calls by account; an account without waiting calls has no row */
  const waitingCharacters = new Map<string, number>()
  /** the calls of all sockets that run */
  let running = 0
  /** the open sockets whose clients were asked to close them */
  const announced = new Set<Handshake>()
  const awaitingIdle: (() => void)[] = []

  const tellIdle = () => {
    if (running === 0 && announced.size === 0) for (const resolve of awaitingIdle.splice(0)) resolve()
  }

  const queueOf = (handshake: Handshake, account: string): CallQueue => {
    let queue = queues.get(handshake)
    if (queue === undefined) {
      queue = { running: 0, waiting: [], account, ending: undefined }
      queues.set(handshake, queue)
    }
    return queue
  }

  const addWaitingCharacters = (account: string, characters: number) => {
    const sum = (waitingCharacters.get(account) ?? 0) + characters
    if (sum === 0) waitingCharacters.delete(account)
    else waitingCharacters.set(account, sum)
  }

  const answerFrame = async (
    socket: Socket<CallingSocket>,
    handshake: Handshake,
    text: string,
  ): Promise<string | Uint8Array> => {
    const [req, frame] = parseFrame(text)
    const outcome = frame instanceof ApiError ? frame : await executeCall(handshake, frame)
    return composeAnswerFrame(
      req,
      outcome instanceof ApiError ? composeFailure(outcome, accountTextsOf(socket)) : outcome,
    )
  }

  const executeCall = async (handshake: Handshake, frame: z.output<typeof Frame>): Promise<Reply | ApiError> => {
    const { host, ip, userAgent, acceptLanguage, authorization, session, isFromForeignPage } = handshake
    const route = dispatch.findRoute(`/api/v1${frame.path}`)
    if (route === undefined || 'page' in route) return errors.unknownPath({ path: frame.path })
    try {
      const [{ name, endpoint }, path] = dispatch.selectEndpoint(route.match, frame.method.toUpperCase())
      const connection = {
        transport: 'socket',
        encoding: 'json',
        host,
        ip,
        userAgent,
        acceptLanguage,
        authorization,
        session,
        logInFlow: undefined,
        query: '',
        isFromForeignPage,
      } as const
      const { params: fields, idempotency_key: idempotencyKey } = frame
      const reply = await pipeline.call(name, endpoint, { fields, path, files: noFiles, idempotencyKey, ...connection })
      return reply ?? errors.internal()
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }

  const run = (socket: Socket<CallingSocket>, handshake: Handshake, queue: CallQueue, text: string) => {
    queue.running += 1
    running += 1
    answerFrame(socket, handshake, text)
      .then((frame) => sendIfOpen(socket, frame))
      .catch(() => endIfOpen(socket, closes.internal))
      .finally(() => {
        queue.running -= 1
        running -= 1
        const next = queue.waiting.shift()
        if (next !== undefined) {
          addWaitingCharacters(queue.account, -next.length)
          run(socket, handshake, queue, next)
          return
        }
        endIfAnswered(socket, queue)
        tellIdle()
      })
  }

  const endIfAnswered = (socket: Socket, { running, ending }: CallQueue) => {
    if (running === 0 && ending?.waitsForClient === false) endIfOpen(socket, ending.close)
  }

  /** Keeps the first reason. @param time for which calls are still taken */
  const beginEnding = (
    socket: Socket,
    queue: CallQueue,
    handshake: Handshake,
    close: Close,
    waitsForClient: boolean,
    time: number,
  ) => {
    if (queue.ending !== undefined) return
    const ending = { close, takesUntil: performance.now() + time, waitsForClient }
    queue.ending = ending
    if (!waitsForClient) return endIfAnswered(socket, queue)
    announced.add(handshake)
    sendIfOpen(socket, JSON.stringify({ closing: close }))
    setTimeout(() => {
      ending.waitsForClient = false
      endIfAnswered(socket, queue)
    }, time).unref()
  }

  const endAfterAnswers: SocketCalls['endAfterAnswers'] = (socket, account, handshake, close) => {
    const isAnnounced = handshake.fields.announce_close === 'true'
    const time = isAnnounced ? CLIENT_CLOSES_MS : TAKES_CALLS_MS
    beginEnding(socket, queueOf(handshake, account), handshake, close, isAnnounced, time)
  }

  return {
    receive(socket, account, handshake, message, isBinary) {
      const queue = queueOf(handshake, account)
      if (queue.ending !== undefined && performance.now() > queue.ending.takesUntil) return
      if (message.byteLength > MAX_CALL_BYTES) return endAfterAnswers(socket, account, handshake, closes.frameTooLarge)
      if (isBinary) return endAfterAnswers(socket, account, handshake, closes.badFrame)
      const text = Buffer.from(message).toString()
      if (queue.running < MAX_RUNNING) {
        run(socket, handshake, queue, text)
      } else if (queue.waiting.length < MAX_WAITING && (waitingCharacters.get(account) ?? 0) < MAX_WAITING_CHARACTERS) {
        queue.waiting.push(text)
        addWaitingCharacters(account, text.length)
      } else {
        for (const dropped of queue.waiting.splice(0)) addWaitingCharacters(account, -dropped.length)
        beginEnding(socket, queue, handshake, closes.tooManyCalls, false, 0)
      }
    },
    endAfterAnswers,
    forget(handshake) {
      if (announced.delete(handshake)) tellIdle()
    },
    idle: () =>
      running === 0 && announced.size === 0 ? Promise.resolve() : new Promise((resolve) => awaitingIdle.push(resolve)),
  }
}

const accountTextsOf = (socket: Socket<CallingSocket>): Texts => {
  const { realm, queue } = socket.getUserData()
  return failureTexts(queue && realm?.state.users.get(queue.user_id), '')
}

/** Parses a frame. @returns the call, or the error of an invalid frame; `req` is null when it cannot be read */
export const parseFrame = (text: string): [req: number | null, frame: z.output<typeof Frame> | ApiError] => {
  const value = parseJson(text)
  if (value === undefined) return [null, errors.invalidJson()]
  const parsed = Frame.safeParse(value)
  if (parsed.success) return [parsed.data.req, parsed.data]
  const req = Frame.pick({ req: true }).safeParse(value)
  return [req.success ? req.data.req : null, errors.badFrame()]
}

/** Uses a socket that may have closed while its call ran. A closed native socket throws when it is used. */
const ifOpen = (use: () => void): void => {
  try {
    use()
  } catch {
    // The socket is closed, so the answer is dropped. The change that the call made stays.
  }
}

const sendIfOpen = (socket: Socket, frame: string | Uint8Array): void => ifOpen(() => socket.send(frame))

const endIfOpen = (socket: Socket, { code, reason }: Close): void => ifOpen(() => socket.end(code, reason))

/**
 * WebSockets: a frame is an event, or the answer to a call that was made over the socket.
 *
 * 1. A call has a number of its own, `req`. Answers arrive in any order.
 * 2. When the socket ends, the calls without an answer fail with ConnectionError. After a close code of ANSWERED they
 *    were not made, and can be made again; else it is unknown whether they took effect.
 * 3. The gateway announces that it closes the socket. From then on no call is made over it, and it is closed when the
 *    calls are answered. So their answers arrive although proxies break connections that are closed.
 * 4. A socket can be dead without a sign. When it is checked, or when a call has no answer for ASK_MS, the gateway is
 *    asked for something small; a socket on which nothing at all arrives within CHECK_MS then has ended.
 */
import { subprotocols } from '../kernel/credentials.js'
import { ApiError, ConnectionError } from '../kernel/errors.js'
import { parseObject, readAnswer, type Values } from '../kernel/http.js'
import {
  type Connect,
  type End,
  endOfError,
  eventsAddress,
  OPEN_TIMEOUT_MS,
  type SocketCaller,
  type WireEvent,
} from './connection.js'

/** The part of a WebSocket that this library uses. */
export interface Socket {
  send(text: string): void
  close(): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void
}

/** A WebSocket class: that of the browser or of Node 22, or one such as that of the package `ws`. */
export type SocketClass = new (address: string, protocols: string[]) => Socket

/** The gateway closes a socket with too many waiting calls. Further calls are sent over HTTP. */
const MAX_UNANSWERED = 64

const ASK_MS = 8_000
const CHECK_MS = 5_000

/** The codes with which a gateway closes a socket after it has answered every call that it took (docs/clients.md). */
const ANSWERED: ReadonlySet<number> = new Set([4000, 4010, 4501, 4502, 4503])

/** The gateway closes a socket on which a longer frame arrives (docs/clients.md). Such a call is sent over HTTP. */
const MAX_FRAME_BYTES = 1024 * 1024

/** A character of a string is at most three bytes of UTF-8. */
const isTooLarge = (text: string): boolean =>
  text.length * 3 > MAX_FRAME_BYTES && new TextEncoder().encode(text).length > MAX_FRAME_BYTES

interface Unanswered {
  resolve(body: Values): void
  reject(error: unknown): void
}

/** Returns a function that opens sockets of this class. */
export const createConnectWebSocket =
  (SocketClass: SocketClass): Connect =>
  (http, gateway, cursor, listener) => {
    const socket = new SocketClass(
      eventsAddress(gateway, cursor, '&announce_close=true').replace(/^http/, 'ws'),
      subprotocols(http.credentials),
    )
    const unanswered = new Map<number, Unanswered>()
    let lastRequest = 0
    /** the number of frames that arrived */
    let heard = 0
    let checking: ReturnType<typeof setTimeout> | undefined
    let isOpen = false
    let hasEnded = false
    let refusal: ApiError | undefined
    /** how the gateway announced to close the socket (3) */
    let closing: { code: number; reason: string } | undefined

    const finish = (how = 'was closed', hadNoEffect = false): boolean => {
      if (hasEnded) return false
      hasEnded = true
      clearTimeout(timer)
      clearTimeout(checking)
      socket.close()
      for (const { reject } of unanswered.values()) {
        reject(new ConnectionError(`The socket ${how} before the answer.`, { hadNoEffect }))
      }
      unanswered.clear()
      return true
    }
    const end = (reason: End, how?: string, hadNoEffect?: boolean) => finish(how, hadNoEffect) && listener.onEnd(reason)
    const timer = setTimeout(() => end({ kind: 'blocked', reason: 'The socket did not open.' }), OPEN_TIMEOUT_MS)

    const endIfAnswered = () => {
      if (closing !== undefined && unanswered.size === 0) {
        end(endOfClose(closing.code, closing.reason, isOpen, refusal))
      }
    }

    const check = () => {
      if (!isOpen || hasEnded || checking !== undefined) return
      const before = heard
      checking = setTimeout(() => {
        checking = undefined
        if (heard === before) end({ kind: 'again', reason: 'The connection is silent.' }, 'was silent')
      }, CHECK_MS)
      socket.send(JSON.stringify({ req: ++lastRequest, method: 'GET', path: '/server_settings', params: {} }))
    }

    const port: SocketCaller = {
      gateway,
      call(request) {
        const { method, path, values, signal } = request
        if (closing !== undefined && !hasEnded) {
          return Promise.reject(new ConnectionError('The gateway closes the socket.', { hadNoEffect: true }))
        }
        if (hasEnded || unanswered.size >= MAX_UNANSWERED) return undefined
        const req = lastRequest + 1
        const frame = JSON.stringify({ req, method, path, params: values })
        if (isTooLarge(frame)) return undefined
        lastRequest = req
        return new Promise((resolve, reject) => {
          signal?.throwIfAborted()
          const abort = () => {
            clearTimeout(asking)
            unanswered.delete(req)
            reject(signal?.reason)
            endIfAnswered()
          }
          const asking = setTimeout(check, ASK_MS)
          const done = <T>(then: (value: T) => void) => {
            return (value: T) => {
              clearTimeout(asking)
              signal?.removeEventListener('abort', abort)
              then(value)
            }
          }
          signal?.addEventListener('abort', abort)
          unanswered.set(req, { resolve: done(resolve), reject: done(reject) })
          socket.send(frame)
        })
      },
    }

    const receiveAnswer = (req: unknown, status: number, body: Values) => {
      if (req === 0) {
        refusal = new ApiError(status, body)
        return
      }
      const call = unanswered.get(req as number)
      unanswered.delete(req as number)
      try {
        call?.resolve(readAnswer(status, body))
      } catch (error) {
        call?.reject(error)
      }
    }

    socket.addEventListener('open', () => {
      if (hasEnded) return
      isOpen = true
      clearTimeout(timer)
      listener.onOpen(port)
    })
    socket.addEventListener('message', ({ data }) => {
      heard += 1
      const frame = hasEnded ? undefined : parseObject(String(data))
      if (frame === undefined) return
      listener.onAlive()
      if ('closing' in frame) closing = frame.closing as { code: number; reason: string }
      else if ('req' in frame) receiveAnswer(frame.req, frame.status as number, frame.body as Values)
      else listener.onEvents([frame as unknown as WireEvent])
      endIfAnswered()
    })
    // A `close` event follows, which tells why.
    socket.addEventListener('error', () => {})
    socket.addEventListener('close', ({ code, reason }) =>
      end(endOfClose(code, reason, isOpen, refusal), `closed with code ${code}`, ANSWERED.has(code)),
    )
    return { close: () => void finish(), check }
  }

/** Converts the code with which a socket was closed (docs/clients.md, "Close codes"). */
const endOfClose = (code: number, text: string, wasOpen: boolean, refusal: ApiError | undefined): End => {
  const reason = text === '' ? `The socket closed with code ${code}.` : text
  if (code === 4010 || code === 4503) return { kind: 'queueGone' }
  if (code === 4501) return { kind: 'refused', error: refusal ?? new ApiError(401, { msg: reason }) }
  if (refusal !== undefined) return endOfError(refusal)
  return { kind: wasOpen ? 'again' : 'blocked', isBroken: wasOpen && (code < 4000 || code > 4499), reason }
}

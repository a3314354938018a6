/**
 * WebSockets: a frame is an event, or the answer to a call that was made over the socket.
 *
 * 1. A call has a number of its own, `req`. Answers arrive in any order (socket-calls.ts).
 * 2. When the socket ends, the calls without an answer fail with ConnectionError. After a close code of ANSWERED they
 *    were not made, and can be made again; else it is unknown whether they took effect.
 * 3. The gateway announces that it closes the socket. From then on no call is made over it, and it is closed when the
 *    calls are answered. So their answers arrive although proxies break connections that are closed.
 * 4. A socket can be dead without a sign. When it is checked, or when a call has no answer for ASK_MS, the gateway is
 *    asked for something small; a socket on which nothing at all arrives within CHECK_MS then has ended.
 */
import { subprotocols } from '../kernel/credentials.js'
import { ApiError } from '../kernel/errors.js'
import { parseObject, type Values } from '../kernel/http.js'
import {
  type Connect,
  type Connection,
  type End,
  endOfError,
  eventsAddress,
  type Listener,
  OPEN_TIMEOUT_MS,
  type WireEvent,
} from './connection.js'
import { openSocketCalls } from './socket-calls.js'

/** The part of a WebSocket that this library uses. */
export interface Socket {
  send(text: string): void
  readonly readyState: number
  close(): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void
}

/** A WebSocket class: that of the browser or of Node 22, or one such as that of the package `ws`. */
export type SocketClass = new (address: string, protocols: string[]) => Socket

/** The `readyState` of a socket over which frames can be sent. */
const OPEN = 1

const CHECK_MS = 5_000

/** The codes with which a gateway closes a socket after it has answered every call that it took (docs/clients.md). */
const ANSWERED: ReadonlySet<number> = new Set([4000, 4010, 4501, 4502, 4503])

/** Returns a function that opens sockets of this class. */
export const createConnectWebSocket =
  (SocketClass: SocketClass): Connect =>
  (http, gateway, cursor, listener) => {
    const address = eventsAddress(gateway, cursor, '&announce_close=true').replace(/^http/, 'ws')
    return readSocket(new SocketClass(address, subprotocols(http.credentials)), gateway, listener)
  }

/** Reads a socket until it ends or is closed. */
const readSocket = (socket: Socket, gateway: string, listener: Listener): Connection => {
  let isOpen = false
  let hasEnded = false
  /** how the gateway announced to close the socket (3) */
  let closing: { code: number; reason: string } | undefined

  const calls = openSocketCalls({
    isOpen: () => socket.readyState === OPEN,
    send: (frame) => socket.send(frame),
    onLate: () => check(),
    onAbort: () => endIfAnswered(),
  })
  const finish = (how = 'was closed', hadNoEffect = false): boolean => {
    if (hasEnded) return false
    hasEnded = true
    clearTimeout(opening)
    probe.stop()
    socket.close()
    calls.failAll(how, hadNoEffect)
    return true
  }
  const end = (reason: End, how?: string, hadNoEffect?: boolean) => finish(how, hadNoEffect) && listener.onEnd(reason)
  const endAsClosed = (code: number, reason: string, how?: string, hadNoEffect?: boolean) =>
    end(endOfClose(code, reason, isOpen, calls.refusal), how, hadNoEffect)
  const endIfAnswered = () => {
    if (closing !== undefined && calls.size === 0) endAsClosed(closing.code, closing.reason)
  }
  const probe = createProbe(calls.probe, () => {
    end({ kind: 'again', reason: 'The connection is silent.' }, 'was silent')
  })
  const check = () => {
    if (isOpen && !hasEnded) probe.start()
  }
  const opening = setTimeout(() => end({ kind: 'blocked', reason: 'The socket did not open.' }), OPEN_TIMEOUT_MS)

  socket.addEventListener('open', () => {
    if (hasEnded) return
    isOpen = true
    clearTimeout(opening)
    listener.onOpen({ gateway, call: calls.call })
  })
  socket.addEventListener('message', ({ data }) => {
    probe.hear()
    const frame = hasEnded ? undefined : parseObject(String(data))
    if (frame === undefined) return
    listener.onAlive()
    if ('closing' in frame) {
      closing = frame.closing as { code: number; reason: string }
      calls.refuseMore()
    } else if ('req' in frame) calls.receiveAnswer(frame.req, frame.status as number, frame.body as Values)
    else listener.onEvents([frame as unknown as WireEvent])
    endIfAnswered()
  })
  // A `close` event follows, which tells why.
  socket.addEventListener('error', () => {})
  socket.addEventListener('close', ({ code, reason }) => {
    endAsClosed(code, reason, `closed with code ${code}`, ANSWERED.has(code))
  })
  return { close: () => void finish(), check }
}

/** Asks the gateway for something small (4). @param onSilent nothing at all has arrived within CHECK_MS */
const createProbe = (send: () => void, onSilent: () => void) => {
  /** the number of frames that arrived */
  let heard = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    hear() {
      heard += 1
    },
    start() {
      if (timer !== undefined) return
      const before = heard
      timer = setTimeout(() => {
        timer = undefined
        if (heard === before) onSilent()
      }, CHECK_MS)
      send()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Converts the code with which a socket was closed (docs/clients.md, "Close codes"). */
const endOfClose = (code: number, text: string, wasOpen: boolean, refusal: ApiError | undefined): End => {
  const reason = text === '' ? `The socket closed with code ${code}.` : text
  if (code === 4010 || code === 4503) return { kind: 'queueGone' }
  if (code === 4501) return { kind: 'refused', error: refusal ?? new ApiError(401, { msg: reason }) }
  if (refusal !== undefined) return endOfError(refusal)
  return { kind: wasOpen ? 'again' : 'blocked', isBroken: wasOpen && (code < 4000 || code > 4499), reason }
}

/**
 * Reads a queue with one connection, until it ends, is interrupted or is silent for too long.
 *
 * 1. After the end, the reader is told nothing more of this connection.
 * 2. A connection that is silent for QUIET_MS is asked, if it can be. One that is silent for SILENCE_MS has ended.
 */
import type { Activity } from './activity.js'
import type { Connection, End, Listener, SocketCaller, WireEvent } from './connection.js'
import { createDeferred } from './deferred.js'

/** How a connection ended. `end`: undefined if it was interrupted; `workedMs`: undefined if it never worked. */
export interface Ended {
  end: End | undefined
  workedMs: number | undefined
}

/** What the reader of a connection learns. */
export interface Reader {
  onOpen(port: SocketCaller | undefined): void
  onEvents(events: readonly WireEvent[]): void
  /** Calls cannot be made over it any more. */
  onEnd(): void
}

/** When a connection of a fallback ends, so that the preferred transport is tried again. */
export interface FallbackLimits {
  /** milliseconds after it opened */
  readonly longest: number
  /** milliseconds after it opened, if the page wakes */
  readonly onWake: number
  /** The connection ends for this reason now. */
  onLimit(): void
}

/**
 * Heartbeats arrive every 9 seconds (docs/clients.md). A connection that is silent for longer is asked, if it can be.
 */
const QUIET_MS = 10_000
/** A connection that is silent for so long is dead. */
const SILENCE_MS = 15_000
/** A connection that cannot be asked is opened anew when the page wakes, if it has been silent for this time. */
const STALE_MS = 20_000

/**
 * Opens a connection and reads it.
 * @param open begins the connection
 * @param fallback undefined: the connection has the preferred transport, and lasts
 */
export const readConnection = (
  open: (listener: Listener) => Connection,
  reader: Reader,
  fallback: FallbackLimits | undefined,
): Activity<Ended> => {
  const ended = createDeferred<Ended>()
  let openedAt: number | undefined
  let connection: Connection | undefined
  let leaving: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const finish = (end?: End) => {
    if (isOver) return
    isOver = true
    silence.stop()
    clearTimeout(leaving)
    reader.onEnd()
    connection?.close()
    ended.resolve({ end, workedMs: openedAt === undefined ? undefined : Date.now() - openedAt })
  }
  const leaveFallback = () => {
    fallback?.onLimit()
    finish()
  }
  const silence = watchSilence(
    () => connection?.check?.(),
    () => finish({ kind: 'again', reason: 'The connection is silent.' }),
  )
  connection = open({
    onOpen(port) {
      if (isOver) return
      openedAt ??= Date.now()
      silence.hear()
      reader.onOpen(port)
      if (fallback !== undefined && leaving === undefined) leaving = setTimeout(leaveFallback, fallback.longest)
    },
    onEvents(events) {
      if (isOver) return
      silence.hear()
      reader.onEvents(events)
    },
    onAlive: silence.hear,
    onEnd: finish,
  })
  // It ended, or the reader interrupted it, while it was opened.
  if (isOver) connection.close()

  return {
    ended: ended.promise,
    interrupt: () => finish(),
    wake() {
      if (fallback !== undefined && openedAt !== undefined && Date.now() - openedAt > fallback.onWake) leaveFallback()
      else if (connection?.check !== undefined) connection.check()
      else if (silence.lasts() > STALE_MS) finish()
    },
    catchUp() {
      if (silence.lasts() >= QUIET_MS) silence.look()
    },
  }
}

/** Calls `onQuiet` when nothing was heard for QUIET_MS, and `onSilent` when nothing was heard for SILENCE_MS. */
const watchSilence = (onQuiet: () => void, onSilent: () => void) => {
  let heardAt = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const lasts = () => Date.now() - heardAt
  const look = () => {
    clearTimeout(timer)
    const silent = lasts()
    if (silent >= SILENCE_MS) return onSilent()
    if (silent >= QUIET_MS) onQuiet()
    timer = setTimeout(look, (silent >= QUIET_MS ? SILENCE_MS : QUIET_MS) - silent)
  }
  look()
  return {
    /** for how many milliseconds nothing was heard */
    lasts,
    /** Does what is due now. */
    look,
    hear() {
      heardAt = Date.now()
    },
    stop: () => clearTimeout(timer),
  }
}

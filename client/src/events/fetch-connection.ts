/** What long polls and server-sent events have in common: requests that end with their connection. */
import { ApiError, ConnectionError } from '../kernel/errors.js'
import { type Connection, type End, endOfError, type Listener } from './connection.js'

/**
 * Runs `read` until it returns or throws. Then it tells the listener why the connection ended. Aborts the signal of
 * `read` when the connection is closed; from then on, the listener is told nothing.
 */
export const runConnection = (
  listener: Listener,
  read: (signal: AbortSignal, listener: Listener, block: () => void) => Promise<End>,
): Connection => {
  const controller = new AbortController()
  const { signal } = controller
  let isBlocked = false
  let wasOpen = false
  const told: Listener = {
    onOpen() {
      if (signal.aborted) return
      wasOpen = true
      listener.onOpen()
    },
    onEvents: (events) => signal.aborted || listener.onEvents(events),
    onAlive: () => signal.aborted || listener.onAlive(),
    onEnd(end) {
      if (signal.aborted && !isBlocked) return
      controller.abort()
      listener.onEnd(end)
    },
  }
  const block = () => {
    isBlocked = true
    controller.abort()
  }
  read(signal, told, block).then(
    (end) => told.onEnd(end),
    (error: unknown) => {
      if (isBlocked) told.onEnd({ kind: 'blocked', reason: 'The answer did not begin.' })
      else if (error instanceof ApiError) told.onEnd(endOfError(error))
      else if (error instanceof ConnectionError) told.onEnd({ kind: 'again', isBroken: wasOpen, reason: error.message })
      else told.onEnd({ kind: 'again', isBroken: wasOpen, reason: String(error) })
    },
  )
  return { close: () => controller.abort() }
}

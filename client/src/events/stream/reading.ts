/** The state in which this page reads the queue with a connection of its own. */
import type { Connect, Cursor } from '../connection.js'
import { type Ended, type FallbackLimits, readConnection } from '../read-connection.js'
import type { StateActivity, StreamEvent } from './states.js'
import { FIRST_RETRY_MS, interrupt, MAX_WAITING, publishStatus, receive, type Stream, tellPages } from './stream.js'

const LONGEST_RETRY_MS = 300_000

/** Opens a connection and reads it, until it ends or is interrupted. */
export const enterReading = (stream: Stream, after: Cursor): StateActivity => {
  const { http, route } = stream
  const connect = stream.transports[route.transport] as Connect
  const limits: FallbackLimits = {
    longest: stream.retryPreferredMs,
    onWake: FIRST_RETRY_MS,
    onLimit: route.restart,
  }
  const connection = readConnection(
    (listener) => connect(http, route.gateway, after, listener),
    {
      onOpen(port) {
        stream.onPort(port)
        publishStatus(stream, 'open')
        if (route.isFallback) stream.retryPreferredMs = Math.min(LONGEST_RETRY_MS, stream.retryPreferredMs * 2)
      },
      onEvents(events) {
        const before = stream.cursor
        receive(stream, events)
        tellPages(stream, events, before)
        if (stream.mailbox.size > MAX_WAITING) interrupt(stream)
      },
      onEnd: () => stream.onPort(undefined),
    },
    route.isFallback ? limits : undefined,
  )
  return { ...connection, ended: connection.ended.then(composeEvent) }
}

const composeEvent = ({ end, workedMs }: Ended): StreamEvent =>
  end === undefined ? { name: 'interrupted', workedMs } : { name: 'connectionEnded', end, workedMs }

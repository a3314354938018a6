/**
 * A stream of events that does not end by itself.
 *
 * It is a state machine: states.ts names its states and the events that end them, transitions.ts says which state
 * follows, stream.ts has what lasts across states, and each state has a file. These hold in every state:
 *
 * 1. Every event of the queue is yielded once and in order: the cursor is the id of the last event that arrived, each
 *    connection begins at the cursor, and an event whose id is not above the cursor is dropped. (Every transition to
 *    `reading` or `following` carries the cursor; `receive` in stream.ts moves it.)
 * 2. One connection is read at a time. What an abandoned connection still receives is dropped: the next connection
 *    receives it again. (run.ts enters a state after the one before has ended; read-connection.ts tells nothing after
 *    its end.)
 * 3. If the queue is lost, the stream registers again and yields one `reset`. Its snapshot is the state before all
 *    later events. (`connectionEnded` with `queueGone` leads to `registering`, also through `waitingForAttempt`.)
 * 4. Pages of a browser that read the same events of an account share one connection, if they want to: one page leads
 *    and tells the others what it receives (shared-lead.ts). Ids are the same for all of them, so each page has a
 *    cursor of its own and 1 holds for each: events that begin above its cursor make it ask for those that it missed.
 *    (`interrupted`, when the lead is gained or lost, leads to `reading` or `following`.)
 * 5. While more than MAX_WAITING events wait for the reader, no connection is open. The server keeps the events.
 *    (`reading` and `following` interrupt themselves then, and every transition to them asks first.)
 */
import type { Event, Reset, Snapshot } from '../../kernel/api.js'
import type { Store } from '../../kernel/store.js'
import type { ConnectionState, Transport } from '../connection.js'
import { createMailbox } from '../mailbox.js'
import { watchPage } from '../watch-page.js'
import { closeStream } from './closing.js'
import { runStream } from './run.js'
import { giveOrder } from './sharing.js'
import { buildStream, type EventsOptions, interrupt, type Stream, type StreamContext } from './stream.js'

/** The events of a queue, as an async iterable for one reader. Throws ApiError when the credentials are refused. */
export interface EventStream extends AsyncIterable<Event | Reset> {
  /** The state at the begin: the answer of the first registration. */
  readonly snapshot: Promise<Snapshot>
  readonly state: Store<ConnectionState>
  /** The id of the event queue; undefined before the registration. Send it with a message to get `local_message_id`. */
  readonly queueId: string | undefined
  /** Continues with this transport; without one, with the preferred one. Throws TypeError if it cannot be used here. */
  switchTransport(transport?: Transport): void
  /** Continues on this gateway. */
  switchGateway(gateway: string): void
  /** Connects now, if the stream waits for its next attempt. */
  retryNow(): void
  /** Ends the stream, and deletes its queue on the server. */
  close(): void
}

/** Opens a stream, which registers at once. Throws TypeError when none of the transports can be used here. */
export const openEventStream = (context: StreamContext, options: EventsOptions): EventStream => {
  const close = () => closeStream(stream)
  const mailbox = createMailbox<Event | Reset>(() => stream.current?.noteTaken?.(), close)
  const stream: Stream = buildStream(context, options, mailbox)
  // A reader of the events learns of the error from the iteration, and may not have asked for the snapshot.
  stream.snapshot.promise.catch(() => {})
  watchPageAndSignal(stream, options.signal)
  runStream(stream).catch((error) => closeStream(stream, error))
  return {
    snapshot: stream.snapshot.promise,
    state: stream.state,
    get queueId() {
      return stream.cursor?.queueId
    },
    switchTransport(transport) {
      if (transport !== undefined && context.transports[transport] === undefined) {
        throw new TypeError(`The transport ${transport} cannot be used here.`)
      }
      giveOrder(stream, { do: 'switchTransport', transport })
    },
    switchGateway: (gateway) => giveOrder(stream, { do: 'switchGateway', gateway }),
    retryNow: () => giveOrder(stream, { do: 'retry' }),
    close,
    [Symbol.asyncIterator]: () => mailbox[Symbol.asyncIterator](),
  }
}

/** Watches the page and the signal of the application until the stream is closed. */
const watchPageAndSignal = (stream: Stream, signal: AbortSignal | undefined): void => {
  const close = () => closeStream(stream)
  const wake = () => giveOrder(stream, { do: 'wake' })
  const stopWatching = watchPage({
    onOnline: wake,
    onOffline: () => void (stream.state.get().status === 'open' && interrupt(stream)),
    onWake: wake,
  })
  stream.closing.signal.addEventListener('abort', () => {
    stopWatching()
    signal?.removeEventListener('abort', close)
  })
  if (signal?.aborted) close()
  signal?.addEventListener('abort', close)
}

/**
 * A stream of events that does not end by itself.
 *
 * 1. Every event of the queue is yielded once and in order: the cursor is the id of the last event that arrived, each
 *    connection begins at the cursor, and an event whose id is not above the cursor is dropped.
 * 2. One connection is read at a time. What an abandoned connection still receives is dropped: the next connection
 *    receives it again.
 * 3. If the queue is lost, the stream registers again and yields one `reset`. Its snapshot is the state before all later
 *    events.
 * 4. While more than MAX_WAITING events wait for the reader, no connection is open. The server keeps the events.
 */
import type { Event, Params, Reset, Snapshot } from '../api.js'
import { ApiError, ConnectionError } from '../errors.js'
import type { Http } from '../http.js'
import { createStore, type Store } from '../store.js'
import { backoff } from './backoff.js'
import type { CallPort, Connect, Connection, Cursor, End, Transport, WireEvent } from './connection.js'
import { createMailbox } from './mailbox.js'
import { createRoute } from './route.js'
import { watchNetwork } from './watch-network.js'

/** What an application shows about the connection. */
export interface ConnectionState {
  /** `waiting`: the last attempt failed, and the next one is at `retryAt` */
  status: 'connecting' | 'open' | 'waiting' | 'closed'
  transport: Transport
  gateway: string
  /** when the next attempt begins, in milliseconds since 1970 */
  retryAt?: number
  /** why the last connection ended */
  reason?: string
}

/** The parameters of the registration, and how to connect. */
export type EventsOptions = Partial<Params<'POST /register'>> & {
  /** the transports in the order in which they are tried; all by default */
  transports?: readonly Transport[]
  /** ends the stream */
  signal?: AbortSignal
}

/** The events of a queue, as an async iterable for one reader. */
export interface EventStream extends AsyncIterable<Event | Reset> {
  /** The state at the begin: the answer of the first registration. */
  readonly snapshot: Promise<Snapshot>
  readonly state: Store<ConnectionState>
  /** The id of the event queue; undefined before the registration. Send it with a message to get `local_message_id`. */
  readonly queueId: string | undefined
  /** Continues with this transport; without an argument, with the preferred one. */
  switchTransport(transport?: Transport): void
  /** Continues on this gateway. */
  switchGateway(gateway: string): void
  /** Connects now, if the stream waits for its next attempt. */
  retryNow(): void
  /** Ends the stream, and deletes its queue on the server. */
  close(): void
}

/** What a stream needs of its client. */
export interface StreamContext {
  readonly http: Http
  readonly gateways: readonly string[]
  readonly transports: Readonly<Partial<Record<Transport, Connect>>>
  /** Calls can be made over this port; undefined: not any more. */
  onPort(port: CallPort | undefined): void
}

const MAX_WAITING = 10_000
/** Heartbeats arrive within 55 seconds (docs/clients.md). A connection that is silent for longer is dead. */
const SILENCE_MS = 90_000
/** After this time on a fallback, the preferred transport is tried again. */
const RETRY_PREFERRED_MS = 300_000

/** Opens a stream, which registers at once. */
export const openEventStream = (context: StreamContext, options: EventsOptions): EventStream => {
  const { http, gateways, onPort } = context
  const { transports = ['websocket', 'sse', 'poll'], signal, ...registration } = options
  const usable = transports.filter((transport) => context.transports[transport] !== undefined)
  if (usable.length === 0) throw new TypeError(`None of the transports ${transports.join()} can be used here.`)
  const route = createRoute(usable, gateways, Math.floor(Math.random() * gateways.length))
  const state = createStore<ConnectionState>({
    status: 'connecting',
    transport: route.transport,
    gateway: route.gateway,
  })

  const mailbox = createMailbox<Event | Reset>(
    () => onRead(),
    () => close(),
  )
  /** lets a stream continue that waits for its reader */
  let onRead = () => {}
  let isClosed = false
  let cursor: Cursor | undefined
  let hasRegistered = false
  let failures = 0
  /** ends the current connection or pause */
  let interrupt = () => {}
  const closing = new AbortController()

  let tellSnapshot: (snapshot: Snapshot) => void
  let failSnapshot: (error: unknown) => void
  const snapshot = new Promise<Snapshot>((resolve, reject) => {
    tellSnapshot = resolve
    failSnapshot = reject
  })
  // A reader of the events learns of the error from the iteration, and may not have asked for the snapshot.
  snapshot.catch(() => {})

  const setState = (status: ConnectionState['status'], more: Partial<ConnectionState> = {}) =>
    state.set({ status, transport: route.transport, gateway: route.gateway, ...more })

  const receive = (events: readonly WireEvent[]) => {
    for (const event of events) {
      if (cursor === undefined || event.id <= cursor.lastEventId) continue
      cursor = { ...cursor, lastEventId: event.id }
      if (event.type !== 'heartbeat') mailbox.put(event as Event)
    }
  }

  const register = async () => {
    const values = { client_capabilities: capabilities, ...registration }
    const answer = await http.call(route.gateway, { method: 'POST', path: '/register', values, signal: closing.signal })
    const fresh = answer as Snapshot
    // Without an account there is no queue: the snapshot is all that there is.
    const hasQueue = typeof fresh.queue_id === 'string'
    cursor = hasQueue ? { queueId: fresh.queue_id, lastEventId: fresh.last_event_id } : undefined
    if (hasRegistered) mailbox.put({ type: 'reset', snapshot: fresh })
    else tellSnapshot(fresh)
    hasRegistered = true
  }

  /** Reads the queue with one connection, until it ends. Returns undefined when it was interrupted. */
  const readConnection = (at: Cursor): Promise<{ end: End | undefined; wasOpen: boolean }> =>
    new Promise((resolve) => {
      let wasOpen = false
      let connection: Connection | undefined
      let silence: ReturnType<typeof setTimeout> | undefined
      let preferred: ReturnType<typeof setTimeout> | undefined
      const finish = (end: End | undefined) => {
        if (interrupt !== abandon) return
        interrupt = () => {}
        clearTimeout(silence)
        clearTimeout(preferred)
        onPort(undefined)
        connection?.close()
        resolve({ end, wasOpen })
      }
      const abandon = () => finish(undefined)
      const hear = () => {
        clearTimeout(silence)
        silence = setTimeout(() => finish({ kind: 'again', reason: 'The connection is silent.' }), SILENCE_MS)
      }
      interrupt = abandon
      hear()
      const connect = context.transports[route.transport] as Connect
      connection = connect(http, route.gateway, at, {
        onOpen(port) {
          if (interrupt !== abandon) return
          wasOpen = true
          failures = 0
          hear()
          onPort(port)
          setState('open')
          if (!route.isFallback) return
          preferred = setTimeout(() => {
            route.restart()
            abandon()
          }, RETRY_PREFERRED_MS)
        },
        onEvents(events) {
          if (interrupt !== abandon) return
          hear()
          receive(events)
          if (mailbox.size > MAX_WAITING) abandon()
        },
        onEnd: finish,
      })
      if (interrupt !== abandon) connection.close()
    })

  /** Waits before the next attempt, unless it is interrupted. */
  const pause = (milliseconds: number, reason: string) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        interrupt = () => {}
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      interrupt = end
      setState('waiting', { retryAt: Date.now() + milliseconds, reason })
    })

  const waitForReader = () =>
    new Promise<void>((resolve) => {
      onRead = () => mailbox.size <= MAX_WAITING / 2 && resolve()
      interrupt = resolve
    })

  const handleEnd = async ({ end, wasOpen }: { end: End | undefined; wasOpen: boolean }) => {
    if (end === undefined) return
    if (end.kind === 'refused') throw end.error
    failures += 1
    if (end.kind === 'queueGone') {
      cursor = undefined
      // A server that loses every new queue at once must not be asked for one without a pause.
      if (failures > 1) await pause(backoff(failures), 'The event queue is gone.')
      return
    }
    if (end.kind === 'blocked') route.block()
    else route.leave(wasOpen)
    await pause(backoff(failures, end.retryAfter), end.reason)
  }

  const handleFailure = async (error: unknown) => {
    const mayPass = error instanceof ConnectionError || (error instanceof ApiError && isTemporary(error))
    if (!mayPass) throw error
    failures += 1
    route.leave(false)
    await pause(backoff(failures, error instanceof ApiError ? error.retryAfter : 0), error.message)
  }

  const run = async () => {
    while (!isClosed) {
      setState('connecting')
      try {
        if (cursor === undefined) await register()
      } catch (error) {
        if (isClosed) return
        await handleFailure(error)
        continue
      }
      if (isClosed) return
      if (cursor === undefined) {
        setState('closed', { reason: 'Without an account, no events are received.' })
        return
      }
      if (mailbox.size > MAX_WAITING) await waitForReader()
      else await handleEnd(await readConnection(cursor))
    }
  }

  const close = (error?: unknown) => {
    if (isClosed) return
    isClosed = true
    closing.abort()
    interrupt()
    stopWatching()
    signal?.removeEventListener('abort', closeQuietly)
    setState('closed', error instanceof Error ? { reason: error.message } : {})
    failSnapshot(error ?? new ConnectionError('The stream was closed.'))
    if (cursor !== undefined && error === undefined) deleteQueue(cursor.queueId)
    mailbox.close(error === undefined ? undefined : { error })
  }
  const closeQuietly = () => close()

  const deleteQueue = (queue_id: string) => {
    const request = { method: 'DELETE', path: '/events', values: { queue_id } }
    // If this fails, the server deletes the queue when it has not been used for its lifespan.
    http.call(route.gateway, request).catch(() => {})
  }

  const stopWatching = watchNetwork(
    () => state.get().status === 'waiting' && interrupt(),
    () => state.get().status === 'open' && interrupt(),
  )
  if (signal?.aborted) close()
  signal?.addEventListener('abort', closeQuietly)
  run().catch(close)

  return {
    snapshot,
    state,
    get queueId() {
      return cursor?.queueId
    },
    switchTransport(transport) {
      if (transport !== undefined && context.transports[transport] === undefined) {
        throw new TypeError(`The transport ${transport} cannot be used here.`)
      }
      route.setTransport(transport)
      interrupt()
    },
    switchGateway(gateway) {
      route.setGateway(gateway)
      interrupt()
    },
    retryNow: () => {
      if (state.get().status === 'waiting') interrupt()
    },
    close: closeQuietly,
    [Symbol.asyncIterator]: () => mailbox[Symbol.asyncIterator](),
  }
}

/** The forms of data that this library understands. Without them, the server sends the older forms. */
const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
}

/** Whether the same request may succeed later. */
const isTemporary = ({ status }: ApiError): boolean => status === 429 || status >= 500

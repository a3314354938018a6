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
import { type Http, limitTime } from '../http.js'
import { createStore, type Store } from '../store.js'
import { backoff } from './backoff.js'
import {
  type CallPort,
  type Connect,
  type Connection,
  type Cursor,
  type End,
  LASTING_MS,
  type Transport,
  type WireEvent,
} from './connection.js'
import { createMailbox } from './mailbox.js'
import { createRoute } from './route.js'
import { watchPage } from './watch-page.js'

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

/** How a connection ended. `end`: undefined if it was abandoned; `workedMs`: undefined if it never worked. */
interface Ended {
  end: End | undefined
  workedMs: number | undefined
}

const MAX_WAITING = 10_000
/** Heartbeats arrive every 9 seconds (docs/clients.md). A connection that is silent for longer is asked, if it can be. */
const QUIET_MS = 10_000
/** A connection that is silent for so long is dead. */
const SILENCE_MS = 15_000
/** A registration can have to load an organization first. */
const REGISTER_MS = 60_000
/** A connection that cannot be asked is opened anew when the page wakes, if it has been silent for this time. */
const STALE_MS = 20_000
/** After this time on a fallback, the preferred transport is tried again; then after twice the time, and so on. */
const FIRST_RETRY_MS = 10_000
const LONGEST_RETRY_MS = 300_000

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
  /** checks the current connection */
  let onWake = () => {}
  let isClosed = false
  let cursor: Cursor | undefined
  let hasRegistered = false
  /** connections in a row that did not last */
  let failures = 0
  let retryPreferredMs = FIRST_RETRY_MS
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
    const request = { method: 'POST', path: '/register', values, signal: closing.signal }
    const answer = await limitTime(REGISTER_MS, request, (limited) => http.call(route.gateway, limited))
    const fresh = answer as Snapshot
    // Without an account there is no queue: the snapshot is all that there is.
    const hasQueue = typeof fresh.queue_id === 'string'
    cursor = hasQueue ? { queueId: fresh.queue_id, lastEventId: fresh.last_event_id } : undefined
    if (hasRegistered) mailbox.put({ type: 'reset', snapshot: fresh })
    else tellSnapshot(fresh)
    hasRegistered = true
  }

  /** Reads the queue with one connection, until it ends. Returns undefined when it was interrupted. */
  const readConnection = (at: Cursor): Promise<Ended> =>
    new Promise((resolve) => {
      let openedAt: number | undefined
      let heardAt = Date.now()
      let connection: Connection | undefined
      let looking: ReturnType<typeof setTimeout> | undefined
      let preferred: ReturnType<typeof setTimeout> | undefined
      const finish = (end: End | undefined) => {
        if (interrupt !== abandon) return
        interrupt = () => {}
        clearTimeout(looking)
        clearTimeout(preferred)
        onPort(undefined)
        onWake = () => {}
        connection?.close()
        resolve({ end, workedMs: openedAt === undefined ? undefined : Date.now() - openedAt })
      }
      const abandon = () => finish(undefined)
      const hear = () => {
        heardAt = Date.now()
      }
      const look = () => {
        clearTimeout(looking)
        const silent = Date.now() - heardAt
        if (silent >= SILENCE_MS) return finish({ kind: 'again', reason: 'The connection is silent.' })
        if (silent >= QUIET_MS) connection?.check?.()
        looking = setTimeout(look, (silent >= QUIET_MS ? SILENCE_MS : QUIET_MS) - silent)
      }
      const retryPreferred = () => {
        route.restart()
        abandon()
      }
      interrupt = abandon
      onWake = () => {
        if (route.isFallback && openedAt !== undefined && Date.now() - openedAt > FIRST_RETRY_MS) retryPreferred()
        else if (connection?.check !== undefined) connection.check()
        else if (Date.now() - heardAt > STALE_MS) abandon()
      }
      look()
      const connect = context.transports[route.transport] as Connect
      connection = connect(http, route.gateway, at, {
        onOpen(port) {
          if (interrupt !== abandon) return
          openedAt ??= Date.now()
          hear()
          onPort(port)
          setState('open')
          if (!route.isFallback) return
          preferred = setTimeout(retryPreferred, retryPreferredMs)
          retryPreferredMs = Math.min(LONGEST_RETRY_MS, retryPreferredMs * 2)
        },
        onEvents(events) {
          if (interrupt !== abandon) return
          hear()
          receive(events)
          if (mailbox.size > MAX_WAITING) abandon()
        },
        onAlive: hear,
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

  const handleEnd = async ({ end, workedMs }: Ended) => {
    const hasLasted = workedMs !== undefined && workedMs >= LASTING_MS
    if (hasLasted) failures = 0
    if (hasLasted && !route.isFallback) retryPreferredMs = FIRST_RETRY_MS
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
    else if (workedMs === undefined) route.skip()
    else route.leave(workedMs)
    await pause(backoff(failures, end.retryAfter), end.reason)
  }

  const handleFailure = async (error: unknown) => {
    const mayPass = error instanceof ConnectionError || (error instanceof ApiError && isTemporary(error))
    if (!mayPass) throw error
    failures += 1
    route.skip()
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

  const stopWatching = watchPage({
    onOnline() {
      if (state.get().status === 'waiting') interrupt()
      else onWake()
    },
    onOffline: () => void (state.get().status === 'open' && interrupt()),
    onWake() {
      if (state.get().status === 'waiting') interrupt()
      else onWake()
    },
  })
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

/**
 * A stream of events that does not end by itself.
 *
 * 1. Every event of the queue is yielded once and in order: the cursor is the id of the last event that arrived, each
 *    connection begins at the cursor, and an event whose id is not above the cursor is dropped.
 * 2. One connection is read at a time. What an abandoned connection still receives is dropped: the next connection
 *    receives it again.
 * 3. If the queue is lost, the stream registers again and yields one `reset`. Its snapshot is the state before all
 *    later events.
 * 4. Pages of a browser that read the same events of an account share one connection, if they want to: one page leads
 *    and tells the others what it receives (shared-lead.ts). Ids are the same for all of them, so each page has a
 *    cursor of its own and 1 holds for each: events that begin above its cursor make it ask for those that it missed.
 * 5. While more than MAX_WAITING events wait for the reader, no connection is open. The server keeps the events.
 */
import type { Event, Params, Reset, Snapshot } from '../../kernel/api.js'
import { ApiError, ConnectionError } from '../../kernel/errors.js'
import { type Http, limitTime } from '../../kernel/http.js'
import { createStore, type Store } from '../../kernel/store.js'
import { type Activity, pause, untilInterrupted } from '../activity.js'
import { backoff } from '../backoff.js'
import {
  type Connect,
  type ConnectionState,
  type Cursor,
  LASTING_MS,
  type SocketCaller,
  type Transport,
  type WireEvent,
} from '../connection.js'
import { followPage, type News } from '../follow.js'
import { createMailbox } from '../mailbox.js'
import { type Ended, type FallbackLimits, readConnection } from '../read-connection.js'
import { createRoute } from '../route.js'
import { joinPages, type SharedLead } from '../shared-lead.js'
import { watchPage } from '../watch-page.js'

/** The parameters of the registration, and how to connect. */
export type EventsOptions = Partial<Params<'POST /register'>> & {
  /** the transports in the order in which they are tried; all by default */
  transports?: readonly Transport[]
  /** pages of this browser that register in the same way share one connection, where the browser can do it */
  isShared?: boolean
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
  onPort(port: SocketCaller | undefined): void
}

/** What a page asks of the others: of those that follow, so that they do it when they lead. */
type Order =
  | { do: 'switchTransport'; transport: Transport | undefined }
  | { do: 'switchGateway'; gateway: string }
  | { do: 'retry' | 'wake' }

const MAX_WAITING = 10_000
/** A registration can have to load an organization first. */
const REGISTER_MS = 60_000
/** After this time on a fallback, the preferred transport is tried again; then after twice the time, and so on. */
const FIRST_RETRY_MS = 10_000
const LONGEST_RETRY_MS = 300_000

/** Opens a stream, which registers at once. */
export const openEventStream = (context: StreamContext, options: EventsOptions): EventStream => {
  const { http, gateways, onPort } = context
  const { transports = ['websocket', 'sse', 'poll'], isShared = false, signal, ...registration } = options
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
  /** what the stream does; undefined while it registers */
  let current: Activity<unknown> | undefined
  let shared: SharedLead<News, Order> | undefined
  let onNews = (_: News) => {}
  /** the queue of the last registration of this page */
  let ownQueueId: string | undefined
  let isClosed = false
  let cursor: Cursor | undefined
  let hasRegistered = false
  /** connections in a row that did not last */
  let failures = 0
  let retryPreferredMs = FIRST_RETRY_MS
  const closing = new AbortController()

  let tellSnapshot: (snapshot: Snapshot) => void
  let failSnapshot: (error: unknown) => void
  const snapshot = new Promise<Snapshot>((resolve, reject) => {
    tellSnapshot = resolve
    failSnapshot = reject
  })
  // A reader of the events learns of the error from the iteration, and may not have asked for the snapshot.
  snapshot.catch(() => {})

  const setState = (status: ConnectionState['status'], more: Partial<ConnectionState> = {}) => {
    state.set({ status, transport: route.transport, gateway: route.gateway, ...more })
    tell([])
  }

  const isFollowing = () => shared !== undefined && !shared.leads

  const interrupt = () => current?.interrupt()

  const perform = async <Result>(activity: Activity<Result>): Promise<Result> => {
    current = activity
    const result = await activity.ended
    current = undefined
    return result
  }

  /** Tells the pages that follow. @param at where the queue is read before these events */
  const tell = (events: readonly WireEvent[], at = cursor) => {
    if (shared?.leads === true && !isClosed) shared.tell({ cursor: at, events, state: state.get() })
  }

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
    ownQueueId = cursor?.queueId
    if (isShared && cursor !== undefined) shared ??= share(fresh.user_id)
    if (hasRegistered) mailbox.put({ type: 'reset', snapshot: fresh })
    else tellSnapshot(fresh)
    hasRegistered = true
  }

  const share = (userId: unknown) =>
    joinPages<News, Order>(JSON.stringify(['parley events 1', gateways, usable, userId, registration]), {
      onLead: interrupt,
      onNews: (news) => onNews(news),
      onAsk() {
        tell([])
        current?.catchUp?.()
      },
      onOrder(order) {
        if (order.do === 'switchTransport') route.setTransport(order.transport)
        else if (order.do === 'switchGateway') route.setGateway(order.gateway)
        if (isFollowing()) return
        if (order.do === 'wake') wake()
        else if (order.do !== 'retry' || state.get().status === 'waiting') interrupt()
      },
    })

  /** Receives what the page that leads tells, until this page leads. */
  const follow = (at: Cursor): Activity<Ended> => {
    let finish: (ended: Ended) => void
    const ended = new Promise<Ended>((resolve) => {
      finish = resolve
    })
    const end = (reason?: Ended['end']) => {
      onNews = () => {}
      follower.close()
      finish({ end: reason, workedMs: undefined })
    }
    const follower = followPage(http, route.gateway, at, {
      onCursor(next) {
        cursor = next
        if (ownQueueId === next.queueId) return
        if (ownQueueId !== undefined) deleteQueue(ownQueueId)
        ownQueueId = undefined
      },
      onEvents(events) {
        receive(events)
        if (mailbox.size > MAX_WAITING) end()
      },
      onState(next) {
        if (next.status === 'open') route.trust(next.transport)
        // It is told several times a second.
        if (JSON.stringify(next) !== JSON.stringify(state.get())) state.set(next)
      },
      onEnd: end,
    })
    onNews = follower.take
    shared?.ask()
    return { ended, interrupt: () => end() }
  }

  const read = (at: Cursor): Activity<Ended> => {
    const limits: FallbackLimits = { longest: retryPreferredMs, onWake: FIRST_RETRY_MS, onLimit: route.restart }
    const connect = context.transports[route.transport] as Connect
    return readConnection(
      (listener) => connect(http, route.gateway, at, listener),
      {
        onOpen(port) {
          onPort(port)
          setState('open')
          if (route.isFallback) retryPreferredMs = Math.min(LONGEST_RETRY_MS, retryPreferredMs * 2)
        },
        onEvents(events) {
          const before = cursor
          receive(events)
          tell(events, before)
          if (mailbox.size > MAX_WAITING) interrupt()
        },
        onEnd: () => onPort(undefined),
      },
      route.isFallback ? limits : undefined,
    )
  }

  /** Waits before the next attempt, unless it is interrupted. */
  const waitForAttempt = (milliseconds: number, reason: string) => {
    const waiting = perform(pause(milliseconds))
    setState('waiting', { retryAt: Date.now() + milliseconds, reason })
    return waiting
  }

  const waitForReader = async () => {
    if (shared?.leads === true && !(await shared.isAlone())) shared.yield()
    const reading = untilInterrupted()
    onRead = () => void (mailbox.size <= MAX_WAITING / 2 && reading.interrupt())
    onRead()
    await perform(reading)
  }

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
      if (failures > 1) await waitForAttempt(backoff(failures), 'The event queue is gone.')
      return
    }
    if (end.kind === 'blocked') route.block()
    else if (workedMs === undefined) route.skip()
    else route.leave(workedMs)
    await waitForAttempt(backoff(failures, end.retryAfter, end.isBroken), end.reason)
  }

  const handleFailure = async (error: unknown) => {
    const mayPass = error instanceof ConnectionError || (error instanceof ApiError && isTemporary(error))
    if (!mayPass) throw error
    failures += 1
    route.skip()
    await waitForAttempt(backoff(failures, error instanceof ApiError ? error.retryAfter : 0), error.message)
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
      else await handleEnd(await perform(isFollowing() ? follow(cursor) : read(cursor)))
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
    if (cursor !== undefined && error === undefined) void leaveQueue(cursor.queueId)
    else shared?.close()
    mailbox.close(error === undefined ? undefined : { error })
  }
  const closeQuietly = () => close()

  /** Deletes the queue, unless other pages read it too. */
  const leaveQueue = async (queueId: string) => {
    if (shared === undefined || (shared.leads && (await shared.isAlone()))) deleteQueue(queueId)
    shared?.close()
  }

  const deleteQueue = (queue_id: string) => {
    const request = { method: 'DELETE', path: '/events', values: { queue_id } }
    // If this fails, the server deletes the queue when it has not been used for its lifespan.
    http.call(route.gateway, request).catch(() => {})
  }

  const wake = () => {
    if (isFollowing()) shared?.order({ do: 'wake' })
    else current?.wake?.()
  }
  const stopWatching = watchPage({
    onOnline: wake,
    onOffline: () => void (state.get().status === 'open' && interrupt()),
    onWake: wake,
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
      shared?.order({ do: 'switchTransport', transport })
      if (!isFollowing()) interrupt()
    },
    switchGateway(gateway) {
      route.setGateway(gateway)
      shared?.order({ do: 'switchGateway', gateway })
      if (!isFollowing()) interrupt()
    },
    retryNow: () => {
      if (isFollowing()) shared?.order({ do: 'retry' })
      else if (state.get().status === 'waiting') interrupt()
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

/**
 * A stream of events that does not end by itself.
 *
 * 1. Every event of the queue is yielded once and in order: the cursor is the id of the last event that arrived, each
 *    connection begins at the cursor, and an event whose id is not above the cursor is dropped.
 * 2. One connection is read at a time. What an abandoned connection still receives is dropped: the next connection
 *    receives it again.
 * 3. If the queue is lost, the stream registers again and yields one `reset`. Its snapshot is the state before all later
 *    events.
 * 4. Pages of a browser that read the same events of an account share one connection, if they want to: one page leads and
 *    tells the others what it receives (shared-lead.ts). Ids are the same for all of them, so each page has a cursor of its
 *    own and 1 holds for each: events that begin above its cursor make it ask for those that it missed.
 * 5. While more than MAX_WAITING events wait for the reader, no connection is open. The server keeps the events.
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
  type ConnectionState,
  type Cursor,
  type End,
  LASTING_MS,
  type Transport,
  type WireEvent,
} from './connection.js'
import { followPage, type News } from './follow.js'
import { createMailbox } from './mailbox.js'
import { createRoute } from './route.js'
import { joinPages, type SharedLead } from './shared-lead.js'
import { watchPage } from './watch-page.js'

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
  onPort(port: CallPort | undefined): void
}

/** What a page asks of the others: of those that follow, so that they do it when they lead. */
type Order =
  | { do: 'switchTransport'; transport: Transport | undefined }
  | { do: 'switchGateway'; gateway: string }
  | { do: 'retry' | 'wake' }

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
  /** checks the current connection */
  let onWake = () => {}
  /** does what is due: browsers hold back the timers of a page that is hidden, and not what other pages tell it */
  let onClock = () => {}
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

  const setState = (status: ConnectionState['status'], more: Partial<ConnectionState> = {}) => {
    state.set({ status, transport: route.transport, gateway: route.gateway, ...more })
    tell([])
  }

  const isFollowing = () => shared !== undefined && !shared.leads

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
      onLead: () => interrupt(),
      onNews: (news) => onNews(news),
      onAsk() {
        tell([])
        onClock()
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
  const follow = (at: Cursor): Promise<Ended> =>
    new Promise((resolve) => {
      const finish = (end?: End) => {
        if (interrupt !== abandon) return
        interrupt = () => {}
        onNews = () => {}
        follower.close()
        resolve({ end, workedMs: undefined })
      }
      const abandon = () => finish()
      interrupt = abandon
      const follower = followPage(http, route.gateway, at, {
        onCursor(next) {
          cursor = next
          if (ownQueueId === next.queueId) return
          if (ownQueueId !== undefined) deleteQueue(ownQueueId)
          ownQueueId = undefined
        },
        onEvents(events) {
          receive(events)
          if (mailbox.size > MAX_WAITING) abandon()
        },
        onState(next) {
          if (next.status === 'open') route.trust(next.transport)
          // It is told several times a second.
          if (JSON.stringify(next) !== JSON.stringify(state.get())) state.set(next)
        },
        onEnd: finish,
      })
      onNews = follower.take
      shared?.ask()
    })

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
        onClock = () => {}
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
      onClock = () => {
        if (Date.now() - heardAt >= QUIET_MS) look()
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
          const before = cursor
          receive(events)
          tell(events, before)
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
        onClock = () => {}
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      const retryAt = Date.now() + milliseconds
      interrupt = end
      onClock = () => {
        if (Date.now() >= retryAt) end()
      }
      setState('waiting', { retryAt, reason })
    })

  const waitForReader = async () => {
    if (shared?.leads === true && !(await shared.isAlone())) shared.yield()
    await new Promise<void>((resolve) => {
      onRead = () => mailbox.size <= MAX_WAITING / 2 && resolve()
      interrupt = resolve
      onRead()
    })
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
      if (failures > 1) await pause(backoff(failures), 'The event queue is gone.')
      return
    }
    if (end.kind === 'blocked') route.block()
    else if (workedMs === undefined) route.skip()
    else route.leave(workedMs)
    await pause(backoff(failures, end.retryAfter, end.isBroken), end.reason)
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
      else await handleEnd(await (isFollowing() ? follow(cursor) : readConnection(cursor)))
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
    else if (state.get().status === 'waiting') interrupt()
    else onWake()
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

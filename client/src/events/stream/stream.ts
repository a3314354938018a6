/** What lasts across the states of a stream, and what several states do with it. */
import type { Event, Params, Reset, Snapshot } from '../../kernel/api.js'
import type { Http } from '../../kernel/http.js'
import { createStore, type WritableStore } from '../../kernel/store.js'
import type { Connect, ConnectionState, Cursor, SocketCaller, Transport, WireEvent } from '../connection.js'
import { createDeferred, type Deferred } from '../deferred.js'
import type { News } from '../follow.js'
import type { Mailbox } from '../mailbox.js'
import { createRoute, type Route } from '../route.js'
import type { SharedLead } from '../shared-lead.js'
import type { StateActivity } from './states.js'

/** The parameters of the registration, and how to connect. */
export type EventsOptions = Partial<Params<'POST /register'>> & {
  /** the transports in the order in which they are tried; all by default */
  transports?: readonly Transport[]
  /** pages of this browser that register in the same way share one connection, where the browser can do it */
  isShared?: boolean
  /** whether heartbeats are yielded too: the id of the last one is the position of a queue without other events */
  heartbeats?: boolean
  /** ends the stream */
  signal?: AbortSignal
}

/** What a stream needs of its client. */
export interface StreamContext {
  readonly http: Http
  readonly gateways: readonly string[]
  readonly transports: Readonly<Partial<Record<Transport, Connect>>>
  /** Calls can be made over this port; undefined: not any more. */
  onPort(port: SocketCaller | undefined): void
}

/** What the application or the browser asks of a stream. A page that follows passes it on to the one that leads. */
export type Order =
  | { do: 'switchTransport'; transport: Transport | undefined }
  | { do: 'switchGateway'; gateway: string }
  | { do: 'retry' | 'wake' }

/** What lasts across the states of a stream. */
export interface Stream extends StreamContext {
  /** the parameters of each registration */
  readonly registration: Partial<Params<'POST /register'>>
  /** the transports that can be used here, in the order of the application */
  readonly usable: readonly Transport[]
  readonly isShared: boolean
  readonly heartbeats: boolean
  /** which transport and which gateway the next connection uses */
  readonly route: Route
  /** what the application shows about the connection */
  readonly state: WritableStore<ConnectionState>
  /** the answer of the first registration */
  readonly snapshot: Deferred<Snapshot>
  /** the events that the reader of the iteration has not taken yet */
  readonly mailbox: Mailbox<Event | Reset>
  /** aborted when the stream is closed */
  readonly closing: AbortController
  /** the part of this page in a group that shares a connection; undefined before the registration, and without one */
  pages: SharedLead<News, Order> | undefined
  /** the queue, and the last event of it that arrived; undefined: the stream has to register */
  cursor: Cursor | undefined
  /** the queue of the last registration of this page; undefined if it has left it for that of another page */
  ownQueueId: string | undefined
  /** whether the next registration yields a reset */
  hasRegistered: boolean
  /** connections in a row that did not last */
  failures: number
  /** how long the next connection of a fallback lasts, before the preferred transport is tried again */
  retryPreferredMs: number
  /** what the stream does in its state; undefined between two states */
  current: StateActivity | undefined
}

/** While more events than this wait for the reader, no connection is open. */
export const MAX_WAITING = 10_000
/** After this time on a fallback, the preferred one is tried again. Then after twice the time, and so on. */
export const FIRST_RETRY_MS = 10_000

/** Builds what a stream has before its first state. Throws TypeError when no transport can be used here. */
export const buildStream = (
  context: StreamContext,
  {
    transports = ['websocket', 'sse', 'poll'],
    isShared = false,
    heartbeats = false,
    signal: _,
    ...registration
  }: EventsOptions,
  mailbox: Mailbox<Event | Reset>,
): Stream => {
  const { gateways } = context
  const usable = transports.filter((transport) => context.transports[transport] !== undefined)
  if (usable.length === 0) throw new TypeError(`None of the transports ${transports.join()} can be used here.`)
  const route = createRoute(usable, gateways, Math.floor(Math.random() * gateways.length))
  const { transport, gateway } = route
  return {
    ...context,
    registration,
    usable,
    isShared,
    heartbeats,
    route,
    state: createStore<ConnectionState>({ status: 'connecting', transport, gateway }),
    snapshot: createDeferred(),
    mailbox,
    closing: new AbortController(),
    pages: undefined,
    cursor: undefined,
    ownQueueId: undefined,
    hasRegistered: false,
    failures: 0,
    retryPreferredMs: FIRST_RETRY_MS,
    current: undefined,
  }
}

/** Whether the stream has ended for good. */
export const isClosed = ({ closing }: Stream): boolean => closing.signal.aborted

/** Whether another page has the connection. */
export const isFollowing = ({ pages }: Stream): boolean => pages !== undefined && !pages.leads

/** Ends what the stream does now. A registration goes on: its answer is of use in every case. */
export const interrupt = ({ current }: Stream): void => current?.interrupt()

/** Passes on the events after the cursor, and moves the cursor. */
export const receive = (stream: Stream, events: readonly WireEvent[]): void => {
  for (const event of events) {
    if (stream.cursor === undefined || event.id <= stream.cursor.lastEventId) continue
    stream.cursor = { ...stream.cursor, lastEventId: event.id }
    if (event.type !== 'heartbeat' || stream.heartbeats) stream.mailbox.put(event as Event)
  }
}

/** Tells the pages that follow. @param cursor where the queue is read before these events */
export const tellPages = (stream: Stream, events: readonly WireEvent[], cursor = stream.cursor): void => {
  const { pages, state } = stream
  if (pages?.leads === true && !isClosed(stream)) pages.tell({ cursor, events, state: state.get() })
}

/** Tells the application and the pages that follow how the stream is connected. */
export const publishStatus = (
  stream: Stream,
  status: ConnectionState['status'],
  more: Partial<ConnectionState> = {},
): void => {
  const { transport, gateway } = stream.route
  stream.state.set({ status, transport, gateway, ...more })
  tellPages(stream, [])
}

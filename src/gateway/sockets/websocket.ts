/**
 * WebSockets at GET /events: the gateway pushes events, and the client may make API calls (socket-call.ts).
 *
 * 1. A text frame to the client is one event object, with the same bytes as in a poll, or the answer to a call, which
 *    has `req`. A handshake without `queue_id` calls POST /register with its query; the first frame is the answer to
 *    that call, with `req` 0. `announce_close` is of the socket (socket-call.ts, 5) and not of that call.
 * 2. A socket whose send buffer is full is closed with "resume": its client reads what it missed from the log, and no
 *    sender waits for a slow client.
 */

import { ApiError, closes, errors } from '../../domain/protocol/errors.js'
import { readMember } from '../../domain/protocol/raw-json.js'
import { accountTexts } from '../../domain/readers/reader-texts.js'
import { LogTrimmedError } from '../../store/events/backlog.js'
import type { Realm } from '../../store/log/realm.js'
import type { Queue } from '../../store/register/event-queues.js'
import { emptyFields } from '../body/decode-form.js'
import type { CallPipeline } from '../call/call.js'
import type { Endpoint } from '../call/endpoint.js'
import type { App } from '../contract/app.js'
import type { Caller } from '../contract/caller.js'
import type { Handshake, Socket, SocketHandlers, UpgradeDecision } from '../contract/transport.js'
import { catchUp } from '../events/catch-up.js'
import { checkCursor } from '../events/check-cursor.js'
import type { Client, CloseReason } from '../events/connected-client.js'
import { mayReadQueue } from '../events/queue-access.js'
import { composeAnswerFrame } from './answer-frame.js'
import type { SocketCalls } from './socket-call.js'

/** The user data of a native socket. */
export interface SocketData {
  readonly handshake: Handshake
  readonly realm: Realm
  readonly queue: Queue
  readonly key_version: number
  readonly session_id: number | undefined
  readonly api_key_id: number | undefined
  readonly last_event_id: number
  /** the frame with the answer to the registration, when the handshake asked for one; until it was sent */
  registered: string | Uint8Array | undefined
  client: Client | undefined
  isOpen: boolean
  onDrained: (() => void) | undefined
}

/** While a socket catches up, the next part of the backlog is sent when fewer bytes than this are unsent. */
const MAX_UNSENT_WHILE_CATCHING_UP = 256 * 1024

/**
 * The handlers of event sockets.
 * @param register the endpoint that a handshake without `queue_id` calls
 */
export const openEventSockets = (
  app: App,
  pipeline: CallPipeline,
  register: Endpoint,
  calls: SocketCalls,
): SocketHandlers<SocketData> => {
  const upgrade = async (handshake: Handshake): Promise<UpgradeDecision<SocketData>> => {
    const caller = await pipeline.identify(handshake)
    try {
      return await openQueue(handshake, caller)
    } catch (error) {
      if (error instanceof ApiError) error.reader = accountTexts(caller.user)
      throw error
    }
  }

  const openQueue = async (
    handshake: Handshake,
    { realm, user, session, apiKey }: Caller,
  ): Promise<UpgradeDecision<SocketData>> => {
    const { fields } = handshake
    let registered: SocketData['registered']
    let cursor = { queue_id: String(fields.queue_id), last_event_id: String(fields.last_event_id) }
    if (fields.queue_id === undefined) {
      const parameters = Object.assign(emptyFields(), fields)
      delete parameters.announce_close
      const reply = await pipeline.call('register', register, {
        ...handshake,
        fields: parameters,
        idempotencyKey: '',
        transport: 'http',
        encoding: 'text',
        path: {},
        files: [],
        logInFlow: undefined,
        query: '',
      })
      if (reply === undefined) throw errors.internal()
      if (reply.status !== 200) return { status: reply.status, body: reply.text }
      // Not parsed as a whole: in a large organization it has megabytes.
      const fragments = reply.fragments ?? []
      cursor = {
        queue_id: String(readMember(fragments, 'queue_id')),
        last_event_id: String(readMember(fragments, 'last_event_id')),
      }
      registered = composeAnswerFrame(0, reply)
    }
    const queue = await app.store.queues.find(realm.id, cursor.queue_id, user.id)
    if (queue === undefined || !mayReadQueue(apiKey, queue)) return { close: closes.queueGone }
    if (!/^-?\d{1,16}$/.test(cursor.last_event_id))
      throw errors.badRequest('{name} must be an integer.', { name: 'last_event_id' })
    const last_event_id = await checkCursor(realm, queue, Number(cursor.last_event_id))
    return {
      accept: {
        handshake,
        realm,
        queue,
        key_version: user.key_version,
        session_id: session?.id,
        api_key_id: apiKey?.id,
        last_event_id,
        registered,
        client: undefined,
        isOpen: true,
        onDrained: undefined,
      },
    }
  }

  return {
    path: '/events',
    upgrade,
    open(socket) {
      void startDelivery(app, calls, socket)
    },
    message(socket, message, isBinary) {
      const { handshake, queue } = socket.getUserData()
      calls.receive(socket, accountOf(queue), handshake, message, isBinary)
    },
    drain(socket) {
      const data = socket.getUserData()
      data.onDrained?.()
      data.onDrained = undefined
    },
    close(socket) {
      const data = socket.getUserData()
      data.isOpen = false
      calls.forget(data.handshake)
      data.onDrained?.()
      if (data.client !== undefined) app.hubs.of(data.realm).detach(data.client)
    },
  }
}

const accountOf = ({ realm_id, user_id }: Queue): string => `${realm_id}:${user_id}`

/** Sends the backlog, then attaches the socket to the hub. Closes the socket when that fails. */
const startDelivery = async (app: App, calls: SocketCalls, socket: Socket<SocketData>): Promise<void> => {
  const data = socket.getUserData()
  const { handshake, queue, key_version, session_id, api_key_id, realm, last_event_id } = data
  const end = (reason: CloseReason) => {
    if (!data.isOpen) return
    // `end` would send the unsent bytes first:
    // keep them for a client that does not read, or send them with a revoked key.
    const discardsUnsent = reason === 'slowConsumer' || (reason === 'unauthorized' && socket.getBufferedAmount() > 0)
    if (discardsUnsent) socket.close()
    else calls.endAfterAnswers(socket, accountOf(queue), handshake, closes[reason])
  }
  const client: Client = {
    queue,
    key_version,
    session_id,
    api_key_id,
    lastId: last_event_id,
    socket,
    push: (_id, text) => void socket.send(text),
    unsentBytes: () => (data.isOpen ? socket.getBufferedAmount() : 0),
    close: end,
  }
  data.client = client
  if (data.registered !== undefined) socket.send(data.registered)
  // It has megabytes, and the socket may stay for days.
  data.registered = undefined
  const ready = () =>
    socket.getBufferedAmount() < MAX_UNSENT_WHILE_CATCHING_UP
      ? Promise.resolve()
      : new Promise<void>((resolve) => {
          data.onDrained = resolve
        })
  const hub = app.hubs.of(realm)
  try {
    const isOpen = () => data.isOpen
    await catchUp({ sql: app.store.sql, realm, hub, queue, last_event_id, client, isOpen, ready })
  } catch (error) {
    if (!(error instanceof LogTrimmedError)) app.log.error({ err: error }, 'a socket could not catch up')
    end(error instanceof LogTrimmedError ? 'queueGone' : 'internal')
  }
}

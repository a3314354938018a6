/** Calls over one WebSocket: the same endpoints as over HTTP, with JSON values instead of form fields. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Close } from '../../../src/domain/protocol/errors.js'
import { type Account, basicAuthorization } from '../realm/event-reader.js'
import { type Answer, anyGateway } from '../realm/realm.js'

export interface TestSocket extends AsyncDisposable {
  /** Sends one call. Rejects if the gateway closes the socket before it answers. */
  call(method: string, path: string, params?: Record<string, unknown>, idempotency_key?: string): Promise<Answer>
  /** The queue that its handshake registered. */
  queue_id: string
  /** The answer to that registration. */
  registration: Answer['body']
  /** what arrived, in order, except answers */
  frames: readonly Record<string, unknown>[]
  /** Resolves with the announcement that the gateway closes it. */
  announced: Promise<Close>
  /** Resolves with the code with which the gateway closes it. */
  closed: Promise<number>
  /** Closes it as clients do. */
  close(): void
}

/**
 * Opens a socket as an account, on any gateway unless one is named. Disposing of it closes it.
 * @param more is added to the address
 * @param types the types of the events that it receives
 */
export const openSocket = async (
  account: Account,
  url = anyGateway(),
  more = '',
  types: readonly string[] = [],
): Promise<TestSocket> => {
  const headers = { Host: account.host, Authorization: basicAuthorization(account) }
  const path = `/api/v1/events?event_types=${encodeURIComponent(JSON.stringify(types))}&fetch_event_types=[]${more}`
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers })
  const frames: Record<string, unknown>[] = []
  const waiting = new Map<number, (answer: Answer) => void>()
  let tellAnnounced = (_: Close) => {}
  const announced = new Promise<Close>((resolve) => {
    tellAnnounced = resolve
  })
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as { req?: number; closing?: Close } & Answer
    if (frame.req === undefined) frames.push({ ...frame })
    if (frame.closing !== undefined) tellAnnounced(frame.closing)
    if (frame.req === undefined) return
    waiting.get(frame.req)?.(frame)
    waiting.delete(frame.req)
  })
  let last = 0
  // The handshake registers a queue. Its answer has the number 0.
  const registered = new Promise<Answer>((resolve) => waiting.set(last, resolve))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await once(socket, 'open')
  const { body } = await registered
  return {
    queue_id: String(body.queue_id),
    registration: body,
    frames,
    announced,
    closed,
    close: () => socket.close(),
    call: (method, path, params = {}, idempotency_key) =>
      new Promise((resolve, reject) => {
        const req = ++last
        waiting.set(req, resolve)
        socket.once('close', (code) => reject(new Error(`the socket closed with ${code}`)))
        socket.send(JSON.stringify({ req, method, path, params, idempotency_key }))
      }),
    async [Symbol.asyncDispose]() {
      socket.terminate()
    },
  }
}

/** Calls over one WebSocket: the same endpoints as over HTTP, with JSON values instead of form fields. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type Account, basicAuthorization } from './event-reader.js'
import { type Answer, anyGateway } from './realm.js'

export interface TestSocket extends AsyncDisposable {
  /** Sends one call. Rejects if the gateway closes the socket before it answers. */
  call(method: string, path: string, params?: Record<string, unknown>): Promise<Answer>
  /** The queue that its handshake registered. */
  queue_id: string
  /** Resolves with the code with which the gateway closes it. */
  closed: Promise<number>
}

/** Opens a socket as an account, on any gateway unless one is named. Disposing of it closes it. */
export const openSocket = async (account: Account, url = anyGateway()): Promise<TestSocket> => {
  const headers = { Host: account.host, Authorization: basicAuthorization(account) }
  const path = '/api/v1/events?event_types=[]&fetch_event_types=[]'
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers })
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as { req?: number } & Answer
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
    closed,
    call: (method, path, params = {}) =>
      new Promise((resolve, reject) => {
        const req = ++last
        waiting.set(req, resolve)
        socket.once('close', (code) => reject(new Error(`the socket closed with ${code}`)))
        socket.send(JSON.stringify({ req, method, path, params }))
      }),
    async [Symbol.asyncDispose]() {
      socket.terminate()
    },
  }
}

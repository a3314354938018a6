/**
 * The baseline of latency: the least that a server does which stores a message before it delivers it.
 *
 * It has the libraries of a gateway, and stores a message with the same tables in a transaction of its own. It checks
 * nobody, renders nothing and knows no other server: each message is published to all sockets as it was sent.
 */
import uws from 'uWebSockets.js'
import { serveProcedures } from '../child-process.js'
import { openStore, type StoreOptions } from './stored-message.js'

/** About as long as the rest of a message event. */
const eventFields = {
  type: 'message',
  id: 12_345_678,
  sender_full_name: 'Member 7 of the Bench',
  sender_email: 'user7@bench.invalid',
  avatar_url: 'https://secure.gravatar.com/avatar/0123456789abcdef0123456789abcdef?d=identicon&version=1',
  display_recipient: 'bench',
  subject: 'tea',
  content_type: 'text/html',
  client: 'bench',
  timestamp: 1_700_000_000,
  flags: [],
  reactions: [],
  submessages: [],
}

const procedures = {
  /** @returns the port */
  listen(options: StoreOptions): Promise<number> {
    const store = openStore(options)
    const app = uws.App()
    app.ws('/*', { idleTimeout: 0, open: (socket) => void socket.subscribe('all') })
    app.post('/*', (res) => {
      let body = ''
      res.onAborted(() => {})
      res.onData(async (chunk, isLast) => {
        body += Buffer.from(chunk).toString()
        if (!isLast) return
        const content = new URLSearchParams(body).get('content') ?? ''
        await store(content)
        app.publish('all', JSON.stringify({ ...eventFields, content }))
        res.cork(() => void res.end('{"result":"success","msg":"","id":12345678}'))
      })
    })
    return new Promise((resolve, reject) =>
      app.listen('127.0.0.1', 0, (listening) => {
        if (listening) resolve(uws.us_socket_local_port(listening))
        else reject(new Error('uWebSockets does not listen'))
      }),
    )
  },
}

export type MinimalServerProcedures = typeof procedures
serveProcedures(procedures)

/**
 * The baseline of latency: the least that a server does which stores a message before it delivers it.
 *
 * It has the libraries of a gateway, and stores a message with the same tables in a transaction of its own. It checks
 * nobody, renders nothing and knows no other server: each message is published to all sockets as it was stored.
 */
import uws from 'uWebSockets.js'
import { serveProcedures } from '../harness/child-process.js'
import { listen } from './listen.js'
import { openStore, type StoreOptions } from './stored-message.js'

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
        app.publish('all', await store(content))
        res.cork(() => void res.end('{"result":"success","msg":"","id":12345678}'))
      })
    })
    return listen(app)
  },
}

export type MinimalServerProcedures = typeof procedures
serveProcedures(procedures)

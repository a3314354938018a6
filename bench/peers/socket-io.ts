import { createRequire } from 'node:module'
import socketIoPackage from 'socket.io/package.json' with { type: 'json' }
import { startProcess } from '../harness/child-process.js'
import { formatRequest } from '../load/http.js'
import { stampedContent } from '../load/stamps.js'
import { type Peer, Unavailable } from './peer.js'
import type { SocketIoProcedures } from './socket-io-server.js'

export const socketIo: Peer = {
  name: 'Socket.IO',
  title: 'Socket.IO with its Redis adapter, Express, and one insert per message through pg',
  guarantees: {
    durable: 'yes',
    ordered: 'no: after their commits',
    authenticated: 'token',
    permitted: 'no',
    resumable: 'no',
  },
  transports: ['sockets'],
  isDownloaded: false,
  async install() {
    try {
      createRequire(import.meta.url).resolve('@socket.io/redis-adapter')
    } catch {
      throw new Unavailable('@socket.io/redis-adapter is not in node_modules: run `npm ci` in bench/')
    }
  },
  async start({ group, database_url, redis_url }, { senders, receivers }) {
    const server = startProcess<SocketIoProcedures>(group, 'peers/socket-io-server')
    const port = await server.call('listen', { database_url, redis_url, users: senders + receivers })
    const message = { type: 'stream', to: '1', topic: 'tea', content: stampedContent }
    const identify = (user: number) => ({ host: 'bench', credentials: `token-${user}` })
    return {
      version: socketIoPackage.version,
      port,
      pid: server.pid,
      senderPlan: {
        kind: 'http',
        requests: Array.from({ length: senders }, (_, i) => formatRequest('POST', '/messages', identify(i), message)),
      },
      planReceivers: async (first, count) => ({
        kind: 'sockets',
        host: 'bench',
        handshakes: Array.from({ length: count }, (_, i) => ({
          path: `/socket.io/?EIO=4&transport=websocket&token=token-${senders + first + i}`,
          headers: [],
        })),
        // A client of Socket.IO connects to a namespace first, and is answered with its id there.
        firstFrames: new Array(count).fill(['40']),
        readyText: '40{',
      }),
      stop: server.stop,
    }
  },
}

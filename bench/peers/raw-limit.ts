import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../src/dev/root.js'
import type { RawUwsProcedures } from '../baselines/raw-uws.js'
import { startProcess } from '../harness/child-process.js'
import { stampedEvent } from '../load/stamps.js'
import { formatPost, type Peer } from './peer.js'

/** A peer that shows the physical limit. It publishes each request to all clients as it is, and answers it. */
export const rawLimit: Peer = {
  name: 'raw uWebSockets',
  title: 'raw uWebSockets: the least that receiving and delivering bytes costs',
  guarantees: { durable: 'no', ordered: 'yes', authenticated: 'no', permitted: 'no', resumable: 'no' },
  transports: ['sockets', 'polls'],
  isDownloaded: false,
  async start({ group }) {
    const raw = startProcess<RawUwsProcedures>(group, 'baselines/raw-uws')
    return {
      version: readVersion('uWebSockets.js'),
      port: await raw.call('listen', null),
      pid: raw.pid,
      senderPlan: { kind: 'http', requests: [formatPost('/publish', stampedEvent)] },
      async planReceivers(_, count, transport) {
        if (transport === 'sockets')
          return { kind: 'sockets', host: 'bench', handshakes: new Array(count).fill({ path: '/', headers: [] }) }
        const request = 'GET /poll HTTP/1.1\r\nHost: bench\r\n\r\n'
        return { kind: 'polls', protocol: 'none', clients: new Array(count).fill({ request, position: '' }) }
      },
      stop: raw.stop,
    }
  },
}

/** The version of an installed package, which does not export its package.json. */
const readVersion = (name: string): string =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version

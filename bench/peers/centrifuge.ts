import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/dev/ports.js'
import { root } from '../../src/dev/root.js'
import { stampedEvent } from '../load/stamps.js'
import { buildGoProgram, goProgramFile } from './go-programs.js'
import { formatPost, type Peer } from './peer.js'
import { startProgram } from './programs.js'

const source = join(root, 'bench/peers/centrifuge')
const version = /centrifugal\/centrifuge (v\S+)/.exec(readFileSync(join(source, 'go.mod'), 'utf8'))?.[1] ?? ''
const program = { name: 'centrifuge', version }

export const centrifuge: Peer = {
  name: 'Centrifuge',
  title: 'Centrifuge, the Go library of Centrifugo, with its Redis broker and history',
  guarantees: {
    durable: 'no: in the memory of Redis',
    ordered: 'yes',
    authenticated: 'one key for all senders',
    permitted: 'no',
    resumable: 'the last 1,000 messages',
  },
  transports: ['sockets'],
  isDownloaded: true,
  async install(tell) {
    buildGoProgram(program, { args: ['build', '-o', goProgramFile(program), '.'], cwd: source }, tell)
  },
  async start(environment) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-centrifuge-'))
    environment.group.removeFolderAtEnd(folder)
    const port = await freePort()
    const secret = randomBytes(16).toString('hex')
    const server = await startProgram(environment, {
      name: 'centrifuge',
      command: goProgramFile(program),
      args: [],
      folder,
      env: { ADDRESS: `127.0.0.1:${port}`, REDIS_URL: environment.redis_url, SECRET: secret },
      port,
    })
    const formatToken = (user: string) => `${user}.${createHmac('sha256', secret).update(user).digest('hex')}`
    const composeFrame = (user: string) =>
      `${JSON.stringify({ id: 1, connect: { token: formatToken(user) } })}\n${JSON.stringify({ id: 2, subscribe: { channel: 'room' } })}`
    return {
      version,
      port,
      ...server,
      senderPlan: { kind: 'http', requests: [formatPost('/publish', stampedEvent, [`X-API-Key: ${secret}`])] },
      planReceivers: async (first, count) => ({
        kind: 'sockets',
        host: 'bench',
        handshakes: new Array(count).fill({ path: '/connection/websocket', headers: [] }),
        firstFrames: Array.from({ length: count }, (_, i) => [composeFrame(`user${first + i}`)]),
        readyText: '"id":2,"subscribe"',
      }),
    }
  },
}

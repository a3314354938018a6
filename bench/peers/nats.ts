import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/dev/ports.js'
import { stampedEvent } from '../load/stamps.js'
import { buildGoProgram, goProgramFile } from './go-programs.js'
import type { Peer } from './peer.js'
import { startProgram } from './programs.js'

const program = { name: 'nats-server', version: 'v2.15.2' }
/** Sockets of the senders: each has several calls open. */
const SENDER_SOCKETS = 8

export const nats: Peer = {
  name: 'NATS',
  title: 'NATS with JetStream, whose stream is written with fsync before each answer',
  guarantees: {
    durable: 'yes',
    ordered: 'in the stream; not among live subscriptions',
    authenticated: 'password of the connection',
    permitted: 'no',
    resumable: 'no: live subscriptions',
  },
  transports: ['sockets'],
  isDownloaded: true,
  async install(tell) {
    buildGoProgram(program, { args: ['install', `github.com/nats-io/nats-server/v2@${program.version}`] }, tell)
  },
  async start(environment) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-nats-'))
    environment.group.removeFolderAtEnd(folder)
    const [port, clientPort] = [await freePort(), await freePort()]
    const password = randomBytes(16).toString('hex')
    writeFileSync(join(folder, 'nats.conf'), composeConfiguration({ folder, port, clientPort, password }))
    const server = await startProgram(environment, {
      name: 'nats',
      command: goProgramFile(program),
      args: ['--config', join(folder, 'nats.conf')],
      folder,
      port,
    })
    const options = { verbose: false, pedantic: false, lang: 'bench', version: '1', user: 'bench', pass: password }
    const connect = `CONNECT ${JSON.stringify(options)}\r\n`
    const publish = (subject: string, inbox: string, payload: string) =>
      `PUB ${subject} ${inbox} ${Buffer.byteLength(payload)}\r\n${payload}\r\n`
    const stream = JSON.stringify({ name: 'room', subjects: ['room'], storage: 'file' })
    const sockets = Array.from({ length: SENDER_SOCKETS }, (_, i) => `_INBOX.${i}`)
    const handshake = { path: '/', headers: [] }
    return {
      version: program.version,
      port,
      ...server,
      senderPlan: {
        kind: 'sockets',
        handshakes: sockets.map(() => handshake),
        firstFrames: sockets.map((inbox) => [
          `${connect}SUB ${inbox}.* 1\r\n`,
          publish('$JS.API.STREAM.CREATE.room', `${inbox}.created`, stream),
        ]),
        readyText: '"config":{"name":"room"',
        calls: sockets.map((inbox) => publish('room', `${inbox}.SSSSSSSSSSSSSSSS`, stampedEvent)),
        reply: '_INBOX\\.\\d+\\.(\\d{16}) 1 \\d+\\r\\n\\{"stream"',
      },
      planReceivers: async (_, count) => ({
        kind: 'sockets',
        host: 'bench',
        handshakes: new Array(count).fill(handshake),
        firstFrames: new Array(count).fill([`${connect}SUB room 1\r\nPING\r\n`]),
        readyText: 'PONG',
      }),
    }
  },
}

interface Configuration {
  folder: string
  port: number
  clientPort: number
  password: string
}

const composeConfiguration = ({ folder, port, clientPort, password }: Configuration): string => `
listen: "127.0.0.1:${clientPort}"
ping_interval: "1h"
max_pending: 256MB
authorization { user: bench, password: "${password}" }
websocket { listen: "127.0.0.1:${port}", no_tls: true }
jetstream { store_dir: ${JSON.stringify(join(folder, 'streams'))}, sync_interval: always }
`

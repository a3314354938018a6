import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../src/dev/debian-package.mjs'
import { freePort } from '../../src/dev/ports.js'
import { parseSuccess, sendAll } from '../load/http.js'
import { stampedContent } from '../load/stamps.js'
import { cacheFolder, formatCall, type Peer, Unavailable } from './peer.js'
import { createDatabase, runCommand, startProgram } from './programs.js'

const cache = cacheFolder('synapse')
const python = join(cache, 'bin/python')
/** Written when everything is installed. */
const complete = join(cache, 'complete')
const SERVER_NAME = 'bench.invalid'

export const synapse: Peer = {
  name: 'Synapse',
  title: 'Matrix Synapse: one process, Postgres',
  guarantees: {
    durable: 'yes',
    ordered: 'yes',
    authenticated: 'access token',
    permitted: 'yes',
    resumable: 'yes, from Postgres',
  },
  transports: ['polls'],
  isDownloaded: true,
  async install(tell) {
    if (existsSync(complete)) return
    const systemPython = findProgram({ path: process.env.PATH ?? '' }, 'python3')
    if (systemPython === undefined) throw new Unavailable('this machine has no python3')
    rmSync(cache, { recursive: true, force: true })
    mkdirSync(cache, { recursive: true })
    tell('  Installing Matrix Synapse from PyPI into the cache')
    runCommand(systemPython, ['-m', 'venv', cache])
    runCommand(join(cache, 'bin/pip'), ['install', '--quiet', 'matrix-synapse', 'psycopg2-binary'])
    writeFileSync(complete, '')
  },
  async start(environment, { senders, receivers }) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-synapse-'))
    environment.group.removeFolderAtEnd(folder)
    const port = await freePort()
    const token = randomBytes(16).toString('hex')
    const database = new URL(await createDatabase(environment, 'bench_synapse'))
    const configuration = join(folder, 'homeserver.json')
    writeFileSync(join(folder, 'log.json'), JSON.stringify(logConfiguration))
    writeFileSync(join(folder, 'accounts.json'), JSON.stringify(composeAccountService(token)))
    writeFileSync(configuration, JSON.stringify(composeConfiguration({ folder, port, database })))
    runCommand(python, ['-m', 'synapse.app.homeserver', '-c', configuration, '--generate-keys'], { cwd: folder })
    const server = await startProgram(environment, {
      name: 'synapse',
      command: python,
      args: ['-m', 'synapse.app.homeserver', '-c', configuration],
      folder,
      port,
    })

    environment.print(`  Synapse registers ${senders + receivers} accounts, which join the room`)
    const registrations = Array.from({ length: senders + receivers }, (_, i) =>
      formatCall('POST', '/_matrix/client/v3/register', token, {
        type: 'm.login.application_service',
        username: `user${i}`,
      }),
    )
    const accounts = (await sendAll(port, registrations, CONCURRENCY)).map(
      (response) => parseSuccess<{ access_token: string }>(response).access_token,
    )
    const [created] = await sendAll(port, [
      formatCall('POST', '/_matrix/client/v3/createRoom', accounts[0] ?? '', { preset: 'public_chat' }),
    ])
    const room = encodeURIComponent(created === undefined ? '' : parseSuccess<{ room_id: string }>(created).room_id)
    const joins = accounts.map((account) => formatCall('POST', `/_matrix/client/v3/join/${room}`, account, {}))
    for (const response of await sendAll(port, joins, CONCURRENCY)) parseSuccess(response)

    // The transaction id of each message is its stamp.
    const send = `/_matrix/client/v3/rooms/${room}/send/m.room.message/SSSSSSSSSSSSSSSS`
    return {
      version: runCommand(python, [
        '-c',
        'from importlib.metadata import version; print(version("matrix-synapse"))',
      ]).trim(),
      port,
      ...server,
      senderPlan: {
        kind: 'http',
        requests: accounts
          .slice(0, senders)
          .map((account) => formatCall('PUT', send, account, { msgtype: 'm.text', body: stampedContent })),
      },
      async planReceivers(first, count) {
        const clients = accounts.slice(senders + first, senders + first + count)
        const firstSyncs = clients.map((account) =>
          formatCall('GET', `/_matrix/client/v3/sync?timeout=0&filter=${filter}`, account),
        )
        const positions = (await sendAll(port, firstSyncs, CONCURRENCY)).map(
          (response) => parseSuccess<{ next_batch: string }>(response).next_batch,
        )
        return {
          kind: 'polls',
          protocol: 'matrix',
          clients: clients.map((account, i) => ({
            request: formatCall(
              'GET',
              `/_matrix/client/v3/sync?timeout=600000&filter=${filter}&since=POSITION`,
              account,
            ),
            position: positions[i] ?? '',
          })),
        }
      },
    }
  },
}

const CONCURRENCY = 8

/** What a client of one room asks for: all its messages, and only those members that it does not know. */
const filter = encodeURIComponent(
  JSON.stringify({
    presence: { types: [] },
    account_data: { types: [] },
    room: { timeline: { limit: 1000 }, state: { lazy_load_members: true }, ephemeral: { types: [] } },
  }),
)

const logConfiguration = {
  version: 1,
  handlers: { console: { class: 'logging.StreamHandler' } },
  root: { level: 'ERROR', handlers: ['console'] },
}

/** A service that registers the accounts without passwords. They send and receive with their own access tokens. */
const composeAccountService = (token: string) => ({
  id: 'bench',
  url: null,
  as_token: token,
  hs_token: randomBytes(16).toString('hex'),
  sender_localpart: 'bench',
  rate_limited: false,
  namespaces: { users: [{ exclusive: false, regex: '@user.*' }], rooms: [], aliases: [] },
})

const composeConfiguration = ({ folder, port, database }: { folder: string; port: number; database: URL }) => {
  const unlimited = { per_second: 1_000_000, burst_count: 1_000_000 }
  return {
    server_name: SERVER_NAME,
    pid_file: join(folder, 'homeserver.pid'),
    listeners: [
      { port, bind_addresses: ['127.0.0.1'], type: 'http', resources: [{ names: ['client'], compress: false }] },
    ],
    database: {
      name: 'psycopg2',
      args: {
        host: database.hostname,
        port: Number(database.port),
        user: database.username,
        password: decodeURIComponent(database.password),
        dbname: database.pathname.slice(1),
        cp_min: 5,
        cp_max: 10,
      },
    },
    log_config: join(folder, 'log.json'),
    media_store_path: join(folder, 'media'),
    signing_key_path: join(folder, 'signing.key'),
    macaroon_secret_key: randomBytes(16).toString('hex'),
    form_secret: randomBytes(16).toString('hex'),
    report_stats: false,
    trusted_key_servers: [],
    federation_domain_whitelist: [],
    presence: { enabled: false },
    app_service_config_files: [join(folder, 'accounts.json')],
    rc_message: unlimited,
    rc_registration: unlimited,
    rc_login: { address: unlimited, account: unlimited, failed_attempts: unlimited },
    rc_joins: { local: unlimited, remote: unlimited },
    rc_joins_per_room: unlimited,
    rc_invites: { per_room: unlimited, per_user: unlimited, per_issuer: unlimited },
  }
}

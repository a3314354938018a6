/**
 * A server with endpoints of a test's own, in the process of the test: from bytes to a handler and back, without
 * Postgres and Redis. Its realm is a state in memory, and the test controls its barrier.
 */

import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { parseConfig } from '../../../src/config/config.js'
import { deriveApiKey } from '../../../src/domain/deployment/api-key.js'
import { composeInsert } from '../../../src/domain/log/row-changes.js'
import type { RealmRow, UserRow } from '../../../src/domain/log/rows.js'
import { RealmState } from '../../../src/domain/log/state.js'
import { composeNewRealmRow } from '../../../src/domain/realm/new-realm-row.js'
import { openCallPipeline } from '../../../src/gateway/call/call.js'
import type { Registry } from '../../../src/gateway/call/endpoint.js'
import type { FinishedCall } from '../../../src/gateway/call/running-call.js'
import type { App } from '../../../src/gateway/contract/app.js'
import type { Handshake, SocketHandlers, UpgradeDecision } from '../../../src/gateway/contract/transport.js'
import type { RateLimit } from '../../../src/gateway/fairness/rate-limit.js'
import type { SitePage } from '../../../src/gateway/pages/site-page.js'
import { type CallingSocket, openSocketCalls } from '../../../src/gateway/sockets/socket-call.js'
import { openDispatch } from '../../../src/gateway/transport/dispatch.js'
import { type Server, serve } from '../../../src/gateway/transport/uws.js'
import { LogCounts } from '../../../src/store/log/counts.js'
import type { Realm } from '../../../src/store/log/realm.js'
import type { WriteDependencies } from '../../../src/store/log/write-context.js'
import { testDeployment } from '../realm/deployment.js'
import { userRow } from '../realm/rows.js'

export const secret = randomBytes(32).toString('hex')

/** The part of a realm that the call pipeline uses. */
export interface TinyRealm {
  id: number
  state: RealmState
  structureSeq: number
  counts: LogCounts
  own: Realm['own']
  /** called when a call waits for the barrier, or catches up after StaleStateError */
  barrier(): Promise<void>
  catchUp(): Promise<void>
  withStructureLock<T>(work: () => Promise<T>): Promise<T>
}

/** A member with a name, whose email address and delivery address differ. */
export const namedUserRow = (id: number, name: string, row: Partial<UserRow> = {}): UserRow =>
  userRow(id, { email: `${name}@parley.test`, delivery_email: `${name}@home.test`, full_name: name, ...row })

/** The row of a new organization. */
export const realmRow = (id: number, string_id: string, row: Partial<RealmRow> = {}): RealmRow =>
  composeNewRealmRow({ id, string_id, name: string_id, ...row })

/** A realm in memory, without a database. */
export const tinyRealm = (
  id: number,
  string_id: string,
  users: readonly UserRow[],
  row: Partial<RealmRow> = {},
): TinyRealm => {
  const state = new RealmState(testDeployment(secret), realmRow(id, string_id, row), 0)
  for (const user of users) state.apply(composeInsert('users', user))
  return {
    id,
    state,
    structureSeq: 0,
    counts: new LogCounts(),
    own: (key, create) => state.own(key, create),
    barrier: async () => {},
    catchUp: async () => {},
    withStructureLock: (work) => work(),
  }
}

/** The Authorization header of an account of a tiny realm. */
export const credentials = (realm: TinyRealm, user: UserRow): string =>
  `Basic ${Buffer.from(`${user.email}:${deriveApiKey(secret, realm.id, user.id, user.key_version)}`).toString('base64')}`

export interface TinyServer {
  url: string
  port: number
  server: Server
  /** the finished calls, oldest first */
  finished: FinishedCall[]
}

export interface TinyOptions {
  realms: readonly TinyRealm[]
  pages?: readonly SitePage[]
  rateLimit?: RateLimit
  env?: Record<string, string>
  /** Decides a handshake at /events. Without it, valid credentials suffice. */
  upgrade?(handshake: Handshake): Promise<UpgradeDecision<{ handshake: Handshake }>>
}

/** Starts a server on a free port of 127.0.0.1. Realms are `<string_id>.parley.test`. */
export const tinyServer = async (registry: Registry, options: TinyOptions): Promise<TinyServer> => {
  const config = parseConfig({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    SECRET_KEY: secret,
    BASE_DOMAIN: 'parley.test',
    PORT: '0',
    OPERATIONS_PORT: '0',
    NODE_ENV: 'test',
    ...options.env,
  })
  const realms = {
    find: async (string_id: string) => options.realms.find((realm) => realm.state.realm.string_id === string_id),
    loaded: () => options.realms.values(),
  }
  const app = { config, log: pino({ level: 'silent' }), store: { realms } } as unknown as App
  const finished: FinishedCall[] = []
  const road = openCallPipeline(app, {} as WriteDependencies, {
    rateLimit: options.rateLimit ?? (() => undefined),
    heavyCalls: undefined,
    observe: (call) => void finished.push(call),
    onSessionUse() {},
    onKeyUse() {},
  })
  const dispatch = openDispatch(registry, options.pages ?? [], road)
  const calls = openSocketCalls(dispatch, road)
  const sockets: SocketHandlers<{ handshake: Handshake } & CallingSocket> = {
    path: '/events',
    async upgrade(handshake) {
      if (options.upgrade !== undefined) return options.upgrade(handshake)
      await road.identify(handshake)
      return { accept: { handshake } }
    },
    open: () => {},
    message: (socket, message, isBinary) =>
      calls.receive(socket, 'account', socket.getUserData().handshake, message, isBinary),
    drain: () => {},
    close: () => {},
  }
  const server = await serve(app, dispatch, sockets)
  return { url: `http://127.0.0.1:${server.port}`, port: server.port, server, finished }
}

/** Casts to the real class, for handlers that need it. */
export const asRealm = (realm: TinyRealm): Realm => realm as unknown as Realm

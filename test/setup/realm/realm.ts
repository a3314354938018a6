/**
 * A realm of a test's own, and calls to it. README.md in test/ describes how the parts of a test fit together.
 *
 * The gateways of the shared fleet serve the realm under its own host name. Accounts are created through the store,
 * because no account could create the first owner through the API.
 */
import http from 'node:http'
import { inject } from 'vitest'
import { deriveApiKey } from '../../../src/domain/deployment/api-key.js'
import { Role } from '../../../src/domain/log/rows.js'
import type { Method } from '../../../src/gateway/call/endpoint.js'
import { type Cell, openCell } from '../../../src/store/cell/cell.js'
import { openPools } from '../../../src/store/cell/pools.js'
import type { Realm } from '../../../src/store/log/realm.js'
import { WriteContext, type WriteDependencies } from '../../../src/store/log/write-context.js'
import { createRealm } from '../../../src/store/realm/create-realm.js'
import type { Sql } from '../../../src/store/sql.js'
import { createUsers, type NewUser } from '../../../src/store/users/users.js'
import { testDeployment } from './deployment.js'
import { type Account, basicAuthorization } from './event-reader.js'
import type { Success } from './operations.js'
import { openScopeOf } from './scope.js'
import { expectStoredRows } from './structural-rows.js'

export interface Person extends Account {
  user_id: number
  full_name: string
}

/** The answer to one call. */
export interface Answer<T = Record<string, unknown>> {
  status: number
  body: T
}

export interface TestRealm extends AsyncDisposable {
  realm_id: number
  host: string
  /** a replica of the realm in the process of the test; call `realm.barrier()` before reading its state */
  realm: Realm
  sql: Sql
  /** with which a test writes to the realm by itself */
  writing: WriteDependencies
  /** Creates accounts; members unless a role is given. */
  people(...users: (Partial<NewUser> & { full_name: string })[]): Promise<Person[]>
}

/** The URLs of the gateways of the shared fleet. */
export const gateways = (): string[] => inject('gateway_urls')

/** The URL of one gateway of the shared fleet, at random. */
export const anyGateway = (): string => {
  const urls = gateways()
  return urls[Math.floor(Math.random() * urls.length)] as string
}

/** Opens a cell in the process of the test: its realms are replicas, as in a gateway. */
const openReplicas = (database_url: string, redis_url: string): Cell => {
  const pools = openPools({ DATABASE_URL: database_url }, { connections: 4, structure_locks: 4 })
  return openCell(pools, {
    redis_url,
    scope: openScopeOf(pools.sql),
    deployment: testDeployment(inject('secret_key')),
    anti_entropy_ms: 1_000,
  })
}

/** The cell of the shared fleet, opened once: it stays open until the test process ends. */
let shared: Cell | undefined
/** Those of other fleets, which are still open. */
const own = new Set<Cell>()

const close = async (cell: Cell): Promise<void> => {
  if (own.delete(cell)) await cell.close()
}

/** Closes what a test file has left open. */
export const closeOwnReplicas = async (): Promise<void> => {
  await Promise.all([...own].map(close))
}

interface Services {
  database_url?: string
  redis_url?: string
}

const findReplicas = ({ database_url, redis_url }: Services): Cell => {
  const isShared = database_url === undefined && redis_url === undefined
  if (isShared && shared !== undefined) return shared
  const opened = openReplicas(database_url ?? inject('database_url'), redis_url ?? inject('redis_url'))
  if (isShared) shared = opened
  else own.add(opened)
  return opened
}

let count = 0

/** Creates a realm. @param services the Postgres and Redis of a fleet of the test's own (own-fleet.ts) */
export const newRealm = async (services: Services = {}): Promise<TestRealm> => {
  const cell = findReplicas(services)
  const { realms, writing } = cell
  const { sql } = writing
  const string_id = `t${process.pid}x${++count}x${Date.now().toString(36)}`
  const host = `${string_id}.${inject('base_domain')}`
  const realm_id = await createRealm(sql, { string_id, name: `Test ${string_id}` })
  const realm = (await realms.get(realm_id)) as Realm
  return {
    realm_id,
    host,
    realm,
    sql,
    writing,
    async people(...users) {
      await realm.barrier()
      const full = users.map((user) => ({
        email: `${user.full_name.toLowerCase().replace(/\W+/g, '.')}@example.com`,
        role: Role.member,
        ...user,
      }))
      // Under the lock, because the test may change the realm through gateways at the same time.
      const rows = await realm.withStructureLock(() => createUsers(WriteContext.open(writing, realm), host, full))
      return rows.map(({ id: user_id }, i) => ({
        user_id,
        host,
        full_name: full[i]?.full_name as string,
        email: full[i]?.email as string,
        api_key: deriveApiKey(inject('secret_key'), realm_id, user_id, 1),
      }))
    },
    async [Symbol.asyncDispose]() {
      try {
        await expectStoredRows(sql, realm)
      } finally {
        await close(cell)
      }
    },
  }
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

/**
 * Sends one call over HTTP, to a random gateway unless `options.url` names one.
 * Values other than text are sent as JSON.
 */
export const call = (
  account: Account | undefined,
  method: string,
  path: string,
  params: Record<string, unknown> = {},
  options: { url?: string; host?: string } = {},
): Promise<Answer> => {
  const url = options.url ?? anyGateway()
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const text = form.toString()
  const inQuery = method === 'GET'
  const headers: Record<string, string> = { Host: options.host ?? account?.host ?? '' }
  if (account !== undefined) headers.Authorization = basicAuthorization(account)
  if (!inQuery) {
    headers['Content-Type'] = 'application/x-www-form-urlencoded'
    // Node sets this header for some methods only, and not for DELETE.
    headers['Content-Length'] = String(Buffer.byteLength(text))
  }
  const target = `${url}/api/v1${path}${inQuery && text !== '' ? `?${text}` : ''}`
  return send(target, { method, agent, headers }, inQuery ? undefined : text)
}

const send = (target: string, options: http.RequestOptions, body: string | undefined): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = http.request(target, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => {
        try {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) })
        } catch {
          reject(new Error(`${options.method} ${target.slice(0, 200)}: ${response.statusCode} ${text.slice(0, 200)}`))
        }
      })
    })
    request.on('error', (error) => {
      // The gateway closes idle connections, and may do so while this request is sent. Then it has read nothing of it.
      if (request.reusedSocket) send(target, options, body).then(resolve, reject)
      else reject(error)
    })
    request.end(body)
  })

/**
 * A call that must succeed. The type of the answer is derived from the endpoint's declaration (operations.ts). The
 * gateways hold every answer against that declaration, because they run with NODE_ENV=test (gateway/call/handle.ts).
 * A test gives the type itself if the path is not literal, or if it reads computed keys.
 */
export function ok<M extends Method, P extends string>(
  account: Account | undefined,
  method: M,
  path: P,
  params?: Record<string, unknown>,
  options?: { url?: string; host?: string },
): Promise<Success<M, P>>
export function ok<T>(...given: Parameters<typeof call>): Promise<T>
export async function ok(...given: Parameters<typeof call>): Promise<unknown> {
  const { status, body } = await call(...given)
  if (status !== 200 || body.result !== 'success') throw new Error(`${given[1]} ${given[2]}: ${JSON.stringify(body)}`)
  return body
}

/** What holds for every endpoint, because it follows from the declaration. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { registry } from '../../src/gateway/api/index.js'
import type { Endpoint } from '../../src/gateway/http/endpoint.js'
import { type Client, httpClient, Refusal, socketClient } from '../setup/client.js'
import { call, newRealm, type Person, type TestRealm } from '../setup/realm.js'

const endpoints = Object.entries(registry as Record<string, Endpoint>).map(([name, endpoint]) => ({ name, endpoint }))
const isGiven = ({ wire }: { wire: string }) => wire === 'path' || wire === 'rest'

/** A path of the endpoint that leads somewhere, whether anything is there or not. */
const somewhere = ({ paths, list }: Endpoint): string =>
  paths[0].replace(/\{(\w+)\}/g, (_, name) =>
    list.find(([key]) => key === name)?.[1].schema.type === 'number' ? '1' : 'x',
  )

const reads = endpoints.filter(
  ({ endpoint }) =>
    endpoint.method === 'GET' &&
    !endpoint.streams &&
    // Outside the API there are no calls over a socket.
    endpoint.site !== true &&
    endpoint.list.every(([, param]) => !param.required),
)

describe('a read that needs no parameters', () => {
  let realm: TestRealm
  let http: Client
  let socket: Client
  beforeAll(async () => {
    realm = await newRealm()
    const [ada] = await realm.people({ full_name: 'Ada', role: Role.owner }, { full_name: 'Grace', role: Role.guest })
    http = httpClient(ada)
    socket = await socketClient(ada as Person)
  })
  afterAll(async () => {
    await socket[Symbol.asyncDispose]()
    await realm[Symbol.asyncDispose]()
  })

  test.each(reads)('answers alike over both transports, exactly as declared: $name', async ({ name }) => {
    // A refusal must be the same, too: some reads are off by default.
    const outcome = async (client: Client) => {
      try {
        return await (client[name as keyof Client] as () => Promise<unknown>)()
      } catch (error) {
        if (error instanceof Refusal) return error.body
        throw error
      }
    }
    // The time of the answer is each answer's own.
    const timeless = (body: unknown) => ({ ...(body as object), server_timestamp: undefined })
    expect(timeless(await outcome(http))).toEqual(timeless(await outcome(socket)))
  })
})

/** Endpoints of the site, outside the API, answer browsers in their own way; their own tests hold them. */
const closed = endpoints.filter(({ endpoint }) => endpoint.who !== 'anyone' && endpoint.site !== true)

test('no endpoint but those for anyone is open to callers without credentials, or on a host of nobody', async () => {
  await using realm = await newRealm()
  for (const { name, endpoint } of closed) {
    const path = somewhere(endpoint)
    const stranger = await call(undefined, endpoint.method, path, {}, { host: realm.host })
    expect([stranger.status, stranger.body.code], name).toEqual([401, 'UNAUTHORIZED'])
    const lost = await call(undefined, endpoint.method, path, {}, { host: 'nobody.parley.test' })
    expect([lost.status, lost.body.code], name).toEqual([404, 'NONEXISTENT_SUBDOMAIN'])
  }
})

/** Values of every JSON type, and texts that mean something elsewhere. */
const oddities = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  'x',
  'null',
  '[]',
  '{}',
  '\u{1F469}'.repeat(20_000),
  '\0',
  '\ud800',
  "'; drop table users; --",
  [],
  [null],
  [[]],
  [{}],
  ['x'],
  [1],
  [-1, 2 ** 31, 2 ** 53],
  {},
  { __proto__x: 1 },
  { operator: 'x', operand: {} },
  '['.repeat(20_000) + ']'.repeat(20_000),
  { new: 1, old: 2 },
]

describe.concurrent('an endpoint', () => {
  test.each(endpoints.filter(({ endpoint }) => !endpoint.streams))(
    'never fails on odd values, however sent: $name',
    async ({ name, endpoint }) => {
      await using realm = await newRealm()
      const [owner] = await realm.people({ full_name: 'Owner', role: Role.owner }, { full_name: 'Ada' })
      if (owner === undefined) return
      const path = somewhere(endpoint)
      const fields = endpoint.list.filter(([, param]) => !isGiven(param)).map(([key]) => key)
      const tries: Record<string, unknown>[] = [
        {},
        ...oddities.map((value) => Object.fromEntries(fields.map((key) => [key, value]))),
      ]
      // One odd value among plausible ones gets further than many.
      const plausible = Object.fromEntries(
        endpoint.list.filter(([, p]) => !isGiven(p)).map(([key, p]) => [key, plain(p.schema.type)]),
      )
      for (const key of fields) for (const value of oddities) tries.push({ ...plausible, [key]: value })
      const attempt = async (given: Record<string, unknown>) => {
        // In a body even for GET: some of these are longer than any path may be.
        const { status, body } = await call(owner, 'POST', path, { ...given, method: endpoint.method })
        expect(status, `${name} with ${JSON.stringify(given).slice(0, 500)}: ${JSON.stringify(body)}`).toBeLessThan(500)
      }
      const left = tries.values()
      const worker = async () => {
        for (const given of left) await attempt(given)
      }
      await Promise.all(Array.from({ length: 16 }, worker))
    },
    60_000,
  )
})

const plain = (type: string): unknown =>
  ({ number: 1, string: 'x', boolean: false, array: [1], object: {} })[type] ?? 'x'

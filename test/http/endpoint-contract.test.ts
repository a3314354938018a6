/** Rules that hold for every endpoint, derived from its declaration. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { errors } from '../../src/domain/protocol/errors.js'
import { registry } from '../../src/gateway/api/index.js'
import type { Endpoint } from '../../src/gateway/call/endpoint.js'
import { type Answer, call, newRealm, type Person, type TestRealm } from '../setup/realm/realm.js'
import { openSocket, type TestSocket } from '../setup/requests/socket.js'

const endpoints = Object.entries(registry as Record<string, Endpoint>).map(([name, endpoint]) => ({ name, endpoint }))
const isGiven = ({ wire }: { wire: string }) => wire === 'path' || wire === 'rest'

/** A path of the endpoint with values for its placeholders, which need not name existing things. */
const samplePath = ({ paths, list }: Endpoint): string =>
  paths[0].replace(/\{(\w+)\}/g, (_, name) =>
    list.find(([key]) => key === name)?.[1].schema.type === 'number' ? '1' : 'x',
  )

const reads = endpoints.filter(
  ({ endpoint }) =>
    endpoint.method === 'GET' &&
    !endpoint.streams &&
    // Endpoints outside the API cannot be called over a socket.
    endpoint.site !== true &&
    endpoint.list.every(([, param]) => !param.required),
)

describe('Reads without required parameters', () => {
  let realm: TestRealm
  let ada: Person
  let socket: TestSocket
  beforeAll(async () => {
    realm = await newRealm()
    const people = await realm.people({ full_name: 'Ada', role: Role.owner }, { full_name: 'Grace', role: Role.guest })
    ada = people[0] as Person
    socket = await openSocket(ada)
  })
  afterAll(async () => {
    await socket[Symbol.asyncDispose]()
    await realm[Symbol.asyncDispose]()
  })

  // The gateways of the tests check every answer against the declared response (gateway/call/handle.ts).
  test.each(reads)(
    'A read answers the same over HTTP and over a socket, and as declared: $name',
    async ({ endpoint }) => {
      const path = endpoint.paths[0]
      // Each answer has its own server_timestamp.
      const timeless = ({ status, body }: Answer) => ({ status, body: { ...body, server_timestamp: undefined } })
      // A refusal must also be the same: some reads are off by default.
      const overHttp = await call(ada, 'GET', path)
      expect(timeless(overHttp)).toEqual(timeless(await socket.call('GET', path)))
      expect(overHttp.status).toBeLessThan(500)
    },
  )
})

/** Endpoints of the site, outside the API, answer browsers in their own format and have their own tests. */
const restrictedEndpoints = endpoints.filter(({ endpoint }) => endpoint.callers !== 'anyone' && endpoint.site !== true)

test('Only endpoints for anyone answer callers without credentials and unknown hosts.', async () => {
  await using realm = await newRealm()
  for (const { name, endpoint } of restrictedEndpoints) {
    const path = samplePath(endpoint)
    const stranger = await call(undefined, endpoint.method, path, {}, { host: realm.host })
    expect([stranger.status, stranger.body.code], name).toEqual([401, 'UNAUTHORIZED'])
    const lost = await call(undefined, endpoint.method, path, {}, { host: 'nobody.parley.test' })
    expect([lost.status, lost.body.code], name).toEqual([404, 'NONEXISTENT_SUBDOMAIN'])
  }
})

/** Values of every JSON type, and texts with a meaning in other languages. */
const oddValues = [
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

describe.concurrent('Odd parameter values', () => {
  test.each(endpoints.filter(({ endpoint }) => !endpoint.streams))(
    'The endpoint never answers with a server error to odd values: $name',
    async ({ name, endpoint }) => {
      await using realm = await newRealm()
      const [owner] = await realm.people({ full_name: 'Owner', role: Role.owner }, { full_name: 'Ada' })
      if (owner === undefined) return
      const path = samplePath(endpoint)
      const fields = endpoint.list.filter(([, param]) => !isGiven(param)).map(([key]) => key)
      const tries: Record<string, unknown>[] = [
        {},
        ...oddValues.map((value) => Object.fromEntries(fields.map((key) => [key, value]))),
      ]
      // One odd value among plausible values reaches more code than several odd values.
      const plausible = Object.fromEntries(
        endpoint.list.filter(([, p]) => !isGiven(p)).map(([key, p]) => [key, plausibleValue(p.schema.type)]),
      )
      for (const key of fields) for (const value of oddValues) tries.push({ ...plausible, [key]: value })
      const attempt = async (given: Record<string, unknown>) => {
        // Sent in a body even for GET, because some values are longer than any URL may be.
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

const plausibleValue = (type: string): unknown =>
  ({ number: 1, string: 'x', boolean: false, array: [1], object: {} })[type] ?? 'x'

/** An id of 20 digits for each placeholder that is an id. */
const endlessPath = ({ paths, list }: Endpoint): string =>
  paths[0].replace(/\{(\w+)\}/g, (_, name) =>
    list.find(([key]) => key === name)?.[1].schema.type === 'number' ? '99999999999999999999' : 'x',
  )

test('BAD_REQUEST has the status 400 and no other, also for ids of 20 digits in a path.', async () => {
  const kinds = Object.values(errors).filter(({ code }) => code === 'BAD_REQUEST')
  expect(kinds.filter(({ status }) => status !== 400)).toEqual([])
  await using realm = await newRealm()
  const [owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
  const withIds = endpoints.filter(
    ({ endpoint }) =>
      endpoint.site !== true &&
      endpoint.list.some(([, { wire, schema }]) => isGiven({ wire }) && schema.type === 'number'),
  )
  expect(withIds.length).toBeGreaterThan(30)
  const draft = { type: '', to: [], topic: '', content: 'x' }
  const params = { op: 'add', draft, title: 'x', content: 'x', name: 'x', topic: 'x', value: true, emoji_name: 'tada' }
  const answers = await Promise.all(
    withIds.map(async ({ name, endpoint }) => {
      const { status, body } = await call(owner, endpoint.method, endlessPath(endpoint), params)
      return { name, status, code: body.code as string | undefined }
    }),
  )
  // A file that does not exist is a path that does not exist.
  const isExpected = ({ status, code }: (typeof answers)[number]) =>
    status === 200 || (status === 400 && code !== undefined) || (status === 404 && code === 'NOT_FOUND')
  expect(answers.filter((answer) => !isExpected(answer))).toEqual([])
})

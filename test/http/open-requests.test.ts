/** The bound of requests and sockets that one network address has open at the same time. */
import { once } from 'node:events'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { errors } from '../../src/domain/protocol/errors.js'
import { endpoint, streamed, streaming } from '../../src/gateway/call/endpoint.js'
import { str } from '../../src/gateway/call/params.js'
import { type OpenRequest, openRequestCounter } from '../../src/gateway/fairness/open-requests.js'
import { credentials, namedUserRow, type TinyServer, tinyRealm, tinyServer } from '../setup/processes/tiny-server.js'
import { openRawConnection, type RawConnection } from '../setup/requests/raw-request.js'

const LIMIT = 6
const ada = namedUserRow(1, 'ada')
const realm = tinyRealm(1, 'acme', [ada])
const host = 'acme.parley.test'
/** Requests that the server has not answered yet. */
const held: (() => void)[] = []

const registry = {
  hold: endpoint({
    method: 'GET',
    path: '/hold',
    summary: 'Is answered when the test wants.',
    callers: 'anyone',
    params: {},
    response: z.object({}),
    handle: () => new Promise<Record<string, never>>((resolve) => held.push(() => resolve({}))),
  }),
  stream: streamed({
    method: 'GET',
    path: '/stream',
    summary: 'Never ends.',
    callers: 'anyone',
    params: {},
    response: z.object({}),
    handle(_, exchange) {
      exchange.startStream({ 'Content-Type': 'text/plain' })
      exchange.write('begun')
      return streaming
    },
  }),
  form: endpoint({
    method: 'POST',
    path: '/form',
    summary: 'Takes a form.',
    callers: 'anyone',
    params: { text: str() },
    response: z.object({}),
    handle: () => ({}),
  }),
}

let server: TinyServer
beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1', MAX_OPEN_REQUESTS_PER_ADDRESS: String(LIMIT) }
  server = await tinyServer(registry, { realms: [realm], env })
})

let open: { end(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const answer of held.splice(0)) answer()
  await Promise.all(open.map((one) => one.end()))
  open = []
  await expect.poll(() => server.server.openRequests()).toBe(0)
})

/** A raw connection, as a trusted proxy opens it for a client with this address. */
const connect = async (text: (address: string) => string, address: string): Promise<RawConnection> => {
  const connection = await openRawConnection(server.port)
  open.push({
    async end() {
      await connection[Symbol.asyncDispose]()
      await connection.closed
    },
  })
  connection.write(text(address))
  return connection
}

const head = (method: string, path: string, address: string, ...more: string[]) =>
  [`${method} /api/v1${path} HTTP/1.1`, `Host: ${host}`, `X-Forwarded-For: ${address}`, ...more, '', ''].join('\r\n')

/** What an attacker can hold open. */
const kinds: Record<string, (address: string) => string> = {
  'unanswered requests': (address) => head('GET', '/hold', address),
  streams: (address) => head('GET', '/stream', address),
  'uploads that stop': (address) =>
    `${head('POST', '/form', address, 'Content-Length: 1000', 'Content-Type: application/x-www-form-urlencoded')}text=`,
  'refused uploads that go on': (address) => `${head('POST', '/nowhere', address, 'Content-Length: 100000')}text=`,
}

const isOpen = (count: number) => expect.poll(() => server.server.openRequests()).toBe(count)

/** Whether a request from the address is answered with the refusal. */
const isRefused = async (
  address: string,
  text = kinds['refused uploads that go on'] as (address: string) => string,
) => {
  const answer = await (await connect(text, address)).readHead()
  if (answer.status !== 429) return false
  expect(answer.headers['retry-after']).toBe('10')
  return true
}

describe('Open requests', () => {
  test.each(Object.entries(kinds))(
    'One address cannot hold more %s than allowed, and other addresses are served.',
    async (_, text) => {
      const first = await connect(text, '203.0.113.7')
      for (let n = 1; n < LIMIT; n++) await connect(text, '203.0.113.7')
      await isOpen(LIMIT)
      for (const kind of Object.values(kinds)) expect(await isRefused('203.0.113.7', kind)).toBe(true)
      await isOpen(LIMIT)
      expect(await isRefused('203.0.113.8')).toBe(false)
      await isOpen(LIMIT + 1)
      await first[Symbol.asyncDispose]()
      await isOpen(LIMIT)
      expect(await isRefused('203.0.113.7')).toBe(false)
    },
  )

  test('Requests that were answered make room, also on the same connection.', async () => {
    const connection = await connect(kinds['unanswered requests'] as (address: string) => string, '203.0.113.7')
    for (let n = 0; n < 3 * LIMIT; n++) {
      await expect.poll(() => held.length).toBe(1)
      held.pop()?.()
      const { status, headers } = await connection.readHead()
      expect(status).toBe(200)
      await connection.readBytes(Number(headers['content-length']))
      connection.write(head('GET', '/hold', '203.0.113.7'))
    }
  })

  test('Addresses of one IPv6 network are counted together.', async () => {
    for (let n = 0; n < LIMIT; n++) await connect(kinds.streams as (address: string) => string, `2001:db8::${n + 1}`)
    await isOpen(LIMIT)
    expect(await isRefused('2001:db8::ffff')).toBe(true)
    expect(await isRefused('2001:db8:0:1::1')).toBe(false)
  })

  test('Sockets count as long as they are open, and a handshake beyond the limit is refused with 429.', async () => {
    const openSocket = (address: string) => {
      const headers = { Host: host, Authorization: credentials(realm, ada), 'X-Forwarded-For': address }
      return new WebSocket(`ws://127.0.0.1:${server.port}/api/v1/events`, { headers })
    }
    const sockets = Array.from({ length: LIMIT }, () => openSocket('203.0.113.7'))
    await Promise.all(sockets.map((socket) => once(socket, 'open')))
    await isOpen(LIMIT)
    const excess = openSocket('203.0.113.7')
    const [, answer] = await once(excess, 'unexpected-response')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '10'])
    expect(await isRefused('203.0.113.7')).toBe(true)
    const elsewhere = openSocket('203.0.113.8')
    await once(elsewhere, 'open')
    sockets[0]?.terminate()
    await isOpen(LIMIT)
    const again = openSocket('203.0.113.7')
    await once(again, 'open')
    for (const socket of [...sockets, elsewhere, again]) socket.terminate()
    await isOpen(0)
  })

  test('The refusal names what to do.', async () => {
    for (let n = 0; n < LIMIT; n++) await connect(kinds.streams as (address: string) => string, '203.0.113.7')
    await isOpen(LIMIT)
    const refused = await connect(kinds['unanswered requests'] as (address: string) => string, '203.0.113.7')
    const { headers } = await refused.readHead()
    const body = JSON.parse(await refused.readBytes(Number(headers['content-length'])))
    expect(body).toEqual({ result: 'error', ...errors.tooManyOpenRequests({ 'retry-after': 10 }).body })
  })

  test('Clients on the same machine are not bounded, because they are a proxy that is not trusted.', async () => {
    for (let n = 0; n < 3 * LIMIT; n++) expect(await isRefused('127.0.0.1', kinds.streams)).toBe(false)
  })
})

describe('The counter', () => {
  const request = (address: string, onRead = () => {}): OpenRequest => ({
    get remoteAddress() {
      onRead()
      return address
    },
  })

  test('No network exceeds the limit, whatever begins and ends in which order.', () => {
    const limit = 12
    const counter = openRequestCounter(limit)
    const addresses = Array.from({ length: 30 }, (_, n) => `203.0.113.${n}`)
    const openByAddress = new Map(addresses.map((address) => [address, new Set<OpenRequest>()]))
    let seed = 1
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    let size = 0
    for (let step = 0; step < 20_000; step++) {
      // The first addresses begin most requests.
      const address = addresses[Math.min(random(30), random(30))] as string
      const mine = openByAddress.get(address) as Set<OpenRequest>
      if (random(100) < 60) {
        const next = request(address)
        const isCounted = counter.begin(next)
        if (isCounted !== mine.size < limit) throw new Error(`${mine.size} requests are open, and ${isCounted}`)
        if (isCounted) mine.add(next)
        size += isCounted ? 1 : 0
      } else {
        const [oldest] = mine
        if (oldest === undefined) continue
        mine.delete(oldest)
        counter.end(oldest)
        counter.end(oldest)
        size -= 1
      }
    }
    expect(counter.size).toBe(size)
  })

  test('The address of a request that ends soon is not read, however many other requests are open.', () => {
    const counter = openRequestCounter(1_000)
    for (let n = 0; n < 20_000; n++) counter.begin(request(`203.0.${n >> 8}.${n & 255}`))
    let reads = 0
    for (let n = 0; n < 100_000; n++) {
      const short = request('198.51.100.1', () => (reads += 1))
      counter.begin(short)
      counter.end(short)
    }
    expect(reads).toBeLessThanOrEqual(1)
  })
})

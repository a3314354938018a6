/**
 * Attacks with request bodies on raw connections: callers without credentials, slow callers and callers who send too
 * much take no memory from members, and read why they were refused.
 */
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errors } from '../../src/domain/protocol/errors.js'
import { openBodyMemory } from '../../src/gateway/body/body-memory.js'
import { openBodyPace } from '../../src/gateway/body/body-pace.js'
import { isTooSlow, SMALL_BODY_BYTES } from '../../src/gateway/body/request-body.js'
import { endpoint } from '../../src/gateway/call/endpoint.js'
import { str } from '../../src/gateway/call/params.js'
import { credentials, namedUserRow, type TinyServer, tinyRealm, tinyServer } from '../setup/processes/tiny-server.js'
import { openRawConnection, type RawConnection, sendRequest } from '../setup/requests/raw-request.js'

const MiB = 1024 * 1024
const ada = namedUserRow(1, 'ada')
const grace = namedUserRow(2, 'grace')
const hopper = namedUserRow(4, 'hopper')
const guest = namedUserRow(3, 'guest', { role: 600 })
const realm = tinyRealm(1, 'acme', [ada, grace, guest, hopper])
const host = 'acme.parley.test'

const LIMIT = 100 * MiB
const formHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' }

const registry = {
  upload: endpoint({
    method: 'POST',
    path: '/upload',
    summary: 'Takes a file.',
    callers: 'nonGuest',
    params: {},
    response: z.object({ bytes: z.int() }),
    rateLimit: 'uploads',
    body: { limit: LIMIT, refusal: () => errors.bodyTooLarge({ limit: LIMIT }), isRaw: true },
    handle: ({ request }) => ({ bytes: request.raw?.reduce((sum, chunk) => sum + chunk.length, 0) ?? 0 }),
  }),
  import: endpoint({
    method: 'POST',
    path: '/import',
    summary: 'Takes a large form.',
    callers: 'account',
    params: {},
    response: z.object({}),
    body: { limit: LIMIT, refusal: () => errors.bodyTooLarge({ limit: LIMIT }) },
    handle: () => ({}),
  }),
  form: endpoint({
    method: 'POST',
    path: '/form',
    summary: 'Takes a form of a known caller.',
    callers: 'account',
    params: { text: str() },
    response: z.object({ characters: z.int() }),
    handle: ({ params }) => ({ characters: params.text.length }),
  }),
  logIn: endpoint({
    method: 'POST',
    path: '/log_in',
    summary: 'Takes a form of any caller.',
    callers: 'anyone',
    params: { text: str() },
    response: z.object({ characters: z.int() }),
    handle: ({ params }) => ({ characters: params.text.length }),
  }),
}

const rateCalls: (number | undefined)[] = []
let isRateLimited = false

let server: TinyServer
beforeAll(async () => {
  const rateLimit = ({ user_id }: { user_id: number | undefined }) => {
    rateCalls.push(user_id)
    return { limit: 1, remaining: 0, reset: 0, ...(isRateLimited ? { retry_after: 30 } : {}) }
  }
  server = await tinyServer(registry, { realms: [realm], rateLimit })
})

const post = (path: string, headers: Record<string, string | number>) =>
  [`POST /api/v1${path} HTTP/1.1`, `Host: ${host}`, ...Object.entries(headers).map((each) => each.join(': '))]
    .join('\r\n')
    .concat('\r\n\r\n')

const authorization = (user = ada) => ({ Authorization: credentials(realm, user) })
const wrongKey = { Authorization: `Basic ${btoa(`ada@parley.test:${'x'.repeat(32)}`)}` }

const readAnswer = async (connection: RawConnection) => {
  const { status, headers } = await connection.readHead()
  const body = JSON.parse(await connection.readBytes(Number(headers['content-length']))) as Record<string, unknown>
  return { status, headers, body }
}

/** The memory is free again when every body was used or refused. */
const expectNoMemory = () => expect.poll(() => server.server.bodyBytes()).toBe(0)

const ATTACKS = [
  ['without credentials', '/upload', {}, 401, 'Log in first'],
  ['with a wrong key', '/upload', wrongKey, 401, 'This API key does not belong to this'],
  ['of a caller who may not call', '/upload', authorization(guest), 400, 'Guests may not do this.'],
  ['to an endpoint without credentials', '/log_in', {}, 413, 'The request body is too large'],
  ['to an unknown path', '/nothing', {}, 404, 'There is no /api/v1/nothing here.'],
] as const

describe('A large body', () => {
  test.each(ATTACKS)(
    'A large body %s is refused before it was sent, and the answer arrives although the client goes on sending.',
    async (_, path, credentials, status, msg) => {
      await using connection = await openRawConnection(server.port)
      connection.write(post(path, { ...credentials, 'Content-Length': 20 * MiB }))
      const answer = await readAnswer(connection)
      expect([answer.status, answer.headers.connection]).toEqual([status, 'close'])
      expect(answer.body.msg).toContain(msg)
      expect(server.server.bodyBytes()).toBe(0)
      for (let sent = 0; sent < 20; sent++) connection.write(randomBytes(MiB))
      expect(await connection.closed).toBe('end')
    },
  )

  test('21 connections without credentials hold no memory, and a member can still upload.', async () => {
    const connections = await Promise.all(Array.from({ length: 21 }, () => openRawConnection(server.port)))
    for (const connection of connections) {
      connection.write(post('/upload', { 'Content-Length': 25 * MiB }))
      connection.write(randomBytes(4 * MiB))
    }
    const answers = await Promise.all(connections.map(readAnswer))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(server.server.bodyBytes()).toBe(0)
    const { status, json } = await sendRequest(server.port, {
      method: 'POST',
      path: '/api/v1/upload',
      host,
      authorization: credentials(realm, ada),
      body: randomBytes(25 * MiB),
    })
    expect([status, json.bytes]).toEqual([200, 25 * MiB])
    await Promise.all(connections.map((connection) => connection[Symbol.asyncDispose]()))
    await expectNoMemory()
  })

  test('A compressed body is refused by its Content-Encoding, and one that names no coding is read.', async () => {
    const send = (coding: string | string[], body: Buffer) =>
      sendRequest(server.port, {
        method: 'POST',
        path: '/api/v1/form',
        headers: {
          Host: host,
          ...authorization(ada),
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Encoding': coding,
        },
        body,
      })
    const refused = ['gzip', 'GZIP', 'deflate', 'br', 'x-gzip', 'identity, gzip', 'deflate, gzip', 'gzip;q=1']
    for (const coding of [...refused, ['identity', 'gzip'], ['gzip', 'identity']]) {
      const { status, json, headers } = await send(coding, gzipSync('text=hello'))
      expect([coding, status, json.msg]).toEqual([coding, 415, expect.stringContaining('without Content-Encoding')])
      expect(headers['accept-encoding']).toBe('identity')
    }
    for (const coding of ['identity', 'Identity', '', ['identity', 'identity']]) {
      const { status, json } = await send(coding, Buffer.from('text=hello'))
      expect([coding, status, json.characters]).toEqual([coding, 200, 5])
    }
  })

  test('A call after a large body on the same connection is answered, although its rest arrives in a pause.', async () => {
    await using connection = await openRawConnection(server.port)
    const send = (path: string, headers: Record<string, string>, body: string) => {
      connection.write(post(path, { ...authorization(), ...headers, 'Content-Length': body.length }) + body)
      return readAnswer(connection)
    }
    // A large window of the connection: the gateway finds the whole of the next body, and reads it in two pieces. It
    // pauses at the first one, and the second arrives all the same.
    expect((await send('/upload', {}, 'x'.repeat(16 * MiB))).status).toBe(200)
    for (let i = 0; i < 10; i++) {
      expect((await send('/form', formHeaders, `text=${'x'.repeat(900_000)}`)).body.characters).toBe(900_000)
      expect((await send('/form', formHeaders, 'text=y')).body.characters).toBe(1)
    }
  })

  test('An endpoint that needs no credentials takes small bodies only.', async () => {
    await using connection = await openRawConnection(server.port)
    connection.write(post('/log_in', { ...authorization(), 'Content-Length': SMALL_BODY_BYTES + 1 }))
    const { status, body } = await readAnswer(connection)
    expect([status, body.msg]).toEqual([413, 'Without credentials, a request body may have at most 65536 bytes.'])
  })

  test('A chunked body without credentials is refused when it is no longer small.', async () => {
    await using connection = await openRawConnection(server.port)
    connection.write(post('/upload', { 'Transfer-Encoding': 'chunked' }))
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`
    connection.write(chunk)
    connection.write(chunk)
    connection.write(chunk)
    expect((await readAnswer(connection)).status).toBe(401)
    connection.write('0\r\n\r\n')
    expect(await connection.closed).toBe('end')
  })

  test('A body above the limit of its endpoint is refused by its Content-Length.', async () => {
    await using connection = await openRawConnection(server.port)
    connection.write(post('/upload', { ...authorization(), 'Content-Length': LIMIT + 1 }))
    const { status, body } = await readAnswer(connection)
    expect([status, body.msg]).toEqual([413, `The request body is too large (limit: ${LIMIT} bytes).`])
  })

  test('A member who exceeds the rate limit is refused before the body was sent.', async () => {
    isRateLimited = true
    await using connection = await openRawConnection(server.port)
    connection.write(post('/upload', { ...authorization(), 'Content-Length': 20 * MiB }))
    const { status, headers } = await readAnswer(connection)
    isRateLimited = false
    expect([status, headers['retry-after']]).toEqual([429, '30'])
  })

  test('A member uploads in many small pieces, and the call is counted once.', async () => {
    rateCalls.length = 0
    await using connection = await openRawConnection(server.port)
    connection.write(post('/upload', { ...authorization(), 'Content-Length': 40 * 5_000 }))
    for (let i = 0; i < 40; i++) {
      connection.write(randomBytes(5_000))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { status, headers, body } = await readAnswer(connection)
    expect([status, headers.connection, body.bytes]).toEqual([200, undefined, 200_000])
    expect(rateCalls).toEqual([1])
    await expectNoMemory()
  })

  test('A member is asked to send the body after Expect: 100-continue, and is answered on the same connection.', async () => {
    await using connection = await openRawConnection(server.port)
    const head = post('/upload', { ...authorization(), 'Content-Length': 200_000, Expect: '100-continue' })
    for (let i = 0; i < 2; i++) {
      connection.write(head)
      expect((await connection.readHead()).status).toBe(100)
      connection.write(randomBytes(200_000))
      expect((await readAnswer(connection)).body.bytes).toBe(200_000)
    }
  })

  test('A client that disconnects in the middle frees the memory of its body.', async () => {
    const connection = await openRawConnection(server.port)
    connection.write(post('/form', { ...authorization(), 'Content-Length': MiB }))
    connection.write(Buffer.alloc(MiB / 2, 'x'))
    await expect.poll(() => server.server.bodyBytes()).toBeGreaterThan(0)
    await connection[Symbol.asyncDispose]()
    await expectNoMemory()
  })
})

describe('A small body', () => {
  test('A small body needs no credentials, in one piece or in several, and the connection stays open.', async () => {
    await using connection = await openRawConnection(server.port)
    const text = 'x'.repeat(50_000)
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': text.length + 5 }
    connection.write(`${post('/log_in', type)}text=${text}`)
    expect((await readAnswer(connection)).body.characters).toBe(50_000)
    connection.write(post('/log_in', type))
    await new Promise((resolve) => setImmediate(resolve))
    connection.write('text=')
    await new Promise((resolve) => setImmediate(resolve))
    connection.write(text)
    expect((await readAnswer(connection)).body.characters).toBe(50_000)
    await expectNoMemory()
  })

  test('A refused small body leaves the connection open.', async () => {
    await using connection = await openRawConnection(server.port)
    for (const path of ['/nothing', '/form']) {
      connection.write(`${post(path, { 'Content-Length': 6 })}text=x`)
      const { status, headers } = await readAnswer(connection)
      expect([status, headers.connection]).toEqual([path === '/form' ? 401 : 404, undefined])
    }
  })
})

test('One account cannot hold more than its share, and other accounts upload meanwhile.', async () => {
  const hold = async (user: typeof ada, bytes: number) => {
    const connection = await openRawConnection(server.port)
    connection.write(post('/upload', { ...authorization(user), 'Content-Length': bytes + 1 }))
    for (let sent = 0; sent < bytes; sent += MiB) connection.write(Buffer.alloc(MiB))
    return connection
  }
  await using first = await hold(ada, 90 * MiB)
  await expect.poll(() => server.server.bodyBytes()).toBe(90 * MiB)
  await using second = await openRawConnection(server.port)
  second.write(post('/import', { ...authorization(), 'Content-Length': 50 * MiB }))
  for (let sent = 0; sent < 50; sent++) second.write(Buffer.alloc(MiB))
  const refused = await readAnswer(second)
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'RATE_LIMIT_HIT', '10'])
  expect(await second.closed).toBe('end')
  await using third = await hold(grace, MiB)
  third.write('x')
  expect((await readAnswer(third)).body.bytes).toBe(MiB + 1)
  first.write('x')
  expect((await readAnswer(first)).body.bytes).toBe(90 * MiB + 1)
  await expectNoMemory()
})

describe('The pace of an account', () => {
  test('An account that sent more than its burst pauses until its pace has caught up; another account does not.', () => {
    const pace = openBodyPace()
    expect(pace.take('ada', 8 * MiB, 1_000)).toBe(0)
    expect(pace.take('ada', 16 * MiB, 1_000)).toBe(1_000)
    expect(pace.take('grace', 8 * MiB, 1_000)).toBe(0)
    expect(pace.take('ada', 0, 2_000)).toBe(0)
    pace.sweep(2_500)
    expect(pace.take('ada', 8 * MiB, 2_500)).toBe(0)
  })

  test('A body that is sent faster than the pace arrives whole, and not before its time.', async () => {
    const began = performance.now()
    await using connection = await openRawConnection(server.port)
    connection.write(post('/upload', { ...authorization(hopper), 'Content-Length': 24 * MiB }))
    for (let sent = 0; sent < 24; sent++) connection.write(Buffer.alloc(MiB))
    expect((await readAnswer(connection)).body.bytes).toBe(24 * MiB)
    expect(performance.now() - began).toBeGreaterThan(900)
    await expectNoMemory()
  })
})

test('A body that stops arriving is refused with 408.', { timeout: 40_000 }, async () => {
  await using small = await openRawConnection(server.port)
  await using large = await openRawConnection(server.port)
  small.write(`${post('/log_in', { 'Content-Length': 1_000 })}text=x`)
  large.write(`${post('/form', { ...authorization(), 'Content-Length': 500_000 })}text=x`)
  for (const connection of [small, large]) {
    const { status, body } = await readAnswer(connection)
    expect([status, body.msg]).toEqual([
      408,
      'The request body arrived too slowly: try again over a faster connection.',
    ])
  }
})

test('A body is too slow if nothing arrives for ten seconds, or less than 4 KB a second after the first twenty.', () => {
  expect(isTooSlow(0, 9_000, 9_000)).toBe(false)
  expect(isTooSlow(1_000_000, 11_000, 10_001)).toBe(true)
  expect(isTooSlow(1, 20_000, 1)).toBe(false)
  expect(isTooSlow(39_999, 30_000, 1)).toBe(true)
  expect(isTooSlow(40_000, 30_000, 1)).toBe(false)
})

describe('The memory for bodies', () => {
  const open = () => {
    const memory = openBodyMemory({ total: 100, per_address: 60, per_account: 40 })
    const evicted: string[] = []
    const share = (address: string, account: string | undefined, bytes: number) => {
      const opened = memory.open({ address, account }, () => evicted.push(`${address}/${account}/${bytes}`))
      return { ...opened, status: opened.take(bytes)?.status }
    }
    return { memory, evicted, share }
  }

  test('It is bounded per account and per address: a further body is refused with 429.', () => {
    const { memory, share } = open()
    expect(share('a', 'ada', 30).status).toBe(undefined)
    expect(share('b', 'ada', 11).status).toBe(429)
    expect(share('a', 'grace', 30).status).toBe(undefined)
    expect(share('a', 'hopper', 1).status).toBe(429)
    expect(memory.held).toBe(60)
  })

  test('When it is full, the largest body of the account that holds most gives way to others.', () => {
    const { memory, evicted, share } = open()
    share('a', 'eve', 10)
    share('a', 'eve', 30)
    share('a', 'mallory', 20)
    share('b', 'ada', 40)
    expect(share('c', 'grace', 5).status).toBe(undefined)
    expect(evicted).toEqual(['a/eve/30'])
    expect(memory.held).toBe(75)
  })

  test('When it is full, the one who holds most is refused with 503, and evicts nobody.', () => {
    const { memory, evicted, share } = open()
    const big = share('a', 'eve', 40)
    share('b', 'ada', 30)
    share('c', 'grace', 30)
    expect(big.take(0)?.status).toBe(undefined)
    expect(share('a', 'mallory', 10).status).toBe(503)
    expect(evicted).toEqual([])
    expect(memory.held).toBe(100)
  })

  test('A body that a handler uses is not evicted, and what is released can be taken again.', () => {
    const { memory, evicted, share } = open()
    const used = share('a', 'eve', 40)
    used.keep()
    share('b', 'ada', 35)
    share('c', 'hopper', 25)
    expect(share('d', 'grace', 10).status).toBe(undefined)
    expect(evicted).toEqual(['b/ada/35'])
    used.release()
    expect(memory.held).toBe(35)
  })
})

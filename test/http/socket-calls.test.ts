/** Calls over a WebSocket, which run through the same call pipeline in frames. */
import { once } from 'node:events'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import { type Close, closes, errors } from '../../src/domain/protocol/errors.js'
import { endpoint, streamed, streaming } from '../../src/gateway/call/endpoint.js'
import { idInPath, int, json, str } from '../../src/gateway/call/params.js'
import { openRefusedHandshakes } from '../../src/gateway/transport/refused-handshakes.js'
import { credentials, namedUserRow, type TinyServer, tinyRealm, tinyServer } from '../setup/processes/tiny-server.js'

const ada = namedUserRow(1, 'ada')
const realm = tinyRealm(1, 'acme', [ada])
const authorization = credentials(realm, ada)
const host = 'acme.parley.test'

let running = 0
let maxRunning = 0
const closeGate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}
/** When it opens, the calls are answered that wait for the test. */
let gate = closeGate()

const registry = {
  echo: endpoint({
    method: 'POST',
    path: '/echo/{id}',
    summary: 'Says it again.',
    callers: 'account',
    params: { id: idInPath(), text: str().optional(), n: int().optional(), list: json(z.array(z.int())).optional() },
    response: z.looseObject({}),
    handle: ({ params, caller, request }) => ({ ...params, client: caller.client, transport: request.transport }),
  }),
  wait: endpoint({
    method: 'GET',
    path: '/wait',
    summary: 'Answers late.',
    callers: 'account',
    params: { milliseconds: int() },
    response: z.object({}),
    async handle({ params }) {
      running += 1
      maxRunning = Math.max(maxRunning, running)
      await new Promise((resolve) => setTimeout(resolve, params.milliseconds))
      running -= 1
      return {}
    },
  }),
  hold: endpoint({
    method: 'GET',
    path: '/hold',
    summary: 'Answers when the test wants.',
    callers: 'account',
    params: {},
    response: z.object({}),
    async handle() {
      running += 1
      maxRunning = Math.max(maxRunning, running)
      await gate.opened
      running -= 1
      return {}
    },
  }),
  bug: endpoint({
    method: 'GET',
    path: '/bug',
    summary: 'Fails.',
    callers: 'account',
    params: {},
    response: z.object({}),
    handle() {
      throw new Error('a bug')
    },
  }),
  stream: streamed({
    method: 'GET',
    path: '/stream',
    summary: 'Streams.',
    callers: 'account',
    params: {},
    response: z.object({}),
    handle: () => streaming,
  }),
}

let server: TinyServer
beforeAll(async () => {
  server = await tinyServer(registry, {
    realms: [realm],
    pages: [{ path: '/api/v1/page', serve: () => ({ status: 200, headers: {}, body: '' }) }],
  })
})

interface Connection {
  socket: WebSocket
  send(frame: unknown): void
  next(): Promise<Record<string, unknown>>
  closed: Promise<[code: number, reason: string]>
}

const connections: WebSocket[] = []
afterEach(() => {
  for (const socket of connections.splice(0)) socket.terminate()
})

const connect = (
  options: { protocols?: string[]; headers?: Record<string, string>; port?: number; path?: string } = {},
): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const {
      protocols = [],
      headers = { Authorization: authorization },
      port = server.port,
      path = '/api/v1/events',
    } = options
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, { headers: { Host: host, ...headers } })
    connections.push(socket)
    const frames: Record<string, unknown>[] = []
    const waiting: ((frame: Record<string, unknown>) => void)[] = []
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data))
      const first = waiting.shift()
      if (first === undefined) frames.push(frame)
      else first(frame)
    })
    const closed = new Promise<[number, string]>((done) => {
      socket.on('close', (code, reason) => done([code, String(reason)]))
    })
    socket.on('open', () =>
      resolve({
        socket,
        closed,
        send: (frame) =>
          socket.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame)),
        next: () => {
          const frame = frames.shift()
          return frame === undefined ? new Promise((done) => waiting.push(done)) : Promise.resolve(frame)
        },
      }),
    )
    socket.on('unexpected-response', (_, response) => {
      let text = ''
      response.on('data', (piece) => {
        text += String(piece)
      })
      response.on('end', () => reject(new Error(`${response.statusCode} ${text}`)))
    })
    socket.on('error', () => {})
  })

/** Resolves when the server has read all that was sent before. */
const hasReadAll = async ({ socket }: Connection): Promise<void> => {
  const answered = once(socket, 'pong')
  socket.ping()
  await answered
}

describe('WebSocket handshakes', () => {
  test('A handshake accepts credentials in the header, or in the list of protocols as browsers must send them.', async () => {
    expect((await connect({ protocols: ['parley.v1'] })).socket.protocol).toBe('parley.v1')
    expect((await connect()).socket.protocol).toBe('')
    const encoded = Buffer.from(Buffer.from(authorization.slice('Basic '.length), 'base64')).toString('base64url')
    const { socket } = await connect({ protocols: ['parley.v1', `basic.${encoded}`], headers: {} })
    expect(socket.protocol).toBe('parley.v1')
  })

  test('A handshake without credentials, on another path or at an unknown host is refused like a call.', async () => {
    await expect(connect({ headers: {} })).rejects.toThrow(/^401 .*Log in first/)
    await expect(connect({ protocols: ['basic.x'], headers: {} })).rejects.toThrow(/^401/)
    await expect(connect({ path: '/api/v1/echo/1' })).rejects.toThrow(/^404/)
    await expect(connect({ headers: { Authorization: authorization, Host: 'nowhere.parley.test' } })).rejects.toThrow(
      /^404/,
    )
  })

  // A page cannot read the status or the body of a refused handshake: it sees close code 1006 for every reason.
  describe('A refused handshake of a browser is accepted, and closed after a frame with the error:', () => {
    const browser = { Origin: 'https://app.example' }
    test.each([
      ['missing credentials', {}, 401, closes.wrongCredentials],
      ['a wrong key', { protocols: ['parley.v1', 'basic.x'] }, 401, closes.wrongCredentials],
      ['an unknown host', { headers: { ...browser, Host: 'nowhere.parley.test' } }, 404, closes.refused],
    ] as [string, { protocols?: string[]; headers?: Record<string, string> }, number, Close][])(
      '%s.',
      async (_, options, status, close) => {
        const { next, closed } = await connect({ headers: browser, ...options })
        expect(await next()).toMatchObject({ req: 0, status, body: { result: 'error', code: expect.any(String) } })
        expect(await closed).toEqual([close.code, close.reason])
      },
    )

    test.each([
      ['wrong parameters', () => errors.badRequest('No.'), 400, closes.refused],
      ['too many handshakes', () => errors.rateLimitHit({ 'retry-after': 7 }), 429, closes.tooEarly],
      ['a database that is away', () => errors.databaseUnavailable({ 'retry-after': 1 }), 503, closes.tooEarly],
      ['an error of the server', () => new Error('a bug'), 500, closes.internal],
    ] as const)('%s.', async (_, compose, status, close) => {
      const upgrade = async () => {
        throw compose()
      }
      const { port } = await tinyServer(registry, { realms: [realm], upgrade })
      const { next, closed } = await connect({ port, headers: browser })
      expect(await next()).toMatchObject({ req: 0, status, body: { result: 'error' } })
      expect(await closed).toEqual([close.code, close.reason])
    })

    test('No more than 1,000 such sockets are accepted within one idle timeout.', () => {
      const reject = openRefusedHandshakes(120)
      for (let i = 0; i < 1_000; i++) expect(reject(401, '{}', i)).toBeDefined()
      expect(reject(401, '{}', 1_000)).toBeUndefined()
      expect(reject(401, '{}', 120_001)).toEqual({
        rejection: closes.wrongCredentials,
        errorFrame: '{"req":0,"status":401,"body":{}}',
      })
    })
  })

  test('A handshake can be accepted only to send the reason for closing the connection.', async () => {
    const options = { realms: [realm], upgrade: async () => ({ close: closes.queueGone }) }
    const { port } = await tinyServer(registry, options)
    const { closed } = await connect({ port })
    expect(await closed).toEqual([4010, closes.queueGone.reason])
  })

  test('A handshake that fails is answered with 500, and a client may disconnect during a slow one.', async () => {
    let isCalled = () => {}
    const called = new Promise<void>((resolve) => {
      isCalled = resolve
    })
    const { port } = await tinyServer(registry, {
      realms: [realm],
      async upgrade(handshake) {
        if (handshake.fields.fail !== undefined) throw new Error('a bug')
        isCalled()
        await new Promise((resolve) => setTimeout(resolve, 50))
        return { accept: { handshake } }
      },
    })
    await expect(connect({ port, path: '/api/v1/events?fail=1' })).rejects.toThrow(/^500/)
    void connect({ port })
    await called
    for (const socket of connections.splice(0)) socket.terminate()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await connect({ port })).socket.readyState).toBe(WebSocket.OPEN)
  })
})

describe('Frames', () => {
  test('A frame is a call, and its answer has the same req number.', async () => {
    const ada = await connect({ headers: { Authorization: authorization, 'User-Agent': 'ParleyWeb/1' } })
    ada.send({ req: 7, method: 'POST', path: '/echo/3', params: { text: 'ж', n: 5, list: [1], more: true } })
    expect(await ada.next()).toEqual({
      req: 7,
      status: 200,
      body: {
        result: 'success',
        msg: '',
        ignored_parameters_unsupported: ['more'],
        id: 3,
        text: 'ж',
        n: 5,
        list: [1],
        client: 'ParleyWeb',
        transport: 'socket',
      },
    })
  })

  test('A frame may omit params and may write the method in lower case.', async () => {
    const ada = await connect()
    ada.send({ req: 1, method: 'post', path: '//echo//3' })
    expect(await ada.next()).toMatchObject({ req: 1, status: 200 })
  })

  test.each([
    ['a wrong value', { method: 'POST', path: '/echo/3', params: { n: 'x' } }, 400, { msg: 'n must be an integer.' }],
    ['an unknown path', { method: 'GET', path: '/nothing' }, 404, { msg: 'There is no /nothing here.' }],
    ['a path with the API prefix', { method: 'POST', path: '/api/v1/echo/3' }, 404, { code: 'NOT_FOUND' }],
    ['the path of a page', { method: 'GET', path: '/page' }, 404, { code: 'NOT_FOUND' }],
    ['an unsupported method', { method: 'GET', path: '/echo/3' }, 405, { allowed_methods: ['POST'] }],
    ['a streaming endpoint', { method: 'GET', path: '/stream' }, 400, { code: 'BAD_REQUEST' }],
    [
      'a failing handler',
      { method: 'GET', path: '/bug' },
      500,
      { msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' },
    ],
    [
      'a lone surrogate',
      '{"req":1,"method":"POST","path":"/echo/3","params":{"text":"\\ud800"}}',
      400,
      { code: 'INVALID_JSON' },
    ],
    [
      'a value that is nested too deeply',
      `{"req":1,"method":"POST","path":"/echo/3","params":{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      400,
      { code: 'INVALID_JSON' },
    ],
    [
      'U+0000',
      '{"req":1,"method":"POST","path":"/echo/3","params":{"text":"\\u0000"}}',
      400,
      { msg: 'text does not have the required format.' },
    ],
  ])('A frame with %s is refused as over HTTP.', async (_, frame, status, body) => {
    const ada = await connect()
    ada.send(typeof frame === 'string' ? frame : { req: 1, ...frame })
    const answer = await ada.next()
    expect(answer).toMatchObject({ status, body: { result: 'error', ...body } })
  })

  test.each([
    ['invalid JSON', 'hello', null, errors.invalidJson().message],
    ['no text', '', null, errors.invalidJson().message],
    ['a list', '[]', null, errors.badFrame().message],
    ['null', 'null', null, errors.badFrame().message],
    ['no req', { method: 'GET', path: '/wait' }, null, errors.badFrame().message],
    ['a req that is text', { req: '1', method: 'GET', path: '/wait' }, null, errors.badFrame().message],
    ['no method', { req: 1, path: '/wait' }, 1, errors.badFrame().message],
    ['no path', { req: 1, method: 'GET' }, 1, errors.badFrame().message],
    ['a path without a slash', { req: 1, method: 'GET', path: 'wait' }, 1, errors.badFrame().message],
    ['params that are a list', { req: 1, method: 'GET', path: '/wait', params: [] }, 1, errors.badFrame().message],
    ['deeply nested JSON', '['.repeat(500_000), null, errors.invalidJson().message],
  ])(
    'A frame that is not a call (%s) is answered with an error, and the socket stays open.',
    async (_, frame, req, msg) => {
      const ada = await connect()
      ada.send(frame)
      expect(await ada.next()).toMatchObject({ req, status: 400, body: { result: 'error', msg } })
      ada.send({ req: 2, method: 'POST', path: '/echo/3' })
      expect(await ada.next()).toMatchObject({ req: 2, status: 200 })
    },
  )

  test('A binary frame closes the socket.', async () => {
    const ada = await connect()
    ada.send(new Uint8Array([1, 2, 3]))
    expect(await ada.closed).toEqual([closes.badFrame.code, closes.badFrame.reason])
  })

  test('A frame that is too large closes the socket.', async () => {
    const ada = await connect()
    ada.send(`"${'x'.repeat(2_000_000)}"`)
    await ada.closed
  })
})

describe('Calls of one socket', () => {
  test('At most 32 calls of a socket run at once, and each is answered as soon as it is done.', async () => {
    maxRunning = 0
    gate = closeGate()
    const ada = await connect()
    ada.send({ req: 0, method: 'GET', path: '/hold' })
    for (let req = 1; req <= 100; req++) ada.send({ req, method: 'GET', path: '/wait', params: { milliseconds: 5 } })
    const answered: unknown[] = []
    for (let i = 1; i <= 100; i++) answered.push((await ada.next()).req)
    expect(answered.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
    gate.open()
    expect((await ada.next()).req).toBe(0)
    expect(maxRunning).toBe(32)
  })

  test('A client that sends more than 1,000 calls without waiting for answers is disconnected.', async () => {
    const ada = await connect()
    for (let req = 0; req < 1_100; req++) ada.send({ req, method: 'GET', path: '/wait', params: { milliseconds: 200 } })
    expect(await ada.closed).toEqual([closes.tooManyCalls.code, closes.tooManyCalls.reason])
  })

  test.each([
    ['a binary frame', new Uint8Array([1, 2, 3]), closes.badFrame],
    ['a frame that is too large', `"${'x'.repeat(1_050_000)}"`, closes.frameTooLarge],
  ])('The calls under way are answered before %s closes the socket.', async (_, frame, close) => {
    gate = closeGate()
    const ada = await connect()
    for (let req = 1; req <= 40; req++) ada.send({ req, method: 'GET', path: '/hold' })
    ada.send(frame)
    ada.send({ req: 41, method: 'GET', path: '/hold' })
    await hasReadAll(ada)
    gate.open()
    for (let req = 1; req <= 41; req++) expect(await ada.next()).toMatchObject({ status: 200 })
    expect(await ada.closed).toEqual([close.code, close.reason])
  })

  test('A client that asks for it is told that its frame closes the socket, and is answered until it closes it.', async () => {
    const ada = await connect({ path: '/api/v1/events?announce_close=true' })
    ada.send(new Uint8Array([1]))
    expect(await ada.next()).toEqual({ closing: closes.badFrame })
    ada.send({ req: 1, method: 'GET', path: '/wait', params: { milliseconds: 1 } })
    expect(await ada.next()).toMatchObject({ req: 1, status: 200 })
  })

  test('The calls that run are answered before too many calls close the socket, and no other call is made.', async () => {
    gate = closeGate()
    const ada = await connect()
    const before = server.finished.length
    for (let req = 1; req <= 1_100; req++) ada.send({ req, method: 'GET', path: '/hold' })
    await hasReadAll(ada)
    gate.open()
    for (let n = 1; n <= 32; n++) expect(await ada.next()).toMatchObject({ status: 200 })
    expect(await ada.closed).toEqual([closes.tooManyCalls.code, closes.tooManyCalls.reason])
    expect(server.finished.length - before).toBe(32)
  })

  test('Closing the socket during a call causes no error.', async () => {
    const ada = await connect()
    ada.send({ req: 1, method: 'GET', path: '/wait', params: { milliseconds: 60 } })
    await new Promise((resolve) => setTimeout(resolve, 20))
    ada.socket.terminate()
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect((await connect()).socket.readyState).toBe(WebSocket.OPEN)
  })

  test('A call is refused after the account was deactivated.', async () => {
    const local = tinyRealm(2, 'local', [ada])
    const { port } = await tinyServer(registry, { realms: [local] })
    const headers = { Host: 'local.parley.test', Authorization: credentials(local, ada) }
    const socket = await connect({ port, headers })
    socket.send({ req: 1, method: 'POST', path: '/echo/1' })
    expect(await socket.next()).toMatchObject({ status: 200 })
    const change = composeUpdate('users', ada, { is_active: false })
    if (change !== undefined) local.state.apply(change)
    socket.send({ req: 2, method: 'POST', path: '/echo/1' })
    expect(await socket.next()).toMatchObject({
      status: 401,
      body: { msg: 'This account is deactivated: ask an administrator of the organization.' },
    })
  })
})

/**
 * Where one answer ends and the next one begins on a connection (RFC 9112), on raw sockets and through HAProxy: an
 * answer without a body must not leave the client waiting, and must not lose the next request.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint, streamed, streaming } from '../../src/gateway/call/endpoint.js'
import { idInPath } from '../../src/gateway/call/params.js'
import { credentials, namedUserRow, type TinyServer, tinyRealm, tinyServer } from '../setup/processes/tiny-server.js'
import { findHaproxy, type ServerProgram, startHaproxy } from '../setup/proxies/proxies.js'
import { openRawConnection, sendRequest } from '../setup/requests/raw-request.js'

const ada = namedUserRow(1, 'ada')
const realm = tinyRealm(1, 'acme', [ada])
const host = 'acme.parley.test'
const authorization = credentials(realm, ada)

const registry = {
  text: endpoint({
    method: 'GET',
    path: '/text/{size}',
    summary: 'Answers with a text.',
    callers: 'account',
    params: { size: idInPath() },
    response: z.object({ text: z.string() }),
    handle: ({ params }) => ({ text: 'x'.repeat(params.size) }),
  }),
  bare: streamed({
    method: 'POST',
    path: '/bare/{status}',
    summary: 'Answers with a status and without a body, some time after the request.',
    callers: 'account',
    params: { status: idInPath() },
    response: z.object({}),
    async handle({ params }, exchange) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      exchange.reply(params.status, { 'X-Bare': 'yes' }, '')
      return streaming
    },
  }),
  stream: streamed({
    method: 'GET',
    path: '/stream',
    summary: 'Streams one line.',
    callers: 'account',
    params: {},
    response: z.object({}),
    async handle(_, exchange) {
      exchange.startStream({ 'Content-Type': 'text/plain' })
      exchange.write('line\n')
      exchange.end()
      return streaming
    },
  }),
}

const about = { path: '/about', serve: () => ({ status: 200, headers: {}, body: 'hello' }) }
const startServer = () => tinyServer(registry, { realms: [realm], pages: [about] })

let server: TinyServer
beforeAll(async () => {
  server = await startServer()
})

const requestText = (line: string, more = '') =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n${more}\r\n`

const CASES = [
  ['HEAD of an answer with a body', requestText('HEAD /api/v1/text/100'), 200, '140'],
  ['HEAD of a large answer', requestText('HEAD /api/v1/text/200000'), 200, '200040'],
  ['HEAD of a stream', requestText('HEAD /api/v1/stream'), 200, undefined],
  ['HEAD of an unknown path', requestText('HEAD /api/v1/nothing'), 404, '80'],
  ['HEAD of a page', requestText('HEAD /about'), 200, '5'],
  ['OPTIONS', requestText('OPTIONS /api/v1/text/1', 'Origin: https://a.example\r\n'), 204, undefined],
  ['a 204', requestText('POST /api/v1/bare/204', 'Content-Length: 0\r\n'), 204, undefined],
  ['a 304', requestText('POST /api/v1/bare/304', 'Content-Length: 0\r\n'), 304, undefined],
  ['a 404', requestText('GET /api/v1/nothing'), 404, '80'],
  ['a refused method', requestText('HEAD /api/v1/bare/204'), 405, '101'],
] as const

describe('A connection answers the next request', () => {
  test.each(CASES)('A connection answers the next request after %s.', async (_, text, status, length) => {
    await using connection = await openRawConnection(server.port)
    connection.write(text)
    const first = await connection.readHead()
    expect([first.status, first.headers['content-length'], first.headers['transfer-encoding']]).toEqual([
      status,
      length,
      undefined,
    ])
    if (!text.startsWith('HEAD') && length !== undefined) await connection.readBytes(Number(length))
    connection.write(requestText('GET /about'))
    expect((await connection.readHead()).status).toBe(200)
    expect(await connection.readBytes(5)).toBe('hello')
  })
})

test('A connection answers the next request after a streamed answer.', async () => {
  await using connection = await openRawConnection(server.port)
  connection.write(requestText('GET /api/v1/stream'))
  expect((await connection.readHead()).headers['transfer-encoding']).toBe('chunked')
  expect(await connection.readBytes(15)).toBe('5\r\nline\n\r\n0\r\n\r\n')
  connection.write(requestText('GET /about'))
  expect((await connection.readHead()).status).toBe(200)
})

describe('While the server drains', () => {
  test.each(CASES)('The answer says that the connection closes: %s.', async (_, text, status) => {
    const draining = await startServer()
    await using connection = await openRawConnection(draining.port)
    connection.write(requestText('GET /about'))
    await connection.readHead()
    await connection.readBytes(5)
    draining.server.stopAccepting()
    connection.write(text)
    const { status: received, headers } = await connection.readHead()
    expect([received, headers.connection]).toEqual([status, 'close'])
  })

  test('A stream that began before ends with its own bytes only.', async () => {
    let endStream = () => {}
    const slow = {
      stream: streamed({
        method: 'GET',
        path: '/slow',
        summary: 'Streams until the test ends it.',
        callers: 'account',
        params: {},
        response: z.object({}),
        async handle(_, exchange) {
          exchange.startStream({ 'Content-Type': 'text/event-stream' })
          exchange.write('line\n')
          endStream = () => exchange.end()
          return streaming
        },
      }),
    }
    const draining = await tinyServer(slow, { realms: [realm] })
    await using connection = await openRawConnection(draining.port)
    connection.write(requestText('GET /api/v1/slow'))
    expect((await connection.readHead()).status).toBe(200)
    expect(await connection.readBytes(8)).toBe('5\r\nline\n')
    draining.server.stopAccepting()
    endStream()
    expect(await connection.readBytes(7)).toBe('\r\n0\r\n\r\n')
    await draining.server.idle()
  })
})

describe('Through HAProxy', () => {
  let haproxy: ServerProgram | undefined
  beforeAll(() => {
    haproxy = findHaproxy()
  }, 60_000)

  test('HAProxy passes on every answer without a body, and pipelined requests.', {
    timeout: 60_000,
  }, async (context) => {
    if (haproxy === undefined) return context.skip('this machine has no HAProxy and cannot unpack one')
    await using proxy = await startHaproxy(haproxy, server.port)
    for (const [name, text, status] of CASES) {
      await using connection = await openRawConnection(proxy.port)
      connection.write(text)
      expect([name, (await connection.readHead()).status]).toEqual([name, status])
    }
    const preflight = await sendRequest(proxy.port, {
      method: 'OPTIONS',
      path: '/api/v1/text/1',
      host,
      headers: { Origin: 'https://a.example' },
    })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
    await using connection = await openRawConnection(proxy.port)
    connection.write(requestText('GET /api/v1/text/1') + requestText('GET /about'))
    const first = await connection.readHead()
    expect(first.status).toBe(200)
    await connection.readBytes(Number(first.headers['content-length']))
    expect((await connection.readHead()).status).toBe(200)
    expect(await connection.readBytes(5)).toBe('hello')
  })
})

/**
 * What the HTTP parser of a gateway does not do, sent through the proxies of deploy/: docs/operations.md says which
 * of them covers it. Each request is sent whole and in several packets.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GatewayOfOneTest, portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import {
  findHaproxy,
  findNginx,
  type RunningProxy,
  startDeployedHaproxy,
  startDeployedNginx,
} from '../setup/proxies/proxies.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { ok } from '../setup/realm/realm.js'
import { divide, readAnswer, toBytes, withinDeadline } from '../setup/requests/odd-requests.js'
import { openRawConnection } from '../setup/requests/raw-request.js'

let own: GatewayOfOneTest
beforeAll(async () => {
  own = await startOwnGateway({ TRUSTED_PROXIES: '127.0.0.1' })
}, 60_000)
afterAll(() => own[Symbol.asyncDispose]())

const known = () => `Host: ${own.ada.host}\r\nAuthorization: ${basicAuthorization(own.ada)}\r\n`
const get = (line = 'GET /api/v1/users/me HTTP/1.1', headers = '') => `${line}\r\n${known()}${headers}\r\n`
const post = (headers: string, body: string) =>
  `POST /api/v1/messages/render HTTP/1.1\r\n${known()}Content-Type: application/x-www-form-urlencoded\r\n${headers}\r\n${body}`
const chunked = (body: string) => post('Transfer-Encoding: chunked\r\n', body)

/** A request, and the statuses of its answers through HAProxy and through nginx. */
type Case = [name: string, request: () => string, haproxy: readonly number[], nginx: readonly number[]]

const cases: readonly Case[] = [
  ['an empty line first', () => `\r\n${get()}`, [200], [200]],
  ['the absolute form', () => get(`GET http://${own.ada.host}/api/v1/users/me HTTP/1.1`), [200], [200]],
  [
    'the absolute form with a query',
    () => get(`GET http://${own.ada.host}/api/v1/users/me?x=/y HTTP/1.1`),
    [200],
    [200],
  ],
  ['the absolute form without a path', () => get(`OPTIONS http://${own.ada.host} HTTP/1.1`), [405], [405]],
  ['OPTIONS *', () => get('OPTIONS * HTTP/1.1'), [204], [400]],
  ['CONNECT', () => get(`CONNECT ${own.ada.host}:443 HTTP/1.1`), [505], [400]],
  ['HTTP/1.0', () => get('GET /api/v1/users/me HTTP/1.0'), [505], [200]],
  ['HTTP/1.2', () => get('GET /api/v1/users/me HTTP/1.2'), [200], [200]],
  ['a line without a space', () => 'QUIT\r\n\r\n', [400], [400]],
  ['a carriage return in a value', () => get(undefined, 'X: a\rb\r\n'), [400], [400]],
  ['a header without a name', () => get(undefined, ': x\r\n'), [400], [400]],
  ['two Content-Lengths of a GET', () => get(undefined, 'Content-Length: 0\r\nContent-Length: 9\r\n'), [400], [400]],
  ['other codings of a GET', () => get(undefined, 'Transfer-Encoding: gzip, chunked\r\n'), [422], [501]],
  [
    'two Content-Lengths before another request',
    () => post('Content-Length: 10\r\nContent-Length: 400\r\n', 'content=hi') + get(),
    [400],
    [400],
  ],
  ['a chunk extension', () => chunked('a;a=b\r\ncontent=hi\r\n0;x\r\n\r\n'), [200], [200]],
  ['a quoted chunk extension', () => chunked('a;a="b;\\"c"\r\ncontent=hi\r\n0\r\n\r\n'), [200], [200]],
  ['a trailer', () => chunked('a\r\ncontent=hi\r\n0\r\nX-Trailer: y\r\n\r\n'), [505], [200]],
  ['a chunk size with a letter beyond F', () => chunked('G\r\ncontent=hi-there\r\n0\r\n\r\n'), [400], [400]],
  ['a chunk without its line end', () => chunked('a\r\ncontent=hiXX0\r\n\r\n'), [400], [400]],
  ['no chunk size', () => chunked('\r\n\r\n'), [400], [400]],
  [
    'pipelined calls',
    () => get() + post('Content-Length: 10\r\n', 'content=hi') + get(),
    [200, 200, 200],
    [200, 200, 200],
  ],
]

describe.each([
  ['HAProxy', findHaproxy, startDeployedHaproxy],
  ['nginx', findNginx, startDeployedNginx],
] as const)('Behind %s', (name, find, start) => {
  let proxy: RunningProxy | undefined
  beforeAll(async () => {
    const program = find()
    if (program !== undefined) proxy = await start(program, portOf(own.gateway.url))
  }, 120_000)
  afterAll(() => proxy?.[Symbol.asyncDispose]())

  const findPort = (skip: (note: string) => never): number =>
    proxy?.port ?? skip(`this machine has no ${name} and cannot unpack one`)
  const open = (port: number) => openRawConnection(port, '127.0.0.1', name === 'nginx')

  test.for(cases)('A request is answered at once with %s.', async ([, request, haproxy, nginx], { skip }) => {
    const port = findPort(skip)
    const statuses = name === 'nginx' ? nginx : haproxy
    for (const pieces of divide(toBytes(request()))) {
      await using connection = await open(port)
      const written = connection.writeInPackets(pieces)
      const received: number[] = []
      for (const _ of statuses) received.push((await readAnswer(connection)).status)
      await written
      expect(received).toEqual(statuses)
    }
  })

  test('A request after one with Connection: close is not answered.', async ({ skip }) => {
    await using connection = await open(findPort(skip))
    connection.write(get(undefined, 'Connection: close\r\n') + get())
    const text = await withinDeadline(connection.readToEnd(), 'end of the connection')
    expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200'])
  })

  test('A client that ends its side during a poll reads the answer through HAProxy, and none through nginx.', async ({
    skip,
  }) => {
    const port = findPort(skip)
    const { url } = own.gateway
    const { queue_id, last_event_id } = await ok(own.ada, 'POST', '/register', { event_types: '["message"]' }, { url })
    await using connection = await open(port)
    connection.write(get(`GET /api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id} HTTP/1.1`))
    connection.endWriting()
    if (name === 'nginx') {
      expect(await withinDeadline(connection.closed, 'end of the connection')).toMatch(/^(end|ECONNRESET)$/)
      await expect(connection.readHead()).rejects.toThrow('no head of an answer')
    } else {
      await ok(own.ada, 'POST', '/messages', { type: 'direct', to: [own.ada.user_id], content: 'hi' }, { url })
      expect((await readAnswer(connection)).status).toBe(200)
    }
  })
})

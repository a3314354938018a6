/** Requests that a page of another site makes, with credentials that the browser adds. */
import { beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { endpoint } from '../../src/gateway/call/endpoint.js'
import { credentials, namedUserRow, type TinyServer, tinyRealm, tinyServer } from '../setup/processes/tiny-server.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const ada = namedUserRow(1, 'ada')
const realm = tinyRealm(1, 'acme', [ada])
const authorization = credentials(realm, ada)
const host = 'acme.parley.test'
const foreign = 'https://evil.example'

let written = 0

const registry = {
  write: endpoint({
    method: 'POST',
    path: '/write',
    summary: 'Writes.',
    callers: 'account',
    params: {},
    response: z.object({}),
    handle() {
      written += 1
      return {}
    },
  }),
}

let server: TinyServer
beforeAll(async () => {
  server = await tinyServer(registry, { realms: [realm] })
})

const write = (headers: Record<string, string>, withCredentials = true) =>
  sendRequest(server.port, {
    method: 'POST',
    path: '/api/v1/write',
    host,
    headers,
    body: 'content=x',
    ...(withCredentials ? { authorization } : {}),
  })

describe('A request with credentials', () => {
  test.each([
    ['a form of another site', { Origin: foreign, 'Sec-Fetch-Mode': 'navigate' }],
    ['a page in a sandbox', { Origin: 'null', 'Sec-Fetch-Mode': 'navigate' }],
    ['a script of another site that may not read the answer', { Origin: foreign, 'Sec-Fetch-Mode': 'no-cors' }],
    ['a page of another organization', { Origin: 'https://beta.parley.test', 'Sec-Fetch-Mode': 'no-cors' }],
  ])('of %s is refused, and has no effect.', async (_, headers) => {
    const before = written
    const { status, json } = await write(headers)
    expect([status, json.code, written]).toEqual([403, 'FORBIDDEN', before])
  })

  test.each([
    ['a client that is no browser', {}],
    ['a client that is no browser and sends an Origin', { Origin: foreign }],
    ['a script that sends a key itself', { Origin: foreign, 'Sec-Fetch-Mode': 'cors' }],
    ['a page of this server', { Origin: `https://${host}`, 'Sec-Fetch-Mode': 'navigate' }],
  ])('of %s is carried out.', async (_, headers) => {
    expect(await write(headers)).toMatchObject({ status: 200 })
  })
})

test('A browser is never asked for a password, and other clients are.', async () => {
  const challenge = async (headers: Record<string, string>) => {
    const answer = await write(headers, false)
    return [answer.status, answer.headers['www-authenticate']]
  }
  expect(await challenge({})).toEqual([401, 'Basic realm="zulip"'])
  expect(await challenge({ Origin: foreign })).toEqual([401, undefined])
  expect(await challenge({ 'Sec-Fetch-Mode': 'navigate' })).toEqual([401, undefined])
})

describe('A handshake of a WebSocket', () => {
  const connect = (headers: Record<string, string>, protocols: string[] = []) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/v1/events`, protocols, {
        headers: { Host: host, ...headers },
      })
      socket.on('open', () => {
        resolve(101)
        socket.close()
      })
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
      socket.on('error', () => {})
    })

  test('with credentials in a header is refused for a page of another site, because the browser added them.', async () => {
    expect(await connect({ Origin: foreign, Authorization: authorization })).toBe(403)
    expect(await connect({ Origin: 'null', Authorization: authorization })).toBe(403)
    expect(await connect({ Origin: `http://${host}:1`, Authorization: authorization })).toBe(403)
  })

  test('with credentials in a header is accepted for a page of this server, and without an Origin.', async () => {
    expect(await connect({ Origin: `https://${host}`, Authorization: authorization })).toBe(101)
    expect(await connect({ Authorization: authorization })).toBe(101)
  })

  test('with a key as its subprotocol is accepted for every page, because the page knows the key.', async () => {
    const key = Buffer.from(authorization.slice('Basic '.length), 'base64').toString('base64url')
    expect(await connect({ Origin: foreign }, ['parley.v1', `basic.${key}`])).toBe(101)
  })
})

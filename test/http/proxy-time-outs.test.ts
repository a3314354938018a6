/**
 * Clients that are silent for longer than the time-outs of the proxies that deploy/ configures, and proxies that
 * restart. The time-outs are a sixth of those of deploy/, and the heartbeats of the gateway come earlier in proportion.
 */
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { root } from '../../src/dev/root.js'
import { type GatewayOfOneTest, portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import {
  findHaproxy,
  findNginx,
  type RunningProxy,
  type ServerProgram,
  startDeployedHaproxy,
  startDeployedNginx,
} from '../setup/proxies/proxies.js'
import { basicAuthorization, type Cursor } from '../setup/realm/event-reader.js'
import { ok } from '../setup/realm/realm.js'
import { openRawConnection } from '../setup/requests/raw-request.js'

const DEPLOYED_SECONDS = 75
/** More than a long poll adds to POLL_HEARTBEAT_MS at random. */
const SECONDS = 12
const HEARTBEAT_MS = 1_000

/** The gateway sends heartbeats before the time-outs. */
let own: GatewayOfOneTest
/** Nothing is sent within the time-outs. */
let silent: GatewayOfOneTest
beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1' }
  ;[own, silent] = await Promise.all([
    startOwnGateway({ ...env, POLL_HEARTBEAT_MS: String(HEARTBEAT_MS) }),
    startOwnGateway({ ...env, POLL_HEARTBEAT_MS: '3600000' }),
  ])
}, 60_000)
afterAll(async () => {
  await own[Symbol.asyncDispose]()
  await silent[Symbol.asyncDispose]()
})

const found = new Map<string, ServerProgram | undefined>()
beforeAll(() => {
  found.set('HAProxy', findHaproxy())
  found.set('nginx', findNginx())
}, 120_000)

test.each([
  ['deploy/nginx.conf', /proxy_(?:read|send)_timeout (\d+)s;/g, 2],
  ['deploy/haproxy.cfg', /timeout (?:client|server|tunnel) (\d+)s$/gm, 3],
])('The time-outs of %s are longer than a gateway is silent.', (file, pattern, count) => {
  const seconds = [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, number]) => Number(number))
  expect(seconds).toEqual(new Array(count).fill(DEPLOYED_SECONDS))
  // POLL_HEARTBEAT_MS, and what a long poll adds to it.
  expect(DEPLOYED_SECONDS).toBeGreaterThan(45 + 10)
})

describe.each([
  ['HAProxy', 'http', startDeployedHaproxy],
  ['nginx', 'https', startDeployedNginx],
] as const)('Behind %s', (name, protocol, startProxy) => {
  const startFound = async (
    to: GatewayOfOneTest,
    seconds: number,
    edit = (text: string) => text,
  ): Promise<RunningProxy | undefined> => {
    const program = found.get(name)
    const shorten = (text: string) => edit(text.replaceAll(`${DEPLOYED_SECONDS}s`, `${seconds}s`))
    return program === undefined ? undefined : startProxy(program, portOf(to.gateway.url), shorten)
  }
  const missing = `this machine has no ${name} and cannot unpack one`

  const headersOf = ({ ada }: GatewayOfOneTest) => ({ Host: ada.host, Authorization: basicAuthorization(ada) })
  const register = async ({ ada, gateway }: GatewayOfOneTest): Promise<Cursor> =>
    ok(ada, 'POST', '/register', { event_types: '["message"]' }, { url: gateway.url })
  const pathOf = ({ queue_id, last_event_id }: Cursor) =>
    `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`

  /** Opens a request whose answer does not end at once. */
  const open = async (to: GatewayOfOneTest, { port }: RunningProxy, headers: Record<string, string> = {}) => {
    const path = pathOf(await register(to))
    const reading = { text: '', status: 0, ended: undefined as string | undefined }
    const all = { ...headersOf(to), ...headers }
    const options = { port, path, headers: all, agent: false, rejectUnauthorized: false }
    const request = (protocol === 'https' ? https : http).get(options, (response) => {
      reading.status = response.statusCode ?? 0
      response.on('data', (piece) => {
        reading.text += String(piece)
      })
      response.on('error', () => {})
      response.on('close', () => {
        reading.ended = response.complete ? 'complete' : 'cut off'
      })
    })
    request.on('error', () => {})
    return { reading, request }
  }

  const openSocket = async (to: GatewayOfOneTest, { port }: RunningProxy) => {
    const url = `${protocol === 'https' ? 'wss' : 'ws'}://127.0.0.1:${port}${pathOf(await register(to))}`
    const socket = new WebSocket(url, { headers: headersOf(to), rejectUnauthorized: false })
    const reading = { frames: [] as string[], code: undefined as number | undefined }
    socket.on('message', (data) => reading.frames.push(String(data)))
    socket.on('close', (code) => {
      reading.code = code
    })
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('open', resolve))
    return { reading, socket }
  }

  const send = (by: GatewayOfOneTest, content: string) =>
    ok(by.ada, 'POST', '/messages', { type: 'direct', to: [by.ada.user_id], content }, { url: by.gateway.url })

  test('A socket, a stream and a poll outlast the time-outs, because the gateway sends heartbeats.', {
    timeout: 60_000,
  }, async ({ skip }) => {
    await using proxy = (await startFound(own, SECONDS)) ?? skip(missing)
    const stream = await open(own, proxy, { Accept: 'text/event-stream' })
    const poll = await open(own, proxy)
    const { reading, socket } = await openSocket(own, proxy)
    await sleep((SECONDS + 2) * 1_000)
    await expect.poll(() => poll.reading, { timeout: 10_000 }).toMatchObject({ status: 200, ended: 'complete' })
    expect(JSON.parse(poll.reading.text).events).toMatchObject([{ type: 'heartbeat' }])
    await send(own, 'after the silence')
    await expect.poll(() => stream.reading.text, { timeout: 10_000 }).toContain('after the silence')
    await expect.poll(() => reading.frames.join(), { timeout: 10_000 }).toContain('after the silence')
    expect([stream.reading.ended, reading.code]).toEqual([undefined, undefined])
    stream.request.destroy()
    socket.terminate()
  })

  test('What a proxy ends because of its time-outs is told as an error that a client repeats.', async ({ skip }) => {
    await using proxy = (await startFound(silent, 2)) ?? skip(missing)
    const stream = await open(silent, proxy, { Accept: 'text/event-stream' })
    const poll = await open(silent, proxy)
    const { reading } = await openSocket(silent, proxy)
    await expect.poll(() => poll.reading.ended, { timeout: 10_000 }).toBe('complete')
    await expect.poll(() => stream.reading.ended, { timeout: 10_000 }).toBeDefined()
    await expect.poll(() => reading.code, { timeout: 10_000 }).toBe(1006)
    expect([poll.reading.status, JSON.parse(poll.reading.text).code]).toEqual([
      name === 'nginx' ? 503 : 504,
      'GATEWAY_UNAVAILABLE',
    ])
  })

  test('A connection on which a browser has sent nothing is closed without an answer.', async ({ skip }) => {
    const edit = (text: string) =>
      name === 'nginx'
        ? text.replace('client_max_body_size', 'client_header_timeout 1s; client_max_body_size')
        : text.replace('timeout http-request 15s', 'timeout http-request 1s')
    await using proxy = (await startFound(own, SECONDS, edit)) ?? skip(missing)
    await using preconnected = await openRawConnection(proxy.port, '127.0.0.1', name === 'nginx')
    expect(await preconnected.readToEnd()).toBe('')
    // A request that arrives too slowly is answered by HAProxy, and dropped by nginx.
    await using slow = await openRawConnection(proxy.port, '127.0.0.1', name === 'nginx')
    slow.write('GET /api/v1/users/me HTTP/1.1\r\nHo')
    expect(await slow.readToEnd()).toMatch(name === 'nginx' ? /^$/ : /^HTTP\/1\.1 408 /)
  })
})

/** A gateway behind the load balancers that deploy/ configures, as a page of another site and other clients use it. */
import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type GatewayOfOneTest, portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import {
  findHaproxy,
  findNginx,
  type RunningProxy,
  type ServerProgram,
  startDeployedHaproxy,
  startDeployedNginx,
} from '../setup/proxies/proxies.js'
import { startTcpFront } from '../setup/proxies/tcp-front.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'

interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
}

const origin = 'https://app.example'

let own: GatewayOfOneTest
beforeAll(async () => {
  own = await startOwnGateway({ TRUSTED_PROXIES: '127.0.0.1' })
}, 60_000)
afterAll(() => own[Symbol.asyncDispose]())

const found = new Map<string, ServerProgram | undefined>()
beforeAll(() => {
  found.set('HAProxy', findHaproxy())
  found.set('nginx', findNginx())
}, 120_000)

describe.each([
  ['HAProxy', 'http', startDeployedHaproxy],
  ['nginx', 'https', startDeployedNginx],
] as const)('Behind %s', (name, protocol, startProxy) => {
  const startFound = async (port = portOf(own.gateway.url)): Promise<RunningProxy | undefined> => {
    const program = found.get(name)
    return program === undefined ? undefined : startProxy(program, port)
  }
  const missing = `this machine has no ${name} and cannot unpack one`

  const request = (
    { port }: RunningProxy,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const all = { Host: own.ada.host, Origin: origin, ...headers }
      const options = { port, method, path, headers: all, agent: false, rejectUnauthorized: false } as const
      const sent = (protocol === 'https' ? https : http).request(options, (response) => {
        let text = ''
        response.on('data', (piece) => {
          text += String(piece)
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      })
      sent.on('error', reject)
      sent.end(body)
    })

  test('A call that names a gateway reaches it, with the rest of its address byte for byte.', async ({ skip }) => {
    await using proxy = (await startFound()) ?? skip(missing)
    const authorization = { Authorization: basicAuthorization(own.ada) }
    const address = encodeURIComponent(own.ada.email)
    const { status, text } = await request(
      proxy,
      'GET',
      `/gateways/gateway1/api/v1/users/${address}?client_gravatar=%66alse`,
      authorization,
    )
    expect([status, JSON.parse(text)]).toMatchObject([200, { user: { user_id: own.ada.user_id } }])
    // Only calls have such addresses, and the health of a gateway is for the load balancer.
    expect((await request(proxy, 'GET', '/gateways/gateway1/health/ready')).status).toBe(404)
  })

  test('A page of another site may ask beforehand, call, and upload a file in parts.', async ({ skip }) => {
    await using proxy = (await startFound()) ?? skip(missing)
    const authorization = { Authorization: basicAuthorization(own.ada) }
    const preflight = await request(proxy, 'OPTIONS', '/api/v1/messages', { 'Access-Control-Request-Method': 'POST' })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
    expect((await request(proxy, 'GET', '/api/v1/users/me', authorization)).status).toBe(200)

    const tus = { ...authorization, 'Tus-Resumable': '1.0.0' }
    const filename = `filename ${Buffer.from('a.txt').toString('base64')}`
    const length = { 'Upload-Length': '5', 'Upload-Metadata': filename, 'Content-Length': '0' }
    const created = await request(proxy, 'POST', '/api/v1/tus/', { ...tus, ...length })
    expect([created.status, created.text]).toEqual([201, ''])
    const { pathname } = new URL(String(created.headers.location), 'http://x')
    const send = (offset: string, part: string) => {
      const type = 'application/offset+octet-stream'
      const length = { 'Content-Length': String(part.length) }
      return request(
        proxy,
        'PATCH',
        pathname,
        { ...tus, ...length, 'Content-Type': type, 'Upload-Offset': offset },
        part,
      )
    }
    const written = await send('0', 'hel')
    expect([written.status, written.headers['upload-offset'], written.text]).toEqual([204, '3', ''])
    expect((await send('3', 'lo')).status).toBe(200)
  })

  test('A WebSocket receives events.', async ({ skip }) => {
    await using proxy = (await startFound()) ?? skip(missing)
    const url = `${protocol === 'https' ? 'wss' : 'ws'}://127.0.0.1:${proxy.port}/api/v1/events?event_types=["message"]`
    const headers = { Host: own.ada.host, Authorization: basicAuthorization(own.ada) }
    const socket = new WebSocket(url, { headers, rejectUnauthorized: false })
    const frames: string[] = []
    socket.on('message', (data) => frames.push(String(data)))
    await expect.poll(() => frames.length, { timeout: 10_000 }).toBe(1)
    const call = { req: 1, method: 'POST', path: '/messages' }
    const params = { type: 'direct', to: [own.ada.user_id], content: 'through the proxy' }
    socket.send(JSON.stringify({ ...call, params }))
    await expect.poll(() => frames.some((frame) => frame.includes('through the proxy')), { timeout: 10_000 }).toBe(true)
    socket.terminate()
  })

  // A gateway closes those that were idle for 8 to 12 seconds. A request that arrives at this moment gets no answer.
  test('The proxy closes its idle connections within 8 seconds.', { timeout: 30_000 }, async ({ skip }) => {
    await using front = await startTcpFront([own.gateway.url])
    await using proxy = (await startFound(portOf(front.url))) ?? skip(missing)
    const headers = { Authorization: basicAuthorization(own.ada) }
    const read = async () => expect((await request(proxy, 'GET', '/api/v1/users/me', headers)).status).toBe(200)
    await Promise.all(Array.from({ length: 100 }, read))
    expect(front.connections).toBeGreaterThan(10)
    // Few requests, so that some connections stay in use and others idle.
    for (let second = 0; second < 7.5; second += 0.5) {
      await read()
      await sleep(500)
    }
    expect(front.connections).toBeLessThan(3)
  })

  test('While no gateway answers, a page can read the error and its code.', async ({ skip }) => {
    await using proxy = (await startFound(1)) ?? skip(missing)
    const { status, headers, text } = await request(proxy, 'GET', '/api/v1/users/me')
    expect([status, headers['access-control-allow-origin'], headers['retry-after']]).toEqual([503, '*', '1'])
    expect(JSON.parse(text)).toMatchObject({ result: 'error', code: 'GATEWAY_UNAVAILABLE' })
  })
})

/**
 * Access of spectators, who have no account, and its rate limit. Source: protocol/permissions.md 10.4,
 * protocol/errors.md 8.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { fetchFile, upload } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

/** An organization with a web-public channel and a file in it. */
const setUp = async () => {
  const realm = await newRealm()
  const [owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
  await ok(owner, 'PATCH', '/realm', { enable_spectator_access: true })
  await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'open' }], is_web_public: true })
  const { url } = (await upload(owner, '/user_uploads', { filename: 'a.txt', type: 'text/plain', data: 'hello' })).json
  await ok(owner, 'POST', '/messages', { type: 'stream', to: 'open', topic: 't', content: `[a](${url})` })
  return { realm, owner, url: url as string, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

describe('A server with WEB_PUBLIC_STREAMS_ENABLED off', () => {
  let gateway: TestProcess
  beforeAll(async () => {
    gateway = await startGateway({ WEB_PUBLIC_STREAMS_ENABLED: 'off' })
  })
  afterAll(() => gateway.stop())

  test('The server refuses every request of a spectator.', async () => {
    await using s = await setUp()
    const options = { host: s.realm.host, url: gateway.url }
    for (const [method, path] of [
      ['POST', '/register'],
      ['GET', '/users'],
      ['GET', '/messages'],
    ] as const) {
      const params = path === '/messages' ? { narrow: [{ operator: 'channels', operand: 'web-public' }] } : {}
      const elsewhere = await call(undefined, method, path, { ...params, anchor: 'newest' }, { host: s.realm.host })
      expect([path, elsewhere.status]).toEqual([path, 200])
      const { status, body } = await call(undefined, method, path, { ...params, anchor: 'newest' }, options)
      expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    }
    const port = Number(new URL(gateway.url).port)
    expect((await sendRequest(port, { path: s.url, host: s.realm.host })).status).toBe(401)
    expect((await call(undefined, 'GET', '/server_settings', {}, options)).body.realm_web_public_access_enabled).toBe(
      false,
    )
  })

  test('The server refuses to create or make web-public channels.', async () => {
    await using s = await setUp()
    const at = { url: gateway.url }
    const options = { subscriptions: [{ name: 'another' }], is_web_public: true }
    // The organization has turned web access on.
    const msg = 'The operator of this server has turned off WEB_PUBLIC_STREAMS_ENABLED: no channel can be web-public.'
    expect((await call(s.owner, 'POST', '/users/me/subscriptions', options, at)).body.msg).toBe(msg)
    await ok(s.owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'other' }] }, at)
    const { stream_id } = await ok(s.owner, 'GET', '/get_stream_id', { stream: 'other' }, at)
    expect((await call(s.owner, 'PATCH', `/streams/${stream_id}`, { is_web_public: true }, at)).body.msg).toBe(msg)
    expect(await ok(s.owner, 'POST', '/register', { fetch_event_types: ['realm', 'realm_user'] }, at)).toMatchObject({
      server_web_public_streams_enabled: false,
      can_create_web_public_streams: false,
      realm_enable_spectator_access: true,
    })
  })
})

test('The server limits how often spectators download a file in a day, and does not limit users.', async () => {
  await using s = await setUp()
  await using gateway = await startGateway({ RATE_LIMITS: 'on', RATES: 'spectator_attachment_access_by_file=3/86400' })
  const port = Number(new URL(gateway.url).port)
  const get = () => sendRequest(port, { path: s.url, host: s.realm.host })
  for (let n = 0; n < 3; n++) expect((await get()).status).toBe(200)
  expect((await get()).status).toBe(429)
  const link = await sendRequest(port, { path: `/api/v1${s.url}`, host: s.realm.host })
  expect([link.status, link.json.code]).toEqual([429, 'RATE_LIMIT_HIT'])
  const { host, email, api_key } = s.owner
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
  expect((await sendRequest(port, { path: s.url, host, authorization })).status).toBe(200)
})

test('The server accepts a valid API key in the URL of a file and refuses an invalid one.', async () => {
  await using s = await setUp()
  await using gateway = await startGateway()
  const get = async (key: string) => {
    const answer = await sendRequest(Number(new URL(gateway.url).port), {
      path: `${s.url}?api_key=${key}`,
      host: s.realm.host,
    })
    return [
      answer.status,
      answer.status === 200 ? answer.text : answer.json.code,
      answer.status === 200 ? '' : answer.json.msg,
    ]
  }
  expect(await get(s.owner.api_key)).toEqual([200, 'hello', ''])
  expect(await get('x'.repeat(32))).toEqual([401, 'INVALID_API_KEY', 'This API key does not belong to this account.'])
  expect(await get('short')).toEqual([401, 'INVALID_API_KEY', 'An API key is 32 letters and digits.'])
})

test('A spectator reads the day on which a system bot joined, has no queue, and can poll none.', async () => {
  await using s = await setUp()
  const { owner } = s
  const { body } = await call(undefined, 'POST', '/register', {}, { host: owner.host })
  const { queue_id, cross_realm_bots } = body as { queue_id: unknown; cross_realm_bots: { date_joined: string }[] }
  expect(queue_id).toBeNull()
  expect(body).not.toHaveProperty('last_event_id')
  expect(cross_realm_bots.length).toBeGreaterThan(0)
  for (const { date_joined } of cross_realm_bots) expect(date_joined).toMatch(/^\d{4}-\d\d-\d\dT00:00\+00:00$/)
  const own = await ok(owner, 'POST', '/register', { fetch_event_types: ['realm_user'] })
  expect((own.cross_realm_bots as { date_joined: string }[])[0]?.date_joined).toContain('T')
  // Existing clients of spectators show a page and do not poll, so there is no queue without an account.
  const poll = await call(undefined, 'GET', '/events', { queue_id: 'x', last_event_id: -1 }, { host: owner.host })
  expect([poll.status, poll.body.code]).toEqual([401, 'UNAUTHORIZED'])
})

test('Messages and files of a web-public channel are closed to spectators while it is archived.', async () => {
  await using s = await setUp()
  const { owner, url: file } = s
  await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'other' }], is_web_public: true })
  const { stream_id } = await ok(owner, 'GET', '/get_stream_id', { stream: 'open' })
  const { messages } = await ok(owner, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 50,
    narrow: [['topic', 't']],
  })
  const id = messages[0]?.id
  const at = { host: owner.host }
  const narrow = [{ operator: 'channels', operand: 'web-public' }]
  const read = async () => {
    const { body } = await call(undefined, 'GET', '/messages', { anchor: 'newest', num_before: 50, narrow }, at)
    return {
      file: (await fetchFile(owner.host, file)).status,
      message: (await call(undefined, 'GET', `/messages/${id}`, {}, at)).status,
      page: (body.messages as { id: number }[]).some((message) => message.id === id),
    }
  }
  const visible = { file: 200, message: 200, page: true }
  expect(await read()).toEqual(visible)
  await ok(owner, 'DELETE', `/streams/${stream_id}`)
  expect(await read()).toEqual({ file: 401, message: 401, page: false })
  expect((await fetchFile(owner.host, file, owner)).status).toBe(200)
  await ok(owner, 'PATCH', `/streams/${stream_id}`, { is_archived: false })
  expect(await read()).toEqual(visible)
})

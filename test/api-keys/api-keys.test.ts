/** API keys with a name: what each scope permits on every transport, and that a key that has ended permits nothing. */
import { expect, test } from 'vitest'
import { keyScopes, MAX_KEYS } from '../../src/domain/api-keys/api-keys.js'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import type { KeyScope } from '../../src/domain/log/rows.js'
import { registry } from '../../src/gateway/api/index.js'
import { requiredScope } from '../../src/gateway/call/key-scope.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { type Answer, anyGateway, call, gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { commitRowChanges } from '../setup/realm/row-changes.js'
import { fetchFile, upload } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { openSocket } from '../setup/requests/socket.js'

const setUp = async () => {
  const realm = await newRealm()
  const names = [{ full_name: 'Owner', role: 100 }, { full_name: 'Admin', role: 200 }, { full_name: 'Ada' }]
  const [owner, admin, ada] = (await realm.people(...names)) as [Person, Person, Person]
  await ok(owner, 'POST', '/channels/create', { name: 'design', subscribers: [owner.user_id, ada.user_id] })
  return { realm, owner, admin, ada, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

interface Key {
  /** the account with the key */
  with: Person
  id: number
}

/** Makes a key of the account. */
const makeKey = async (person: Person, scope: KeyScope, more: Record<string, unknown> = {}): Promise<Key> => {
  const made = await ok(person, 'POST', '/users/me/api_keys', { name: `A ${scope} key`, scope, ...more })
  return { with: { ...person, api_key: String(made.api_key) }, id: Number(made.id) }
}

const outcome = ({ status, body }: Answer) => `${status} ${body.code ?? body.result}`
const message = { type: 'channel', to: 'design', topic: 'logo', content: 'Hello' }
const refused = '403 API_KEY_SCOPE'
const closed = '403 API_KEY_NOT_ACCEPTED'
const ended = '401 UNAUTHORIZED'

test('A key is listed with its scope and its last use, and its text is stored nowhere.', async () => {
  await using s = await setUp()
  const expires_at = Math.floor(Date.now() / 1000) + 3_600
  const key = await makeKey(s.ada, 'read', { name: 'Dashboard', expires_at })
  expect(key.with.api_key).toMatch(/^[0-9A-Za-z]{32}$/)
  const { api_keys } = await ok(s.ada, 'GET', '/users/me/api_keys')
  expect(api_keys).toEqual([
    { id: key.id, name: 'Dashboard', scope: 'read', created_at: expect.any(Number), expires_at, last_used_at: null },
  ])
  const stored = await s.realm
    .sql`select row_to_json(k)::text as text from api_keys k where realm_id = ${s.realm.realm_id}`
  for (const { text } of stored) expect(text).not.toContain(key.with.api_key)
  expect(outcome(await call(key.with, 'GET', '/users/me'))).toBe('200 success')
})

test.each(keyScopes)('A key with the scope "%s" permits what it names, and no more.', async (scope) => {
  await using s = await setUp()
  const key = await makeKey(s.owner, scope)
  const get = await call(key.with, 'GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  const post = await call(key.with, 'POST', '/messages', message)
  const administer = await call(key.with, 'PATCH', '/realm', { description: `By ${scope}` })
  const see = await call(key.with, 'GET', '/realm/audit_log')
  const may = (wanted: KeyScope) => (keyScopes.indexOf(scope) >= keyScopes.indexOf(wanted) ? '200 success' : refused)
  expect([get, post, administer, see].map(outcome)).toEqual([
    may('read'),
    may('write'),
    may('administer'),
    may('administer'),
  ])
})

test('A key never permits more than its account may do.', async () => {
  await using s = await setUp()
  const key = await makeKey(s.ada, 'administer')
  const answer = await call(key.with, 'PATCH', '/realm', { description: 'Mine' })
  expect(answer.body.msg).toBe((await call(s.ada, 'PATCH', '/realm', { description: 'Mine' })).body.msg)
})

test('No key makes or ends keys, or changes how its account logs in.', async () => {
  await using s = await setUp()
  const key = await makeKey(s.owner, 'administer')
  const calls = [
    ['POST', '/users/me/api_keys', { name: 'Another', scope: 'read' }],
    ['DELETE', `/users/me/api_keys/${key.id}`, {}],
    ['DELETE', `/realm/api_keys/${key.id}`, {}],
    ['POST', '/users/me/api_key/regenerate', {}],
    ['PATCH', '/settings', { email: 'attacker@example.com' }],
    ['POST', '/settings', { method: 'PATCH', email: 'attacker@example.com' }],
    ['DELETE', '/users/me', {}],
    ['DELETE', '/sessions/1', {}],
    ['POST', '/users/me/apns_device_token', { token: 'abc', appid: 'x' }],
  ] as const
  for (const [method, path, params] of calls) {
    expect(outcome(await call(key.with, method, path, params)), `${method} ${path}`).toBe(closed)
  }
  expect((await ok(s.owner, 'GET', '/users/me/api_keys')).api_keys).toHaveLength(1)
})

test('A read key changes nothing: not over a socket, by a method in a field, nor by an upload.', async () => {
  await using s = await setUp()
  const sent = await ok(s.ada, 'POST', '/messages', message)
  const key = await makeKey(s.ada, 'read')
  await using socket = await openSocket(key.with)
  const edit = { content: 'Changed' }
  expect(outcome(await socket.call('POST', '/messages', message))).toBe(refused)
  expect(outcome(await socket.call('PATCH', `/messages/${sent.id}`, edit))).toBe(refused)
  expect(outcome(await socket.call('GET', '/users/me'))).toBe('200 success')
  expect(outcome(await call(key.with, 'PATCH', `/messages/${sent.id}`, edit))).toBe(refused)
  expect(outcome(await call(key.with, 'POST', `/messages/${sent.id}`, { method: 'PATCH', ...edit }))).toBe(refused)
  expect(outcome(await call(key.with, 'POST', '/event_subscriptions', { address: 'https://example.com' }))).toBe(
    refused,
  )
  const small = await upload(key.with, '/user_uploads', {
    filename: 'a.txt',
    type: 'text/plain',
    data: Buffer.from('a'),
  })
  const data = Buffer.alloc(300_000, 'a')
  const large = await upload(key.with, '/user_uploads', { filename: 'a.txt', type: 'text/plain', data })
  expect([small.json.code, large.json.code]).toEqual(['API_KEY_SCOPE', 'API_KEY_SCOPE'])
  const tus = await sendRequest(portOf(anyGateway()), {
    method: 'POST',
    path: '/api/v1/tus/',
    host: s.ada.host,
    headers: {
      Authorization: `Basic ${Buffer.from(`${s.ada.email}:${key.with.api_key}`).toString('base64')}`,
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '3',
    },
  })
  expect(tus.status).toBe(403)
  const { message: kept } = await ok(s.ada, 'GET', `/messages/${sent.id}`, { apply_markdown: false })
  expect((kept as { content: string }).content).toBe('Hello')
})

test('A read key gets no key of a bot: neither by a list, a registration nor a queue of its account.', async () => {
  await using s = await setUp()
  const bot = await ok(s.ada, 'POST', '/bots', { full_name: 'Bot', short_name: 'bot' })
  const [key, full] = [await makeKey(s.ada, 'read'), await makeKey(s.ada, 'administer')]
  expect(outcome(await call(key.with, 'GET', '/bots'))).toBe(refused)
  expect(outcome(await call(key.with, 'GET', `/bots/${bot.user_id}/api_key`))).toBe(refused)
  for (const params of [{}, { event_types: ['realm_bot'] }, { fetch_event_types: ['realm_bot'] }]) {
    const registered = await ok(key.with, 'POST', '/register', params)
    expect(JSON.stringify(registered)).not.toContain(bot.api_key)
  }
  const own = await ok(s.ada, 'POST', '/register', { event_types: ['realm_bot'] })
  const reading = { queue_id: own.queue_id, last_event_id: own.last_event_id, dont_block: true }
  expect(outcome(await call(key.with, 'GET', '/events', reading))).toBe('400 BAD_EVENT_QUEUE_ID')
  expect(outcome(await call(full.with, 'GET', '/events', reading))).toBe('200 success')
  const queue = await ok(key.with, 'POST', '/register', {})
  await ok(s.ada, 'POST', `/bots/${bot.user_id}/api_key/regenerate`)
  await ok(s.ada, 'POST', '/messages', message)
  const { events } = await ok(key.with, 'GET', '/events', {
    queue_id: queue.queue_id,
    last_event_id: queue.last_event_id,
  })
  expect((events as { type: string }[]).map(({ type }) => type)).not.toContain('realm_bot')
})

test('A key that was ended permits nothing in any gateway; its sockets and polls close, and no others.', async () => {
  await using s = await setUp()
  const [key, other] = [await makeKey(s.ada, 'write'), await makeKey(s.ada, 'read')]
  const [one = '', two = ''] = gateways()
  await using socket = await openSocket(key.with, one)
  await using kept = await openSocket(other.with, one)
  const queue = await ok(key.with, 'POST', '/register', { event_types: ['message'], fetch_event_types: [] })
  const at = { queue_id: queue.queue_id, last_event_id: queue.last_event_id }
  const poll = call(key.with, 'GET', '/events', at, { url: two })
  await ok(s.ada, 'DELETE', `/users/me/api_keys/${key.id}`)
  expect(await socket.closed).toBe(4501)
  expect(outcome(await poll)).toBe(ended)
  for (const url of gateways()) {
    expect(outcome(await call(key.with, 'GET', '/users/me', {}, { url })), url).toBe(ended)
    expect(outcome(await call(key.with, 'POST', '/messages', message, { url })), url).toBe(ended)
  }
  expect(outcome(await kept.call('GET', '/users/me'))).toBe('200 success')
  expect(outcome(await call(s.ada, 'DELETE', `/users/me/api_keys/${key.id}`))).toBe('400 BAD_REQUEST')
})

test('A key ends at its end date, also for files, and is still listed.', async () => {
  await using s = await setUp()
  const key = await makeKey(s.ada, 'read', { expires_at: Math.floor(Date.now() / 1000) + 3_600 })
  const file = await upload(s.ada, '/user_uploads', { filename: 'a.txt', type: 'text/plain', data: Buffer.from('a') })
  const path = String(file.json.url)
  const byAddress = () => fetchFile(s.ada.host, `${path}?api_key=${key.with.api_key}`)
  expect([(await fetchFile(s.ada.host, path, key.with)).status, (await byAddress()).status]).toEqual([200, 200])
  const { realm } = s.realm
  await realm.barrier()
  const expires_at = Math.floor(Date.now() / 1000) - 1
  await commitRowChanges(
    s.realm,
    [...realm.state.apiKeys.values()].map((row) => composeUpdate('api_keys', row, { expires_at })),
  )
  const answer = await call(key.with, 'GET', '/users/me')
  expect([outcome(answer), answer.body.msg]).toEqual([
    ended,
    'This API key has expired: make a new one in your settings.',
  ])
  expect([(await fetchFile(s.ada.host, path, key.with)).status, (await byAddress()).status]).toEqual([401, 401])
  expect((await ok(s.ada, 'GET', '/users/me/api_keys')).api_keys).toMatchObject([{ id: key.id, expires_at }])
})

test('A key ends with the first key of its account, and a deactivated account has none that works.', async () => {
  await using s = await setUp()
  const key = await makeKey(s.ada, 'read')
  await ok(s.owner, 'DELETE', `/users/${s.ada.user_id}`)
  expect(outcome(await call(key.with, 'GET', '/users/me'))).toBe(ended)
  await ok(s.owner, 'POST', `/users/${s.ada.user_id}/reactivate`)
  expect(outcome(await call(key.with, 'GET', '/users/me'))).not.toBe(refused)
  const { api_key } = await ok(s.admin, 'GET', '/users/me').then(() =>
    ok(s.admin, 'POST', '/users/me/api_key/regenerate'),
  )
  const admin = { ...s.admin, api_key: String(api_key) }
  const second = await makeKey(admin, 'read')
  const renewed = await ok(admin, 'POST', '/users/me/api_key/regenerate')
  expect(outcome(await call(second.with, 'GET', '/users/me'))).toBe(ended)
  const now = { ...s.admin, api_key: String(renewed.api_key) }
  expect((await ok(now, 'GET', '/users/me/api_keys')).api_keys).toEqual([])
})

test('The key of another account or organization is refused.', async () => {
  await using s = await setUp()
  await using t = await setUp()
  const key = await makeKey(s.ada, 'administer')
  const stolen = [
    { ...s.owner, api_key: key.with.api_key },
    { ...t.ada, api_key: key.with.api_key },
    { ...key.with, api_key: key.with.api_key.toLowerCase() },
  ]
  for (const account of stolen) expect(outcome(await call(account, 'GET', '/users/me'))).toBe(ended)
  const elsewhere = await call(key.with, 'GET', '/users/me', {}, { host: t.ada.host })
  expect(elsewhere.status).toBe(401)
  expect(outcome(await call(t.owner, 'DELETE', `/realm/api_keys/${key.id}`))).toBe('400 BAD_REQUEST')
  expect(outcome(await call(s.admin, 'DELETE', `/users/me/api_keys/${key.id}`))).toBe('400 BAD_REQUEST')
})

test('Administrators list and end the keys of others; only owners end those of owners. The audit log says so.', async () => {
  await using s = await setUp()
  const [ofAda, ofOwner] = [await makeKey(s.ada, 'write'), await makeKey(s.owner, 'administer')]
  const { api_keys, has_more } = await ok(s.admin, 'GET', '/realm/api_keys', { limit: 1 })
  expect([api_keys, has_more]).toMatchObject([[{ id: ofAda.id, user_id: s.ada.user_id }], true])
  expect((await ok(s.admin, 'GET', '/realm/api_keys', { after: ofAda.id })).api_keys).toMatchObject([
    { id: ofOwner.id },
  ])
  expect((await call(s.ada, 'GET', '/realm/api_keys')).status).not.toBe(200)
  expect(outcome(await call(s.admin, 'DELETE', `/realm/api_keys/${ofOwner.id}`))).toBe('400 UNAUTHORIZED_PRINCIPAL')
  await ok(s.admin, 'DELETE', `/realm/api_keys/${ofAda.id}`)
  expect(outcome(await call(ofAda.with, 'GET', '/users/me'))).toBe(ended)
  const { acts } = await ok(s.owner, 'GET', '/realm/audit_log')
  const ofKeys = (acts as { user_id: number; changes: { table: string; before: unknown; after: unknown }[] }[]).flatMap(
    ({ user_id, changes }) =>
      changes.filter(({ table }) => table === 'api_keys').map((change) => ({ user_id, change })),
  )
  expect(ofKeys.map(({ user_id }) => user_id)).toEqual([s.admin.user_id, s.owner.user_id, s.ada.user_id])
  expect(ofKeys[0]?.change).toMatchObject({
    before: { name: 'A write key', token_hash: '(not recorded)' },
    after: null,
  })
})

test('A key has a name of its own and an end in the future, and an account has a bounded number of keys.', async () => {
  await using s = await setUp()
  await makeKey(s.ada, 'read', { name: 'One' })
  const now = Math.floor(Date.now() / 1000)
  const wrong = [{ name: 'One' }, { name: ' ' }, { name: 'x'.repeat(61) }, { name: 'Two', expires_at: now - 1 }]
  for (const params of [...wrong, { name: 'Two', expires_at: 99_999_999_999 }, { name: 'Two', scope: 'all' }]) {
    const answer = await call(s.ada, 'POST', '/users/me/api_keys', { scope: 'read', ...params })
    expect(outcome(answer), JSON.stringify(params)).toMatch(/^400 /)
  }
  for (let i = 1; i < MAX_KEYS; i++) await makeKey(s.ada, 'read', { name: `Key ${i}` })
  expect(outcome(await call(s.ada, 'POST', '/users/me/api_keys', { scope: 'read', name: 'More' }))).toBe(
    '400 BAD_REQUEST',
  )
})

test('A repeated call that makes a key makes one, and shows it again.', async () => {
  await using s = await setUp()
  await using socket = await openSocket(s.ada)
  const make = () => socket.call('POST', '/users/me/api_keys', { name: 'CI', scope: 'write' }, 'one key')
  const [first, second] = [await make(), await make()]
  expect(second.body).toMatchObject({ id: first.body.id, api_key: first.body.api_key })
  expect((await ok(s.ada, 'GET', '/users/me/api_keys')).api_keys).toHaveLength(1)
})

test('A key opens no stream by a ticket, which would outlive it.', async () => {
  await using s = await setUp()
  const key = await makeKey(s.ada, 'administer')
  const { queue_id } = await ok(key.with, 'POST', '/register', { event_types: [] })
  expect(outcome(await call(key.with, 'POST', '/events/ticket', { queue_id }))).toBe(closed)
})

test('No endpoint that changes something is open to read keys, except reading by another method.', () => {
  const open = Object.entries(registry).filter(
    ([, endpoint]) => endpoint.callers !== 'anyone' && endpoint.method !== 'GET' && requiredScope(endpoint) === 'read',
  )
  expect(open.map(([name]) => name).sort()).toEqual([
    'acknowledgeEvent',
    'deleteEvents',
    'deletePosition',
    'register',
    'renderMessage',
  ])
})

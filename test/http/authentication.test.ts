/** Authentication and permission of callers, and the errors of refused calls. Source: protocol/errors.md 4 and 6. */
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { deriveApiKey } from '../../src/domain/deployment/api-key.js'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { type AccessRuleName, accessRules } from '../../src/gateway/call/access-rules.js'
import { endpoint } from '../../src/gateway/call/endpoint.js'
import {
  credentials,
  namedUserRow,
  secret,
  type TinyServer,
  tinyRealm,
  tinyServer,
} from '../setup/processes/tiny-server.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const ada = namedUserRow(1, 'ada')
const owner = namedUserRow(2, 'owner', { role: Role.owner })
const admin = namedUserRow(3, 'admin', { role: Role.administrator })
const guest = namedUserRow(4, 'guest', { role: Role.guest })
const bot = namedUserRow(5, 'bot', { is_bot: true, bot_type: BotType.generic })
const hook = namedUserRow(6, 'hook', { is_bot: true, bot_type: BotType.incomingWebhook })
const gone = namedUserRow(7, 'gone', { is_active: false })
const people = { ada, owner, admin, guest, bot, hook }
const realm = tinyRealm(1, 'acme', Object.values({ ...people, gone }))
const other = tinyRealm(2, 'other', [namedUserRow(1, 'eve')])
const closed = tinyRealm(3, 'closed', [ada], { is_active: false })
const open = tinyRealm(4, 'open', [ada], { settings: { enable_spectator_access: true } })

const registry = Object.fromEntries(
  (Object.keys(accessRules) as AccessRuleName[]).map((name) => [
    name,
    endpoint({
      method: 'POST',
      path: `/${name}`,
      summary: `For ${name}.`,
      callers: name,
      params: {},
      response: z.object({ id: z.int().nullable(), client: z.string().nullable() }),
      handle: ({ caller }) => ({ id: caller?.id ?? null, client: caller?.client ?? null }),
    }),
  ]),
)

let server: TinyServer
beforeAll(async () => {
  server = await tinyServer(registry, { realms: [realm, other, closed, open] })
})

const call = async (name: string, authorization?: string, host = 'acme.parley.test', headers = {}) => {
  const answer = await sendRequest(server.port, {
    method: 'POST',
    path: `/api/v1/${name}`,
    host,
    authorization,
    headers,
  })
  return { ...answer, json: answer.json }
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const key = deriveApiKey(secret, realm.id, ada.id, 1)

describe('Authentication of an account', () => {
  test.each([
    ['its API address', `${ada.email}:${key}`],
    ['its real address', `${ada.delivery_email}:${key}`],
    ['its address in another case', `${ada.email.toUpperCase()}:${key}`],
    ['spaces around both', ` ${ada.email} : ${key} `],
  ])('An account is identified by %s.', async (_, text) => {
    expect((await call('account', basic(text))).json).toMatchObject({ result: 'success', id: ada.id })
  })

  test.each([
    [
      'without credentials',
      undefined,
      401,
      'UNAUTHORIZED',
      'Log in first: send the email and API key of an account as HTTP basic authentication.',
    ],
    [
      'with another scheme',
      'Bearer x',
      400,
      'BAD_REQUEST',
      'Only HTTP basic authentication (email and API key) is accepted here.',
    ],
    [
      'with invalid base64',
      'Basic %%%',
      401,
      'UNAUTHORIZED',
      'The Authorization header must be Basic with base64 of email:API key.',
    ],
    [
      'with nothing after the scheme',
      'Basic',
      401,
      'UNAUTHORIZED',
      'The Authorization header must be Basic with base64 of email:API key.',
    ],
    [
      'without a colon',
      basic('ada'),
      401,
      'UNAUTHORIZED',
      'The Authorization header must be Basic with base64 of email:API key.',
    ],
    [
      'with two colons',
      basic(`${ada.email}:${key}:`),
      401,
      'UNAUTHORIZED',
      'The Authorization header must be Basic with base64 of email:API key.',
    ],
    [
      'with a key of the wrong length',
      basic(`${ada.email}:short`),
      401,
      'UNAUTHORIZED',
      'An API key is 32 letters and digits.',
    ],
    [
      'with a key of other characters',
      basic(`${ada.email}:${'é'.repeat(32)}`),
      401,
      'UNAUTHORIZED',
      'An API key is 32 letters and digits.',
    ],
    [
      'with a wrong key',
      basic(`${ada.email}:${'x'.repeat(32)}`),
      401,
      'UNAUTHORIZED',
      'This API key does not belong to this account.',
    ],
    [
      "with another's address",
      basic(`${admin.email}:${key}`),
      401,
      'UNAUTHORIZED',
      'This API key does not belong to this account.',
    ],
    [
      'with an unknown address',
      basic(`x@y.z:${key}`),
      401,
      'UNAUTHORIZED',
      'This API key does not belong to this account.',
    ],
    [
      'of a deactivated account',
      credentials(realm, gone),
      401,
      'UNAUTHORIZED',
      'This account is deactivated: ask an administrator of the organization.',
    ],
    [
      'with an account of another organization',
      credentials(other, namedUserRow(1, 'eve')),
      401,
      'UNAUTHORIZED',
      'This account belongs to another organization: call it under its own address.',
    ],
  ])('A call %s is refused.', async (_, authorization, status, code, msg) => {
    const answer = await call('account', authorization)
    expect([answer.status, answer.json]).toEqual([status, { result: 'error', msg, code }])
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="zulip"' : undefined)
  })

  test('An account of a deactivated organization is refused.', async () => {
    const { status, json } = await call('account', credentials(closed, ada), 'closed.parley.test')
    expect([status, json.msg]).toEqual([401, 'This organization is deactivated.'])
  })

  test('An account is refused as soon as its API key changes, even after successful calls.', async () => {
    const local = tinyRealm(9, 'local', [ada])
    const { port } = await tinyServer(registry, { realms: [local] })
    const authorization = credentials(local, ada)
    const status = async () =>
      (await sendRequest(port, { method: 'POST', path: '/api/v1/account', host: 'local.parley.test', authorization }))
        .status
    expect(await status()).toBe(200)
    expect(await status()).toBe(200)
    const change = composeUpdate('users', ada, { key_version: 2 })
    if (change !== undefined) local.state.apply(change)
    expect(await status()).toBe(401)
    expect(await status()).toBe(401)
  })
})

test('A call to an unknown host name is refused with NONEXISTENT_SUBDOMAIN.', async () => {
  const { status, json } = await call('account', credentials(realm, ada), 'nowhere.parley.test')
  expect([status, json]).toEqual([
    404,
    { result: 'error', msg: 'There is no organization at this address.', code: 'NONEXISTENT_SUBDOMAIN' },
  ])
})

test('A call to the base domain is refused if there is no root organization.', async () => {
  const { status, json } = await call('account', credentials(realm, ada), 'parley.test')
  expect([status, json.msg]).toEqual([400, 'Call this under the address of an organization.'])
})

test('The root organization is served on every other host name.', async () => {
  const { port } = await tinyServer(registry, { realms: [realm], env: { ROOT_REALM: 'acme' } })
  for (const host of ['parley.test', '127.0.0.1:9991', '[::1]:9991', 'chat.example.com', 'ACME.parley.test:80']) {
    const answer = await sendRequest(port, {
      method: 'POST',
      path: '/api/v1/account',
      host,
      authorization: credentials(realm, ada),
    })
    expect(answer.json, host).toMatchObject({ id: ada.id })
  }
})

const bots = 'Bots may not do this.'
const guests = 'Guests may not do this.'
const administrators = 'Only administrators of the organization may do this.'
const owners = 'Only owners of the organization may do this.'
const webhooks = 'Incoming webhook bots may only send messages.'
const channels = 'Only administrators may change the default channels.'
const drafts = 'Turn on the setting enable_drafts_synchronization first.'

describe.each<[AccessRuleName, Partial<Record<keyof typeof people, string>>]>([
  ['account', { hook: webhooks }],
  ['webhookBot', {}],
  ['human', { bot: bots, hook: webhooks }],
  ['member', { guest: guests, bot: bots, hook: webhooks }],
  ['nonGuest', { guest: guests, hook: webhooks }],
  ['administrator', { ada: administrators, guest: administrators, bot: administrators, hook: webhooks }],
  ['owner', { ada: owners, admin: owners, guest: owners, bot: owners, hook: webhooks }],
  ['defaultChannelEditor', { ada: channels, guest: channels, bot: channels, hook: webhooks }],
  ['draftSynchronizer', { hook: webhooks }],
])('Endpoints for the caller class %s', (name, refused) => {
  test.each(Object.entries(people))(
    'The endpoint answers the caller %s according to the class.',
    async (person, user) => {
      const { json } = await call(name, credentials(realm, user))
      const msg = refused[person as keyof typeof people]
      expect(json.msg).toBe(msg ?? '')
      if (msg === webhooks) expect(json.code).toBe('UNAUTHORIZED')
      else if (msg === administrators || msg === owners) expect(json.code).toBe('UNAUTHORIZED_PRINCIPAL')
      else if (msg !== undefined) expect(json.code).toBe('BAD_REQUEST')
    },
  )
})

test('A user who turned off draft synchronization cannot call the endpoints for drafts.', async () => {
  const local = tinyRealm(9, 'local', [namedUserRow(1, 'ada', { settings: { enable_drafts_synchronization: false } })])
  const { port } = await tinyServer(registry, { realms: [local] })
  const authorization = credentials(local, ada)
  const answer = await sendRequest(port, {
    method: 'POST',
    path: '/api/v1/draftSynchronizer',
    host: 'local.parley.test',
    authorization,
  })
  expect(answer.json.msg).toBe(drafts)
})

describe('Calls without credentials', () => {
  test('An endpoint for anyone can be called without credentials and with invalid ones.', async () => {
    for (const authorization of [undefined, 'nonsense', credentials(realm, gone)]) {
      expect((await call('anyone', authorization)).json).toMatchObject({ result: 'success', id: null })
    }
  })

  test('A spectator can call an endpoint if spectator access is on and there is a web-public channel.', async () => {
    expect((await call('spectator')).status).toBe(401)
    expect((await call('spectator', undefined, 'open.parley.test')).status).toBe(401)
    open.state.channels.set(1, { id: 1, is_web_public: true, is_archived: false } as never)
    expect((await call('spectator', undefined, 'open.parley.test')).json).toMatchObject({ id: null })
    expect((await call('spectator', credentials(open, ada), 'open.parley.test')).json).toMatchObject({ id: ada.id })
    expect((await call('spectator', 'Basic x', 'open.parley.test')).status).toBe(401)
  })
})

describe('The client name of a call', () => {
  const client = async (headers: Record<string, string>, path = 'account') =>
    (await call(path, credentials(realm, ada), undefined, headers)).json.client

  test('The client name is the first word of the User-Agent header.', async () => {
    expect(await client({ 'User-Agent': 'ZulipPython/0.9.1 (Linux; 5.4)' })).toBe('ZulipPython')
    expect(await client({ 'User-Agent': 'ZulipMobile' })).toBe('ZulipMobile')
    expect(await client({ 'User-Agent': '' })).toBe('Unspecified')
  })

  test('The parameter client overrides the User-Agent header.', async () => {
    expect(await client({ 'User-Agent': 'curl/8' }, 'account?client=website')).toBe('website')
  })
})

/**
 * Logging in with a password, a token or without one, login mails, and limits on guesses. Source: protocol/endpoints.md
 * 3.12, protocol/errors.md 4 and 8.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { hashPassword, storePassword } from '../../src/store/users/passwords.js'
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import { listen } from '../setup/realm/event-listener.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { readMails, waitForMails } from '../setup/realm/mails.js'
import { anyGateway, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const password = 'correct horse battery staple'

/** An organization in which Ada has a password. */
const setUp = async () => {
  const realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  await storePassword(realm.sql, realm.realm_id, ada.user_id, await hashPassword(password))
  return { realm, ada, grace, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const GUESSES = 3
const MANY_GUESSES = 8
const limited = {
  RATE_LIMITS: 'on',
  RATES: `authenticate_by_username=${GUESSES}/1800 authenticate_by_account=${MANY_GUESSES}/1800 authenticate_by_ip=12/1800 api_by_ip=1000/60`,
  TRUSTED_PROXIES: '127.0.0.1',
}

let gateways: [TestProcess, TestProcess]
beforeAll(async () => {
  gateways = [await startGateway(limited), await startGateway(limited)]
})
afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop())))

let address = 0
/** An IP address that no other test uses. */
const newIp = () => `198.18.${process.pid % 256}.${++address}`

const login = async (realm: TestRealm, username: string, given: string, ip: string, n = 0) => {
  const { status, json, headers } = await sendRequest(Number(new URL(gateways[n % 2]?.url ?? '').port), {
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    host: realm.host,
    headers: { 'X-Forwarded-For': ip },
    body: new URLSearchParams({ username, password: given }).toString(),
  })
  return { status, json, headers }
}

describe('Login notification mails', () => {
  const monthOld = Math.floor(Date.now() / 1_000) - 30 * 86_400
  const [phone, laptop] = ['ParleyMobile/1.0 (Android)', 'ParleyTerminal/1.0 (Linux)']

  /** An organization in which Mary has had an account and a password for 30 days. */
  const stageWithOldUser = async (settings = {}) => {
    const realm = await newRealm()
    const email = `mary-${realm.host}@example.com`
    const date_joined = monthOld
    const [mary] = (await realm.people({ full_name: 'Mary', email, date_joined, settings })) as [Person]
    await storePassword(realm.sql, realm.realm_id, mary.user_id, await hashPassword(password))
    const logIn = async (ip: string, agent: string, client?: string) => {
      const body = { username: email, password, ...(client === undefined ? {} : { client }) }
      const answer = await sendRequest(Number(new URL(gateways[0].url).port), {
        method: 'POST',
        path: '/api/v1/fetch_api_key',
        host: realm.host,
        headers: { 'X-Forwarded-For': ip, 'User-Agent': agent },
        body: new URLSearchParams(body).toString(),
      })
      expect(answer.json.api_key).toBe(mary.api_key)
    }
    return { realm, email, mary, comes: logIn, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
  }
  const countLoginMails = async ({ sql, realm_id }: TestRealm) =>
    (await sql`select payload from jobs where realm_id = ${realm_id} and kind = 'login_mail'`).length

  test('A user receives one mail per new combination of client program and network.', async () => {
    await using s = await stageWithOldUser()
    const [home, work] = ['198.51.100.7', '203.0.113.9']
    for (const ip of [home, home]) await s.comes(ip, phone)
    const [mail] = (await waitForMails(s.email)) as [string]
    expect(mail).toContain('with ParleyMobile')
    expect(mail).toContain(`from ${home}`)
    expect(mail).toMatch(/at \d{4}-\d\d-\d\d \d{1,2}:\d\d [AP]M UTC/)
    expect(mail).toContain('/accounts/password/reset')
    await Promise.all([s.comes(home, laptop), s.comes(home, laptop)])
    await s.comes(work, phone)
    await s.comes(home, phone)
    expect(await countLoginMails(s.realm)).toBe(3)
    await waitForMails(s.email, 3)
  })

  test('A user receives no login mail if they opted out, are new, or have had too many.', async () => {
    await using s = await stageWithOldUser({ enable_login_emails: false })
    await s.comes(newIp(), phone)
    await using fresh = await setUp()
    expect((await login(fresh.realm, 'ada@example.com', password, newIp())).status).toBe(200)
    expect(await countLoginMails(fresh.realm)).toBe(0)
    await using other = await stageWithOldUser()
    const { sql, realm_id } = other.realm
    await sql`
      insert into logins (realm_id, user_id, client, network, last_at)
      select ${realm_id}, ${other.mary.user_id}, 'p' || n, '', ${monthOld + 86_400} from generate_series(1, 50) n`
    await other.comes(newIp(), phone)
    expect(await countLoginMails(other.realm)).toBe(0)
    await sql`update logins set last_at = last_at - 100 * 86400 where realm_id = ${realm_id}`
    await other.comes(newIp(), phone)
    await waitForMails(other.email)
    await waitForJobs(s.realm)
    expect(readMails(s.email)).toEqual([])
  })
})

describe('Limits on password guesses', () => {
  test('The limit per user and IP address counts wrong passwords across gateways, and the user logs in elsewhere.', async () => {
    await using s = await setUp()
    const ip = newIp()
    // Her email address in any case and her API email address count as the same user.
    for (const [n, username] of ['ada@example.com', 'ADA@example.com', s.ada.email].entries()) {
      expect((await login(s.realm, username, 'wrong', ip, n)).json.code).toBe('AUTHENTICATION_FAILED')
    }
    const { status, json, headers } = await login(s.realm, 'ada@example.com', password, ip)
    expect([status, json.code]).toEqual([429, 'RATE_LIMIT_HIT'])
    expect(json['retry-after']).toBeGreaterThan(1_700)
    expect(Number(headers['retry-after'])).toBe(json['retry-after'])
    expect((await login(s.realm, 'ada@example.com', password, newIp())).status).toBe(200)
    expect((await login(s.realm, 'ada@example.com', password, ip)).status).toBe(429)
  })

  test('The limit per user and IP address holds for simultaneous guesses.', async () => {
    await using s = await setUp()
    const ip = newIp()
    const answer = await Promise.all(
      Array.from({ length: 10 }, (_, n) => login(s.realm, 'ada@example.com', 'wrong', ip, n)),
    )
    expect(answer.filter(({ status }) => status === 401)).toHaveLength(GUESSES)
    expect(answer.filter(({ status }) => status === 429)).toHaveLength(10 - GUESSES)
  })

  test('The limit per user bounds guesses from many IP addresses, but not logins from an address of the user.', async () => {
    await using s = await setUp()
    const home = newIp()
    expect((await login(s.realm, 'ada@example.com', password, home)).status).toBe(200)
    const answer = await Promise.all(
      Array.from({ length: MANY_GUESSES + 4 }, (_, n) => login(s.realm, 'ada@example.com', 'wrong', newIp(), n)),
    )
    expect(answer.filter(({ status }) => status === 401)).toHaveLength(MANY_GUESSES)
    expect((await login(s.realm, 'ada@example.com', password, newIp())).status).toBe(429)
    expect((await login(s.realm, 'ada@example.com', password, home)).status).toBe(200)
    // The limit of the pair holds there too.
    for (let n = 0; n < GUESSES; n++)
      expect((await login(s.realm, 'ada@example.com', 'wrong', home, n)).status).toBe(401)
    expect((await login(s.realm, 'ada@example.com', password, home)).status).toBe(429)
  })

  test('A successful login resets the limit per user.', async () => {
    await using s = await setUp()
    const ip = newIp()
    for (let n = 0; n < 3; n++) {
      for (let wrong = 1; wrong < GUESSES; wrong++) await login(s.realm, 'ada@example.com', 'wrong', ip, wrong)
      expect((await login(s.realm, 'ada@example.com', password, ip, n)).status).toBe(200)
    }
  })

  test('The limits per user also apply to an unknown user name.', async () => {
    await using s = await setUp()
    const ip = newIp()
    for (let n = 0; n < GUESSES; n++) {
      expect((await login(s.realm, 'nobody@example.com', 'wrong', ip, n)).status).toBe(401)
    }
    expect((await login(s.realm, 'Nobody@example.com', 'wrong', ip)).status).toBe(429)
    for (let n = GUESSES; n < MANY_GUESSES; n++) await login(s.realm, 'nobody@example.com', 'wrong', newIp(), n)
    expect((await login(s.realm, 'nobody@example.com', 'wrong', newIp())).status).toBe(429)
  })

  test('The limit per IP address counts wrong passwords across users.', async () => {
    await using s = await setUp()
    const ip = newIp()
    for (let n = 0; n < 12; n++) {
      expect((await login(s.realm, `somebody${n}@example.com`, 'wrong', ip, n)).status).toBe(401)
      if (n === 5) expect((await login(s.realm, 'ada@example.com', password, ip)).status).toBe(200)
    }
    expect((await login(s.realm, 'ada@example.com', password, ip)).status).toBe(429)
    expect((await login(s.realm, 'ada@example.com', password, newIp())).status).toBe(200)
  })

  test('A wrong old password in a password change counts towards the limit per user.', async () => {
    await using s = await setUp()
    const change = (old_password: string) =>
      call(s.ada, 'PATCH', '/settings', { old_password, new_password: `${password} again` }, { url: gateways[0].url })
    for (let n = 0; n < GUESSES; n++) expect((await change('wrong')).body.msg).toBe('The old password is wrong.')
    const { status, body } = await change(password)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toMatch(/^Too many attempts: try again in \d+ seconds\.$/)
    expect((await login(s.realm, 'ada@example.com', password, '127.0.0.1')).status).toBe(429)
    expect((await login(s.realm, 'ada@example.com', password, newIp())).status).toBe(200)
  })
})

describe('Refused password logins', () => {
  test('The server refuses a login at a host without an organization.', async () => {
    const host = `nowhere.${inject('base_domain')}`
    const answer = await call(undefined, 'POST', '/fetch_api_key', { username: 'a@b.c', password }, { host })
    expect([answer.status, answer.body]).toMatchObject([
      404,
      { code: 'NONEXISTENT_SUBDOMAIN', msg: 'There is no organization at this address.' },
    ])
  })

  test('The server refuses a login to a deactivated organization.', async () => {
    await using s = await setUp()
    await s.realm.sql`update realms set is_active = false where id = ${s.realm.realm_id}`
    await using gateway = await startGateway()
    const answer = await call(
      undefined,
      'POST',
      '/fetch_api_key',
      { username: 'ada@example.com', password },
      { host: s.realm.host, url: gateway.url },
    )
    expect([answer.status, answer.body.code]).toEqual([401, 'REALM_DEACTIVATED'])
  })

  test('The login endpoint accepts only POST.', async () => {
    await using s = await setUp()
    const answer = await call(undefined, 'GET', '/fetch_api_key', {}, { host: s.realm.host })
    expect([answer.status, answer.body.allowed_methods]).toEqual([405, ['POST']])
  })
})

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

let tokens = 0

/** A token that is valid for a minute and differs from all others, unless the claims say otherwise. */
const token = (claims: object, key: string, header: object = { alg: 'HS256', typ: 'JWT' }, hash = 'sha256') => {
  const exp = Math.floor(Date.now() / 1_000) + 60
  const text = `${part(header)}.${part({ exp, jti: String(++tokens), ...claims })}`
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
}

describe('Logging in with a JSON web token', () => {
  const key = randomBytes(32).toString('hex')
  const stageWithTrustedSite = async () => {
    const s = await setUp()
    const gateway = await startGateway({ JWT_KEYS: `${s.realm.host.split('.')[0]}=${key}` })
    const fetch = (given: string, more: Record<string, unknown> = {}) =>
      call(undefined, 'POST', '/jwt/fetch_api_key', { token: given, ...more }, { host: s.realm.host, url: gateway.url })
    const leave = async () => {
      await gateway.stop()
      await s[Symbol.asyncDispose]()
    }
    return { ...s, fetch, gateway, [Symbol.asyncDispose]: leave }
  }
  // Read when a token is made: the tests before can take longer than it is valid.
  const now = () => Math.floor(Date.now() / 1_000)
  // Tests that change nothing share one gateway, because a gateway takes long to start.
  let shared: Awaited<ReturnType<typeof stageWithTrustedSite>>
  beforeAll(async () => {
    shared = await stageWithTrustedSite()
  })
  afterAll(() => shared[Symbol.asyncDispose]())

  test('A token of a trusted site returns the API key of the user that it names.', async () => {
    const s = shared
    const { api_key, email } = s.ada
    const own = { result: 'success', msg: '', api_key, email: 'ada@example.com' }
    expect((await s.fetch(token({ email }, key))).body).toEqual(own)
    for (const [alg, hash] of [
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      expect((await s.fetch(token({ email, exp: now() + 60, nbf: now() }, key, { alg }, hash))).body).toEqual(own)
    }
    expect((await s.fetch(token({ email }, key), { include_profile: true })).body).toMatchObject({
      api_key,
      user: { user_id: s.ada.user_id, full_name: 'Ada', is_bot: false },
    })
  })

  test('A token logs in once, also with another spelling of its signature.', async () => {
    const { ada, fetch } = shared
    const given = token({ email: ada.email }, key)
    const answers = await Promise.all([fetch(given), fetch(given)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const msg = 'This JSON web token was used before: each token logs in once.'
    expect((await fetch(given)).body).toMatchObject({ code: 'BAD_REQUEST', msg })
    // The last of the 43 characters has two bits that no decoder reads.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(given.at(-1) as string)
    expect((await fetch(`${given.slice(0, -1)}${alphabet[last ^ 1]}`)).status).toBe(400)
    expect((await fetch(token({ email: ada.email }, key))).status).toBe(200)
  })

  test.each<[string, (key: string) => string, number, string, string]>([
    [
      'never expires',
      (secret) => token({ email: 'ada@example.com', exp: undefined }, secret),
      400,
      'BAD_REQUEST',
      'The JSON web token must have an exp claim, at most 10 minutes from now.',
    ],
    [
      'expires in an hour',
      (secret) => token({ email: 'ada@example.com', exp: now() + 3_600 }, secret),
      400,
      'BAD_REQUEST',
      'The JSON web token must have an exp claim, at most 10 minutes from now.',
    ],
    ['is missing', () => '', 400, 'BAD_REQUEST', 'Send the JSON web token as token.'],
    ['is not a token', () => 'x', 400, 'BAD_REQUEST', 'This JSON web token is not one that the organization signs.'],
    [
      'is signed with another secret',
      () => token({ email: 'ada@example.com' }, 'x'),
      400,
      'BAD_REQUEST',
      'This JSON web token is not one that the organization signs.',
    ],
    [
      'has no signature',
      () => `${part({ alg: 'none' })}.${part({ email: 'ada@example.com' })}.`,
      400,
      'BAD_REQUEST',
      'This JSON web token is not one that the organization signs.',
    ],
    [
      'is signed with another algorithm than it names',
      (secret) => token({ email: 'ada@example.com' }, secret, { alg: 'HS512' }),
      400,
      'BAD_REQUEST',
      'This JSON web token is not one that the organization signs.',
    ],
    [
      'has expired',
      (secret) => token({ email: 'ada@example.com', exp: now() - 120 }, secret),
      400,
      'BAD_REQUEST',
      'This JSON web token is not one that the organization signs.',
    ],
    [
      'is not valid yet',
      (secret) => token({ email: 'ada@example.com', nbf: now() + 600 }, secret),
      400,
      'BAD_REQUEST',
      'This JSON web token is not one that the organization signs.',
    ],
    [
      'names no email address',
      (secret) => token({ name: 'Ada' }, secret),
      400,
      'BAD_REQUEST',
      'The JSON web token must have an email claim.',
    ],
    [
      'names an unknown user',
      (secret) => token({ email: 'eve@example.com' }, secret),
      401,
      'AUTHENTICATION_FAILED',
      'The email address or the password is wrong.',
    ],
  ])('The server refuses a token that %s.', async (_, made, status, code, msg) => {
    const answer = await shared.fetch(made(key))
    expect([answer.status, answer.body]).toEqual([status, { result: 'error', code, msg }])
  })

  test('An owner can make tokens the only login method, and can turn them off.', async () => {
    await using s = await stageWithTrustedSite()
    const [owner] = (await s.realm.people({ full_name: 'Owner', role: 100 })) as [Person]
    const at = { host: s.realm.host, url: s.gateway.url }
    const setMethods = (authentication_methods: object) =>
      call(owner, 'PATCH', '/realm', { authentication_methods }, { url: s.gateway.url })
    const tryLogins = async () => {
      const byPassword = await call(undefined, 'POST', '/fetch_api_key', { username: 'ada@example.com', password }, at)
      return [byPassword.body.code ?? '', (await s.fetch(token({ email: 'ada@example.com' }, key))).body.msg]
    }
    const listener = await listen(s.ada, { event_types: ['realm'] })
    expect(await tryLogins()).toEqual(['', ''])

    const passwordless = { Email: { enabled: false, available: true }, JWT: { enabled: true, available: true } }
    expect((await setMethods({ Email: false })).body).toEqual({
      result: 'success',
      msg: '',
      authentication_methods: passwordless,
    })
    expect(await tryLogins()).toEqual(['PASSWORD_AUTH_DISABLED', ''])
    expect((await listener.events()).map(({ data }) => data)).toEqual([{ authentication_methods: passwordless }])
    const registered = await ok(s.ada, 'POST', '/register', { fetch_event_types: ['realm'] }, { url: s.gateway.url })
    expect(registered).toMatchObject({
      realm_authentication_methods: passwordless,
      realm_email_auth_enabled: false,
      realm_password_auth_enabled: false,
    })
    expect((await call(undefined, 'GET', '/server_settings', {}, at)).body).toMatchObject({
      email_auth_enabled: false,
      authentication_methods: { password: false, email: false },
    })
    // On a gateway without JWT keys, passwords remain the only login method.
    expect((await ok(s.ada, 'POST', '/register', { fetch_event_types: ['realm'] })).realm_email_auth_enabled).toBe(true)

    expect((await setMethods({ JWT: false })).body.msg).toBe(
      'Users need at least one authentication method: leave one enabled.',
    )
    await setMethods({ JWT: false, Email: true })
    expect(await tryLogins()).toEqual(['', 'Logging in by JSON web token is not enabled in this organization.'])
  })

  test('The server refuses a token for a deactivated user.', async () => {
    await using s = await stageWithTrustedSite()
    await ok(s.ada, 'DELETE', '/users/me')
    const { status, body } = await s.fetch(token({ email: 'ada@example.com' }, key))
    expect([status, body.code]).toEqual([401, 'USER_DEACTIVATED'])
  })

  test('The server refuses every token when no site is trusted.', async () => {
    await using s = await setUp()
    const params = { token: token({ email: 'ada@example.com' }, key) }
    const { status, body } = await call(undefined, 'POST', '/jwt/fetch_api_key', params, { host: s.realm.host })
    expect([status, body.msg]).toEqual([400, 'Logging in by JSON web token is not enabled in this organization.'])
  })
})

describe('Logging in without a password', () => {
  test('A development server lists its active users and logs a caller in as any of them.', async () => {
    await using s = await setUp()
    const [owner] = (await s.realm.people({ full_name: 'Owner', role: 100 })) as [Person]
    await using gateway = await startGateway({ NODE_ENV: 'development' })
    const at = { host: s.realm.host, url: gateway.url }
    const { body } = await call(undefined, 'GET', '/dev_list_users', {}, at)
    const url = expect.stringContaining(s.realm.host)
    const entry = (email: string) => ({ email, realm_url: url, realm_uri: url })
    expect(body).toMatchObject({
      direct_admins: [entry('owner@example.com')],
      direct_users: [entry('ada@example.com'), entry('grace@example.com')],
    })
    const asked = await call(undefined, 'POST', '/dev_fetch_api_key', { username: owner.email }, at)
    expect(asked.body).toMatchObject({ api_key: owner.api_key, email: 'owner@example.com', user_id: owner.user_id })
    const unknown = await call(undefined, 'POST', '/dev_fetch_api_key', { username: 'x@y.z' }, at)
    expect([unknown.status, unknown.body.code]).toEqual([401, 'AUTHENTICATION_FAILED'])
    await ok(s.ada, 'DELETE', '/users/me')
    const gone = await call(undefined, 'POST', '/dev_fetch_api_key', { username: s.ada.email }, at)
    expect([gone.status, gone.body.code]).toEqual([401, 'USER_DEACTIVATED'])
  })

  test('A development server refuses pages of other sites, and names that such a page can point at it.', async () => {
    await using s = await setUp()
    await using gateway = await startGateway({ NODE_ENV: 'development', ROOT_REALM: s.realm.host.split('.')[0] ?? '' })
    const port = Number(new URL(gateway.url).port)
    const logIn = async (host: string, origin?: string) => {
      const headers: Record<string, string> = origin === undefined ? {} : { Origin: origin }
      const body = `username=${encodeURIComponent(s.ada.email)}`
      const answer = await sendRequest(port, { method: 'POST', path: '/api/v1/dev_fetch_api_key', host, headers, body })
      return [answer.status, answer.text.includes(s.ada.api_key)]
    }
    expect(await logIn(s.realm.host, 'https://evil.example')).toEqual([403, false])
    expect(await logIn(`rebound.evil.example:${port}`, `http://rebound.evil.example:${port}`)).toEqual([400, false])
    for (const host of [s.realm.host, `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect(await logIn(host, `http://${host}`)).toEqual([200, true])
    const listed = await sendRequest(port, { path: '/api/v1/dev_list_users', host: 'rebound.evil.example' })
    expect([listed.status, listed.text.includes(s.ada.email)]).toEqual([400, false])
  })

  test('Other servers refuse the endpoints of a development server.', async () => {
    await using s = await setUp()
    await using gateway = await startGateway({ NODE_ENV: 'production' })
    for (const [method, path] of [
      ['GET', '/dev_list_users'],
      ['POST', '/dev_fetch_api_key'],
    ] as const) {
      const params = { username: s.ada.email }
      const production = await call(undefined, method, path, params, { host: s.realm.host, url: gateway.url })
      expect([production.status, production.body.msg]).toEqual([400, 'This works only on a development server.'])
      const tests = await call(undefined, method, path, params, { host: s.realm.host })
      expect([tests.status, tests.body.msg]).toEqual([400, 'This server does not allow logging in without a password.'])
    }
  })
})

test('The compatibility endpoint tells a client whether it is too old.', async () => {
  const check = async (agent: string) => {
    const headers = { 'User-Agent': agent }
    const { status, json } = await sendRequest(Number(new URL(anyGateway()).port), { path: '/compatibility', headers })
    return [status, json.msg]
  }
  expect(await check('ZulipMobile/27.2 (iOS 17)')).toEqual([200, ''])
  expect(await check('ZulipInvalid/1.0')).toEqual([400, 'This app is too old for the server: update it.'])
  expect(await check('')).toEqual([400, 'Send a User-Agent header that names the app.'])
})

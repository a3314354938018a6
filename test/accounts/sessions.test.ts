/**
 * Sessions of browsers: what begins and ends them, on every replica, and what pages of other sites cannot do with them.
 */
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import { LONGEST_SECONDS, MAX_SESSIONS } from '../../src/domain/users/accounts/sessions.js'
import { portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import { startGateway } from '../setup/processes/processes.js'
import { anyGateway, call, gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { commitRowChanges } from '../setup/realm/row-changes.js'
import { type RawResponse, sendRequest } from '../setup/requests/raw-request.js'
import {
  type BrowserSession,
  callAs,
  logIn,
  password,
  postSession,
  readBrowserSession,
  setPassword,
} from '../setup/web/browser-session.js'

const setUp = async () => {
  const realm = await newRealm()
  const names = [{ full_name: 'Owner', role: 100 }, { full_name: 'Ada' }, { full_name: 'Grace' }]
  const [owner, ada, grace] = (await realm.people(...names)) as [Person, Person, Person]
  await setPassword(realm, ada)
  await setPassword(realm, grace)
  return { realm, owner, ada, grace, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const me = (session: BrowserSession, url?: string) =>
  callAs(session, 'GET', '/users/me', {}, url === undefined ? {} : { url })

const outcome = ({ status, json }: RawResponse) => `${status} ${json.code ?? json.result}`

/** Tries the session through every gateway, in calls that read and that write. */
const outcomesEverywhere = async (session: BrowserSession) =>
  new Set(
    (
      await Promise.all(
        gateways().flatMap((url) => [
          me(session, url),
          callAs(session, 'POST', '/users/me/status', { status_text: 'here' }, { url }),
        ]),
      )
    ).map(outcome),
  )

const ended = new Set(['401 UNAUTHORIZED'])
const foreign = 'https://evil.example'

/** Opens a socket as a browser does. @returns how it ended, or that it opened */
const openSocket = (session: BrowserSession, headers: Record<string, string>, url = anyGateway()) => {
  const address = `${url.replace('http', 'ws')}/api/v1/events?event_types=[]&fetch_event_types=[]`
  return new WebSocket(address, ['parley.v1'], { headers: { Host: session.host, Cookie: session.cookie, ...headers } })
}

/** The number of the answer to the handshake. */
const handshakeStatus = (socket: WebSocket) =>
  new Promise<number>((resolve) => {
    socket.on('message', (text) => resolve((JSON.parse(String(text)) as { status: number }).status))
    socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode))
    socket.on('close', (code) => resolve(code))
    socket.on('error', () => {})
  })

describe('A log-in', () => {
  test('It sets a cookie with which every gateway accepts calls, and tells the account and its token.', async () => {
    await using s = await setUp()
    const session = await logIn(s.ada)
    expect(session.set_cookie).toMatch(
      new RegExp(`^parley_session=\\d+\\.[\\w-]{43}; Path=/; Max-Age=${LONGEST_SECONDS}; HttpOnly; SameSite=Lax$`),
    )
    expect(await outcomesEverywhere(session)).toEqual(new Set(['200 success']))
    const current = await callAs(session, 'GET', '/sessions/current')
    expect(current.json).toMatchObject({ user_id: s.ada.user_id, email: s.ada.email, csrf_token: session.csrf_token })
    expect(current.headers['set-cookie']).toBeUndefined()
  })

  test('A wrong password, a deactivated account and a page of another site get no session.', async () => {
    await using s = await setUp()
    const { host } = s.ada
    const tries = [
      postSession(host, s.ada.email, { password: 'wrong' }),
      postSession(host, 'nobody@example.com'),
      postSession(host, s.owner.email),
      postSession(host, s.ada.email, { headers: { Origin: foreign } }),
      postSession(host, s.ada.email, { headers: { Origin: 'null' } }),
    ]
    const answers = await Promise.all(tries)
    const failed = '401 AUTHENTICATION_FAILED'
    expect(answers.map(outcome)).toEqual([failed, failed, failed, '403 FORBIDDEN', '403 FORBIDDEN'])
    await ok(s.owner, 'DELETE', `/users/${s.ada.user_id}`)
    expect(outcome(await postSession(host, s.ada.email))).toBe('401 USER_DEACTIVATED')
    for (const answer of answers) expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await s.realm.sql`select from sessions where realm_id = ${s.realm.realm_id}`).toHaveLength(0)
  })

  test('Attempts are counted together with those for an API key.', async () => {
    await using s = await setUp()
    await using gateway = await startGateway({
      RATE_LIMITS: 'on',
      RATES: 'authenticate_by_username=2/1800 authenticate_by_ip=100/1800 api_by_ip=1000/60',
      TRUSTED_PROXIES: '127.0.0.1',
    })
    const headers = { 'X-Forwarded-For': `198.19.${process.pid % 256}.1` }
    const body = new URLSearchParams({ username: s.ada.email, password: 'wrong' }).toString()
    const path = '/api/v1/fetch_api_key'
    await sendRequest(portOf(gateway.url), { method: 'POST', path, host: s.ada.host, headers, body })
    const at = { url: gateway.url, headers }
    expect(outcome(await postSession(s.ada.host, s.ada.email, { ...at, password: 'wrong' }))).toBe(
      '401 AUTHENTICATION_FAILED',
    )
    expect(outcome(await postSession(s.ada.host, s.ada.email, at))).toBe('429 RATE_LIMIT_HIT')
  })

  test('A token that was in the browser before never becomes that of the session.', async () => {
    await using s = await setUp()
    const attacker = await logIn(s.grace)
    const made = `parley_session=1.${'A'.repeat(43)}`
    for (const cookie of [attacker.cookie, made]) {
      const session = await logIn(s.ada, { headers: { Cookie: cookie } })
      expect(session.cookie).not.toBe(cookie)
      expect((await me(session)).json.user_id).toBe(s.ada.user_id)
      expect(outcome(await me({ ...session, cookie }))).toBe('401 UNAUTHORIZED')
    }
  })

  test('It ends the session that the browser had, and the oldest one beyond the limit.', async () => {
    await using s = await setUp()
    const first = await logIn(s.ada)
    const second = await logIn(s.ada, { headers: { Cookie: first.cookie } })
    expect([outcome(await me(first)), outcome(await me(second))]).toEqual(['401 UNAUTHORIZED', '200 success'])
    const { sql, realm_id } = s.realm
    const other = await logIn(s.ada)
    for (let i = 0; i < MAX_SESSIONS - 2; i++) await logIn(s.ada)
    expect(outcome(await me(second))).toBe('200 success')
    await logIn(s.ada)
    expect(outcome(await me(second))).toBe('401 UNAUTHORIZED')
    expect(outcome(await me(other))).toBe('200 success')
    expect(await sql`select from sessions where realm_id = ${realm_id}`).toHaveLength(MAX_SESSIONS)
  }, 60_000)

  test('Without a password it works on development servers only, for pages of this site.', async () => {
    await using own = await startOwnGateway({ NODE_ENV: 'development' })
    const { ada, gateway } = own
    const listed = await sendRequest(portOf(gateway.url), { path: '/api/v1/sessions/demo', host: ada.host })
    expect(listed.json.users).toEqual(
      expect.arrayContaining([expect.objectContaining({ user_id: ada.user_id, email: ada.email, role: 400 })]),
    )
    const begin = (url: string, headers: Record<string, string> = {}) =>
      sendRequest(portOf(url), {
        method: 'POST',
        path: '/api/v1/sessions/demo',
        host: ada.host,
        headers,
        body: `user_id=${ada.user_id}`,
      })
    const session = readBrowserSession(ada.host, await begin(gateway.url))
    expect((await me(session)).json.user_id).toBe(ada.user_id)
    expect(outcome(await begin(gateway.url, { Origin: foreign }))).toBe('403 FORBIDDEN')
    expect(outcome(await begin(gateway.url, { Host: 'evil.example' }))).toMatch(/^4\d\d /)
    expect(outcome(await begin(anyGateway()))).toBe('400 BAD_REQUEST')
    await using production = await startGateway({ NODE_ENV: 'production' })
    expect(outcome(await begin(production.url))).toBe('400 BAD_REQUEST')
  })
})

describe('A session ends in every gateway', () => {
  test('when its user logs out; the browser forgets the cookie.', async () => {
    await using s = await setUp()
    const [session, other] = [await logIn(s.ada), await logIn(s.ada)]
    const [one = '', two = ''] = gateways()
    expect(await outcomesEverywhere(session)).toEqual(new Set(['200 success']))
    const out = await callAs(session, 'DELETE', '/sessions/current', {}, { url: one })
    expect([outcome(out), out.headers['set-cookie']]).toEqual([
      '200 success',
      ['parley_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'],
    ])
    expect(outcome(await me(session, two))).toBe('401 UNAUTHORIZED')
    expect(await outcomesEverywhere(session)).toEqual(ended)
    expect(await outcomesEverywhere(other)).toEqual(new Set(['200 success']))
  })

  test('when another session of the account ends it; other accounts can neither see nor end it.', async () => {
    await using s = await setUp()
    const [phone, laptop, grace] = [await logIn(s.ada), await logIn(s.ada), await logIn(s.grace)]
    const { sessions } = (await callAs(laptop, 'GET', '/sessions')).json as { sessions: Record<string, unknown>[] }
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toMatchObject({ ip: '127.0.0.1', user_agent: 'Mozilla/5.0 (test)', is_current: true })
    const id = sessions.find(({ is_current }) => is_current === false)?.id
    expect(outcome(await callAs(grace, 'DELETE', `/sessions/${id}`))).toBe('400 BAD_REQUEST')
    expect(outcome(await callAs(laptop, 'DELETE', `/sessions/${id}`))).toBe('200 success')
    expect(await outcomesEverywhere(phone)).toEqual(ended)
    expect(outcome(await callAs(laptop, 'DELETE', `/sessions/${id}`))).toBe('400 BAD_REQUEST')
  })

  test('when the password changes, and when the account is deactivated, also after it is reactivated.', async () => {
    await using s = await setUp()
    const [ada, grace] = [await logIn(s.ada), await logIn(s.grace)]
    const changed = { old_password: password, new_password: 'an other long battery staple' }
    expect(outcome(await callAs(ada, 'PATCH', '/settings', changed))).toBe('200 success')
    expect(await outcomesEverywhere(ada)).toEqual(ended)
    await ok(s.owner, 'DELETE', `/users/${s.grace.user_id}`)
    expect(await outcomesEverywhere(grace)).toEqual(ended)
    await ok(s.owner, 'POST', `/users/${s.grace.user_id}/reactivate`)
    expect(await outcomesEverywhere(grace)).toEqual(ended)
  })

  test('when it expires.', async () => {
    await using s = await setUp()
    const { realm } = s.realm
    const session = await logIn(s.ada)
    expect(outcome(await me(session))).toBe('200 success')
    await realm.barrier()
    const expires_at = Math.floor(Date.now() / 1_000) - 1
    await commitRowChanges(
      s.realm,
      [...realm.state.sessions.values()].map((row) => composeUpdate('sessions', row, { expires_at })),
    )
    expect(outcome(await me(session))).toBe('401 UNAUTHORIZED')
  })

  test('and closes the connections that it opened, and no others.', async () => {
    await using s = await setUp()
    const [session, other] = [await logIn(s.ada), await logIn(s.ada)]
    const [one = '', two = ''] = gateways()
    const headers = { Origin: `http://${session.host}` }
    const [socket, kept] = [openSocket(session, headers, one), openSocket(other, headers, one)]
    expect(await Promise.all([handshakeStatus(socket), handshakeStatus(kept)])).toEqual([200, 200])
    const registered = (await callAs(session, 'POST', '/register', { event_types: '[]' })).json
    const { queue_id, last_event_id } = registered as { queue_id: string; last_event_id: number }
    const at = { queue_id, last_event_id: String(last_event_id) }
    const poll = callAs(session, 'GET', '/events', at, { url: two })
    const closed = once(socket, 'close')
    // The session may end before the poll waits, or while it waits: it is refused in both cases.
    expect(outcome(await callAs(session, 'DELETE', '/sessions/current', {}, { url: two }))).toBe('200 success')
    expect((await closed)[0]).toBe(4501)
    expect(outcome(await poll)).toBe('401 UNAUTHORIZED')
    expect(kept.readyState).toBe(WebSocket.OPEN)
    kept.terminate()
  })
})

describe('A page of another site', () => {
  test('cannot call with the cookie that the browser adds, whatever it asks for.', async () => {
    await using s = await setUp()
    const session = await logIn(s.ada)
    for (const Origin of [foreign, 'null', `http://${s.ada.host}:1`, `http://evil.${s.ada.host}`]) {
      for (const method of ['GET', 'POST']) {
        const answer = await callAs(
          session,
          method,
          method === 'GET' ? '/users/me' : '/users/me/status',
          {},
          { headers: { Origin } },
        )
        expect(outcome(answer), Origin).toBe('403 FORBIDDEN')
      }
    }
  })

  test('cannot call without the token of the session, which no other page can read.', async () => {
    await using s = await setUp()
    const [session, other] = [await logIn(s.ada), await logIn(s.grace)]
    const status = { status_text: 'changed' }
    for (const csrf_token of ['', 'x', other.csrf_token]) {
      const given = { ...session, csrf_token }
      const refused = await callAs(given, 'POST', '/users/me/status', status)
      expect(outcome(refused)).toBe('403 CSRF_FAILED')
      expect(refused.json.reason).toMatch(/^The token is /)
      expect(outcome(await callAs(given, 'DELETE', '/sessions/current'))).toBe('403 CSRF_FAILED')
      // A form selects another method of a path by a field.
      expect(outcome(await callAs(given, 'POST', '/settings', { method: 'PATCH' }))).toBe('403 CSRF_FAILED')
      expect(outcome(await callAs(given, 'GET', '/users/me'))).toBe('200 success')
    }
    const { json } = await callAs(session, 'GET', `/users/${s.ada.user_id}/status`)
    expect(json.status).toEqual({})
  })

  test('cannot upload a file with the cookie: the request is refused before its body.', async () => {
    await using s = await setUp()
    const session = await logIn(s.ada)
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${'a'.repeat(200_000)}\r\n--x--\r\n`
    const upload = (more: Record<string, string>) =>
      sendRequest(portOf(anyGateway()), {
        method: 'POST',
        path: '/api/v1/user_uploads',
        host: s.ada.host,
        headers: { Cookie: session.cookie, ...headers, ...more },
        body,
      })
    expect(outcome(await upload({ Origin: foreign, 'X-CSRF-Token': session.csrf_token }))).toBe('403 FORBIDDEN')
    expect(outcome(await upload({}))).toBe('403 CSRF_FAILED')
    const uploaded = await upload({ 'X-CSRF-Token': session.csrf_token })
    expect(outcome(uploaded)).toBe('200 success')
    const path = String(uploaded.json.url)
    const read = (cookie: string) =>
      sendRequest(portOf(anyGateway()), { path, host: s.ada.host, headers: { Cookie: cookie } })
    expect((await read(session.cookie)).status).toBe(200)
    await callAs(session, 'DELETE', '/sessions/current')
    expect((await read(session.cookie)).status).toBe(401)
  })

  test('cannot open a WebSocket with the cookie, and neither can a handshake without an Origin.', async () => {
    await using s = await setUp()
    const session = await logIn(s.ada)
    for (const headers of [{ Origin: foreign }, { Origin: 'null' }, { Origin: `http://${session.host}:1` }, {}]) {
      const socket = openSocket(session, headers as Record<string, string>)
      expect([403, 4504]).toContain(await handshakeStatus(socket))
    }
    const own = openSocket(session, { Origin: `http://${session.host}` })
    expect(await handshakeStatus(own)).toBe(200)
    own.terminate()
  })
})

test('The cookie of another organization, and a made-up one, are refused.', async () => {
  await using s = await setUp()
  await using t = await setUp()
  const [mine, theirs] = [await logIn(s.ada), await logIn(t.ada)]
  expect(outcome(await me({ ...theirs, host: s.ada.host }))).toBe('401 UNAUTHORIZED')
  const [id = '', secret = ''] = mine.cookie.slice('parley_session='.length).split('.')
  const flipped = `${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`
  for (const value of [`${id}.${flipped}`, `${id}.`, id, `${Number(id) + 1}.${secret}`, '', `${id}.${secret}x`]) {
    expect(outcome(await me({ ...mine, cookie: `parley_session=${value}` })), value).toBe('401 UNAUTHORIZED')
  }
  const twice = `${mine.cookie}; parley_session=${id}.${flipped}`
  expect(outcome(await me({ ...mine, cookie: twice }))).toBe('401 UNAUTHORIZED')
  expect(outcome(await me({ ...mine, cookie: `a=b; ${mine.cookie}; c=d` }))).toBe('200 success')
})

test('A cookie gives a program no key: it is not in the log, the database or an answer.', async () => {
  await using s = await setUp()
  const session = await logIn(s.ada)
  const [, secret = ''] = session.cookie.split('.')
  const { sql, realm_id } = s.realm
  const rows = await sql`select data::text, rows::text from log where realm_id = ${realm_id}`
  const stored = await sql`select * from sessions where realm_id = ${realm_id}`
  expect(JSON.stringify([rows, stored])).not.toContain(secret)
  const { queue_id } = (await callAs(session, 'POST', '/register', { event_types: '[]' })).json
  expect(outcome(await callAs(session, 'POST', '/events/ticket', { queue_id: String(queue_id) }))).toBe(
    '400 BAD_REQUEST',
  )
})

test('Calls with an API key need no token, and have no session.', async () => {
  await using s = await setUp()
  const answer = await call(s.ada, 'GET', '/sessions/current')
  expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED'])
  const session = await logIn(s.grace)
  const { sessions } = await ok(s.grace, 'GET', '/sessions')
  expect(sessions).toMatchObject([{ is_current: false }])
  await ok(s.grace, 'DELETE', `/sessions/${sessions[0]?.id}`)
  expect(outcome(await me(session))).toBe('401 UNAUTHORIZED')
})

test('A page learns without an error whether its browser has a session.', async () => {
  await using s = await setUp()
  const session = await logIn(s.ada)
  const ask = (cookie: Record<string, string>) =>
    Promise.all(
      gateways().map((url) =>
        sendRequest(portOf(url), { path: '/api/v1/sessions/state', host: s.ada.host, headers: cookie }),
      ),
    )
  const state = (answers: RawResponse[]) => new Set(answers.map(({ status, json }) => `${status} ${json.is_logged_in}`))
  expect(state(await ask({}))).toEqual(new Set(['200 false']))
  expect(state(await ask({ Cookie: session.cookie }))).toEqual(new Set(['200 true']))
  expect(state(await ask({ Cookie: `${session.cookie}x` }))).toEqual(new Set(['200 false']))
  const [foreignAnswer] = await ask({ Cookie: session.cookie, Origin: foreign })
  expect(foreignAnswer?.status).toBe(403)
  await callAs(session, 'DELETE', '/sessions/current')
  const after = await ask({ Cookie: session.cookie })
  expect(state(after)).toEqual(new Set(['200 false']))
  expect(after[0]?.json.has_demo_accounts).toBe(false)
})

describe('Behind TLS', () => {
  const attributes = /^__Host-parley_session=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/

  test('the cookie is Secure and bound to the host, if a trusted proxy says so.', async () => {
    await using s = await setUp()
    await using gateway = await startGateway({ TRUSTED_PROXIES: '127.0.0.1' })
    const tls = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '198.51.100.7' }
    const session = await logIn(s.ada, { url: gateway.url, headers: tls })
    expect(session.set_cookie).toMatch(attributes)
    const at = (more: Record<string, string>) => ({ url: gateway.url, headers: { ...tls, ...more } })
    const Origin = `https://${s.ada.host}`
    expect(outcome(await callAs(session, 'GET', '/users/me', {}, at({ Origin })))).toBe('200 success')
    // A page without TLS, which an attacker in the network writes, is not of this origin.
    expect(outcome(await callAs(session, 'GET', '/users/me', {}, at({ Origin: `http://${s.ada.host}` })))).toBe(
      '403 FORBIDDEN',
    )
    // Such a page can set a cookie without the prefix, which does not count.
    const planted = { ...session, cookie: session.cookie.replace('__Host-', '') }
    expect(outcome(await callAs(planted, 'GET', '/users/me', {}, at({ Origin })))).toBe('401 UNAUTHORIZED')
    const out = await callAs(session, 'DELETE', '/sessions/current', {}, at({ Origin }))
    expect(out.headers['set-cookie']?.[0]).toMatch(/^__Host-parley_session=; .*; Secure$/)
  })

  test('the header of a client that is no trusted proxy does not count.', async () => {
    await using s = await setUp()
    const session = await logIn(s.ada, { headers: { 'X-Forwarded-Proto': 'https' } })
    expect(session.set_cookie).toMatch(/^parley_session=/)
  })

  test('an https address of the deployment says it for every request.', async () => {
    await using s = await setUp()
    await using gateway = await startGateway({ PUBLIC_URL: 'https://chat.example.org' })
    expect((await logIn(s.ada, { url: gateway.url })).set_cookie).toMatch(attributes)
  })
})

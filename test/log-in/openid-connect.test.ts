/** Log-in with OpenID Connect: who gets which account, and what an attacker at each end of it cannot do. */
import { createDecipheriv, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginLogIn, finishLogIn, sessionCookie } from '../setup/log-in/provider-log-in.js'
import { type Script, type ScriptedProvider, startProvider } from '../setup/log-in/scripted-provider.js'
import { acts, openStage, type Stage, userOf } from '../setup/log-in/stage.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startGateway } from '../setup/processes/processes.js'
import { anyGateway, call, ok, type Person } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { logIn, postSession, setPassword } from '../setup/web/browser-session.js'

let provider: ScriptedProvider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' }

const stage = (options: object = {}, from: ScriptedProvider = provider) => openStage(from, options)

/** The secret with another character in the middle: the bits of the last one need not count. */
const alterMiddle = (secret: string): string => {
  const at = Math.floor(secret.length / 2)
  return `${secret.slice(0, at)}${secret[at] === 'A' ? 'B' : 'A'}${secret.slice(at + 1)}`
}

describe('Accounts', () => {
  test('A verified address links the identity to its account, and the identity leads there from then on.', async () => {
    await using s = await stage()
    const first = await s.enter(ada)
    expect([first.status, first.headers.location]).toEqual([302, '/'])
    expect(await userOf(s.realm, sessionCookie(first))).toBe(s.ada.user_id)
    // Another address at the provider, even that of the owner, leads to the same account.
    const second = await s.enter({ ...ada, email: s.owner.email })
    expect(await userOf(s.realm, sessionCookie(second))).toBe(s.ada.user_id)
    const { identities } = await ok<{ identities: object[] }>(s.ada, 'GET', '/users/me/identities')
    expect(identities).toMatchObject([{ method: String(s.method), issuer: provider.issuer, email: s.owner.email }])
    expect(await acts(s)).toMatchObject([{ result: 'entered' }, { result: 'linked', provider: 'Company' }])
  })

  test.each([
    ['does not say that it is', {}],
    ['says that it is not', { email_verified: false }],
    ['says anything else', { email_verified: 'yes' }],
  ])('An address links no account if the provider %s verified.', async (_, verified) => {
    await using s = await stage({ creates_accounts: 'everyone' })
    const { email_verified, ...unverified } = ada
    const answer = await s.enter({ ...unverified, ...verified })
    expect(answer.status).toBe(400)
    expect(answer.json.msg).toBe('Company does not confirm that ada@example.com is your address.')
    expect(sessionCookie(answer)).toBe('')
    expect(await acts(s)).toMatchObject([{ result: 'refused', reason: answer.json.msg }])
  })

  test('Another claim can say that the address is verified.', async () => {
    await using s = await stage({ verified_claim: 'xms_edov' })
    const { email_verified, ...unverified } = ada
    expect((await s.enter(ada)).status).toBe(400)
    const answer = await s.enter({ ...unverified, xms_edov: '1' })
    expect(await userOf(s.realm, sessionCookie(answer))).toBe(s.ada.user_id)
  })

  test('A second user of the provider does not take an account over with its address.', async () => {
    await using s = await stage()
    await s.enter(ada)
    const answer = await s.enter({ ...ada, sub: 'mallory' })
    expect(answer.json.msg).toBe('The account ada@example.com belongs to another account of Company.')
    expect(answer.status).toBe(400)
  })

  test('The claims of the endpoint of user information count where the ID token has no address.', async () => {
    await using own = await startProvider()
    own.script = { userinfo: {} }
    await using s = await stage({}, own)
    const answer = await s.enter({ sub: 'ada' }, { userinfo: ada })
    expect(await userOf(s.realm, sessionCookie(answer))).toBe(s.ada.user_id)
    // Those of another subject never do.
    const other = await s.enter({ sub: 'mallory' }, { userinfo: ada })
    expect(other.status).toBe(400)
  })

  test('A new account is made as the provider is set up: for everyone, for invited people, or for nobody.', async () => {
    const bob = { sub: 'bob', email: 'bob@example.com', email_verified: true, name: 'Bob' }
    const refusal = 'There is no account for bob@example.com here. Ask for an invitation to this address.'
    await using nobody = await stage({ creates_accounts: 'nobody' })
    expect((await nobody.enter(bob)).json.msg).toBe(refusal)
    await using invited = await stage()
    expect((await invited.enter(bob)).json.msg).toBe(refusal)
    await ok(invited.owner, 'POST', '/invites', { invitee_emails: bob.email, stream_ids: [], invite_as: 300 })
    expect((await invited.enter(bob)).status).toBe(302)
    await using everyone = await stage({ creates_accounts: 'everyone' })
    expect((await everyone.enter(bob)).status).toBe(302)
    const roles = await Promise.all(
      [invited, everyone].map(async ({ owner }) => {
        const { members } = await ok<{ members: { full_name: string; role: number }[] }>(owner, 'GET', '/users')
        return members.find(({ full_name }) => full_name === 'Bob')?.role
      }),
    )
    expect(roles).toEqual([300, 400])
    const { invites } = await ok<{ invites: object[] }>(invited.owner, 'GET', '/invites')
    expect(invites).toEqual([])
  })

  test('Addresses of other domains are refused, for accounts that exist too.', async () => {
    await using s = await stage({ domains: ['company.example'], creates_accounts: 'everyone' })
    expect((await s.enter(ada)).json.msg).toBe(
      'Accounts of Company with the address ada@example.com cannot log in here.',
    )
    expect((await s.enter({ ...ada, email: 'ada@Company.example' })).status).toBe(302)
    expect((await s.enter({ ...ada, sub: 'x', email: 'ada@sub.company.example' })).status).toBe(400)
  })

  test('A deactivated account is refused, and a bot has no identity.', async () => {
    await using s = await stage({ creates_accounts: 'everyone' })
    await s.enter(ada)
    await ok(s.owner, 'DELETE', `/users/${s.ada.user_id}`)
    expect((await s.enter(ada)).json.code).toBe('USER_DEACTIVATED')
    const { user_id } = await ok<{ user_id: number }>(s.owner, 'POST', '/bots', {
      full_name: 'Bot',
      short_name: 'robot',
    })
    const { members } = await ok<{ members: { user_id: number; email: string }[] }>(s.owner, 'GET', '/users')
    const email = members.find((one) => one.user_id === user_id)?.email
    expect((await s.enter({ ...ada, sub: 'bot', email })).json.code).toBe('AUTHENTICATION_FAILED')
  })
})

describe('Attacks on the log-in', () => {
  /** The refusal of a log-in, which began no session. */
  const refusal = (answer: Awaited<ReturnType<typeof finishLogIn>>) => {
    expect(sessionCookie(answer)).toBe('')
    return [answer.status, answer.json.msg]
  }
  const notConfirmed = [400, 'Company did not confirm the log-in. Try again.']
  const notBegun = [400, 'This log-in did not begin in this browser, or took too long. Begin again.']

  test('The request has PKCE, a state, a nonce and the address of this method only.', async () => {
    await using s = await stage()
    const { location, answer, cookie } = await beginLogIn(s.realm.host, s.method, provider)
    const query = Object.fromEntries(location.searchParams)
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: 'parley',
      code_challenge_method: 'S256',
      scope: 'openid email profile',
    })
    expect(query.redirect_uri).toMatch(
      new RegExp(`^http://${s.realm.host}:0/accounts/login/external/${s.method}/callback$`),
    )
    expect(query.state).toMatch(/^[\w-]{43}$/)
    expect(query.nonce).toMatch(/^[\w-]{43}$/)
    expect(query.nonce).not.toBe(query.state)
    expect(cookie).not.toContain(query.state)
    provider.script = { claims: ada }
    await finishLogIn({ host: s.realm.host, path: `/accounts/login/external/${s.method}`, cookie, location, answer })
    const { form, authorization } = provider.exchanges.at(-1) ?? { form: {}, authorization: '' }
    expect(form).toMatchObject({ code: answer.code, redirect_uri: query.redirect_uri })
    expect(form.code_verifier).toMatch(/^[\w-]{43,}$/)
    expect(Buffer.from(authorization.slice(6), 'base64').toString()).toBe('parley:shared+secret')
  })

  test('An answer with another state, or in a browser that began no log-in, is refused before the code is sent.', async () => {
    await using s = await stage()
    provider.script = { claims: ada }
    const begun = await beginLogIn(s.realm.host, s.method, provider)
    const before = provider.exchanges.length
    expect(refusal(await finishLogIn(begun, { state: 'x'.repeat(43) }))).toEqual([
      400,
      'This log-in did not begin in this browser.',
    ])
    expect(refusal(await finishLogIn(begun, {}, { cookie: '' }))).toEqual(notBegun)
    expect(refusal(await finishLogIn(begun, {}, { cookie: alterMiddle(begun.cookie) }))).toEqual(notBegun)
    // An attacker makes a browser end the log-in of the attacker.
    const other = await beginLogIn(s.realm.host, s.method, provider)
    expect(refusal(await finishLogIn(begun, {}, { cookie: other.cookie }))).toEqual([
      400,
      'This log-in did not begin in this browser.',
    ])
    expect(provider.exchanges.length).toBe(before)
  })

  test('An answer counts once, in whichever gateway.', async () => {
    await using s = await stage()
    provider.script = { claims: ada }
    const begun = await beginLogIn(s.realm.host, s.method, provider)
    const answers = await Promise.all([1, 2, 3].map(() => finishLogIn(begun)))
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400])
    expect(refusal(await finishLogIn(begun, { code: provider.grant(begun.location.href) }))).toEqual([
      400,
      'This log-in has ended already. Begin again.',
    ])
  })

  test.each<[string, Script, (s: Stage) => Record<string, string>]>([
    ['a nonce of another log-in', { claims: { ...ada, nonce: 'another' } }, () => ({})],
    ['another issuer in the token', { claims: { ...ada, iss: 'https://evil.example' } }, () => ({})],
    ['another issuer in the answer (mix-up)', { claims: ada }, () => ({ iss: 'https://evil.example' })],
    ['another audience', { claims: { ...ada, aud: 'another' } }, () => ({})],
    ['a time that has passed', { claims: { ...ada, iat: 1, exp: 100 } }, () => ({})],
    ['no subject', { claims: { ...ada, sub: undefined } }, () => ({})],
    ['a signature of another key', { claims: ada, hasForeignKey: true }, () => ({})],
    ['no signature (alg none)', { claims: ada, isUnsigned: true }, () => ({})],
    ['a code that the provider did not grant', { claims: ada }, () => ({ code: 'stolen' })],
  ])('A log-in with %s is refused.', async (_, script, changed) => {
    await using s = await stage()
    const begun = await beginLogIn(s.realm.host, s.method, provider)
    provider.script = script
    expect(refusal(await finishLogIn(begun, changed(s)))).toEqual(notConfirmed)
    expect(await acts(s)).toMatchObject([{ result: 'refused' }])
  })

  test('The answer of one provider does not end the log-in with another one, or of another organization.', async () => {
    await using s = await stage()
    await using evil = await startProvider()
    const { id } = await ok<{ id: number }>(s.owner, 'POST', '/realm/log_in_methods', {
      name: 'Evil',
      options: { issuer: evil.issuer, client_id: 'parley' },
    })
    const begun = await beginLogIn(s.realm.host, s.method, provider)
    const path = `/accounts/login/external/${id}`
    expect(refusal(await finishLogIn(begun, { iss: evil.issuer }, { path }))).toEqual(notBegun)
    await using other = await stage()
    expect(refusal(await finishLogIn({ ...begun, host: other.realm.host }))).toEqual(notBegun)
  })

  test('A provider that changes its key is known by the new one at once.', async () => {
    await using own = await startProvider()
    await using s = await stage({}, own)
    expect((await s.enter(ada)).status).toBe(302)
    await own.rotateKey()
    expect((await s.enter(ada)).status).toBe(302)
  })

  test('The browser is led to no other site afterwards.', async () => {
    await using s = await stage()
    provider.script = { claims: ada }
    const leads = async (next: string) => {
      const begun = await beginLogIn(s.realm.host, s.method, provider, `?next=${encodeURIComponent(next)}`)
      return (await finishLogIn(begun)).headers.location
    }
    expect(await leads('/#narrow/channel/1')).toBe('/#narrow/channel/1')
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'evil',
      'javascript:x',
      '/ /x',
    ]) {
      expect(await leads(next)).toBe('/')
    }
  })

  test('A session that an attacker has planted in the browser ends, and the new one has another token.', async () => {
    await using s = await stage()
    await setPassword(s.realm, s.ada)
    const planted = await logIn(s.ada)
    provider.script = { claims: ada }
    const begun = await beginLogIn(s.realm.host, s.method, provider)
    const answer = await finishLogIn(begun, {}, { cookie: `${begun.cookie}; ${planted.cookie}` })
    const own = sessionCookie(answer)
    expect(own).not.toBe(planted.cookie)
    expect(await userOf(s.realm, own)).toBe(s.ada.user_id)
    await expect.poll(() => userOf(s.realm, planted.cookie)).toBe(401)
  })

  test('What the user refuses at the provider is said, and the error is not shown as it comes.', async () => {
    await using s = await stage()
    const begun = await beginLogIn(s.realm.host, s.method, provider)
    const { code, ...answer } = begun.answer
    const denied = await finishLogIn({ ...begun, answer }, { error: 'access_denied', error_description: '<b>x</b>' })
    expect(refusal(denied)).toEqual([400, 'Company did not let you log in.'])
  })

  test('A provider in a private network is not called unless the operator allows its network.', async () => {
    const gateway = await startGateway({ LOG_IN_NETWORKS: '' })
    try {
      await using s = await stage()
      const { status, body } = await call(
        s.owner,
        'POST',
        '/realm/log_in_methods',
        { name: 'Inside', options: { issuer: 'http://127.0.0.1:1', client_id: 'x' } },
        { url: gateway.url },
      )
      expect([status, body.msg]).toEqual([
        400,
        'At this address there is no provider that describes itself (/.well-known/openid-configuration).',
      ])
    } finally {
      await gateway.stop()
    }
  })
})

describe('Apps', () => {
  const pad = () => randomBytes(32).toString('hex')

  test('A mobile app gets the API key, combined with the pad that only it knows.', async () => {
    await using s = await stage()
    provider.script = { claims: ada }
    const otp = pad()
    const begun = await beginLogIn(s.realm.host, s.method, provider, `?mobile_flow_otp=${otp}`)
    const { status, headers } = await finishLogIn(begun)
    const { protocol, host, searchParams } = new URL(headers.location ?? '')
    expect([status, protocol, host]).toEqual([302, 'zulip:', 'login'])
    const encrypted = Buffer.from(searchParams.get('otp_encrypted_api_key') ?? '', 'hex')
    const key = encrypted.map((byte, i) => byte ^ (Buffer.from(otp, 'hex')[i] ?? 0))
    expect(Buffer.from(key).toString()).toBe(s.ada.api_key)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      realm: `http://${s.realm.host}:0`,
      email: 'ada@example.com',
      user_id: String(s.ada.user_id),
    })
    expect(headers['set-cookie']).toBeUndefined()
  })

  test.each(['', 'ff', 'z'.repeat(64), 'f'.repeat(63), 'f'.repeat(66)])('The pad %j is refused.', async (otp) => {
    await using s = await stage()
    for (const name of ['mobile_flow_otp', 'desktop_flow_otp']) {
      await expect(beginLogIn(s.realm.host, s.method, provider, `?${name}=${otp}`)).rejects.toThrow('64 hex digits')
    }
  })

  test('A desktop app gets a session with the text that the user carries to it, once.', async () => {
    await using s = await stage()
    provider.script = { claims: ada }
    const otp = pad()
    const begun = await beginLogIn(s.realm.host, s.method, provider, `?desktop_flow_otp=${otp}`)
    const { status, text, headers } = await finishLogIn(begun)
    expect([status, headers['set-cookie']]).toEqual([200, undefined])
    const bytes = Buffer.from(/value="([0-9a-f]+)"/.exec(text)?.[1] ?? '', 'hex')
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(otp, 'hex'), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(-16))
    const token = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
    const redeem = (given: string, origin?: string) =>
      sendRequest(portOf(anyGateway()), {
        method: 'POST',
        path: '/api/v1/sessions/external',
        host: s.realm.host,
        body: new URLSearchParams({ token: given }).toString(),
        ...(origin === undefined ? {} : { headers: { Origin: origin } }),
      })
    expect((await redeem(token, 'https://evil.example')).status).toBe(403)
    expect((await redeem(alterMiddle(token))).status).toBe(400)
    const answer = await redeem(token)
    expect(await userOf(s.realm, sessionCookie(answer))).toBe(s.ada.user_id)
    expect((await redeem(token)).json.msg).toBe('This token is not valid any more. Log in again.')
    expect((await redeem(`${token}=`)).status).toBe(400)
  })

  test('Clients learn of the methods before they log in.', async () => {
    await using s = await stage()
    const read = async () =>
      (await call(undefined, 'GET', '/server_settings', {}, { host: s.realm.host })).body as Record<string, unknown>
    const login_url = `/accounts/login/external/${s.method}`
    expect(await read()).toMatchObject({
      external_authentication_methods: [
        { name: `oidc:${s.method}`, display_name: 'Company', display_icon: null, login_url, signup_url: login_url },
        { name: 'browser', login_url: '/accounts/login/app' },
      ],
      authentication_methods: { 'openid connect': true, password: true },
    })
    await ok(s.owner, 'PATCH', `/realm/log_in_methods/${s.method}`, { is_enabled: false })
    await expect.poll(async () => (await read()).external_authentication_methods).toMatchObject([{ name: 'browser' }])
    expect((await sendRequest(portOf(anyGateway()), { path: login_url, host: s.realm.host })).status).toBe(400)
  })
})

describe('Linking', () => {
  test('A user links an account of a provider, whatever its address, and unlinks it.', async () => {
    await using s = await stage()
    await setPassword(s.realm, s.ada)
    const session = await logIn(s.ada)
    const begin = await sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: '/api/v1/users/me/identities',
      host: s.realm.host,
      headers: { Cookie: session.cookie, 'X-CSRF-Token': session.csrf_token },
      body: `provider=${s.method}`,
    })
    const [cookie = ''] = (begin.headers['set-cookie'] ?? [])[0]?.split(';') ?? []
    const location = new URL(String(begin.json.url))
    provider.script = { claims: { sub: 'private', email: 'private@elsewhere.example' } }
    const begun = {
      host: s.realm.host,
      path: `/accounts/login/external/${s.method}`,
      cookie,
      location,
      answer: {
        code: provider.grant(location.href),
        state: location.searchParams.get('state') ?? '',
        iss: provider.issuer,
      },
    }
    // Without the session that began it, each user with the cookie could make the link.
    const stolen = { ...begun, answer: { ...begun.answer, code: provider.grant(location.href) } }
    const linked = await finishLogIn(begun, {}, { cookie: `${cookie}; ${session.cookie}` })
    expect(linked.headers.location).toBe('/#settings/linked-accounts')
    expect((await finishLogIn(stolen)).status).toBe(400)
    provider.script = { claims: { sub: 'private' } }
    const entered = await finishLogIn(await beginLogIn(s.realm.host, s.method, provider))
    expect(await userOf(s.realm, sessionCookie(entered))).toBe(s.ada.user_id)
    await ok(s.ada, 'DELETE', `/users/me/identities/${s.method}`)
    expect((await acts(s))[0]).toMatchObject({ result: 'unlinked' })
    expect((await call(s.ada, 'DELETE', `/users/me/identities/${s.method}`)).status).toBe(400)
  })

  test('The only way in stays.', async () => {
    await using s = await stage()
    await s.enter(ada)
    const unlink = () => call(s.ada, 'DELETE', `/users/me/identities/${s.method}`)
    expect((await unlink()).body.msg).toBe('This is the only way in which you can log in. Set a password first.')
    await setPassword(s.realm, s.ada)
    // A password is no way in where the organization has turned passwords off.
    await ok(s.owner, 'PATCH', '/realm', { authentication_methods: { Email: false } })
    await expect.poll(async () => (await unlink()).status).toBe(400)
    expect((await postSession(s.realm.host, s.ada.email)).json.code).toBe('PASSWORD_AUTH_DISABLED')
    await ok(s.owner, 'PATCH', '/realm', { authentication_methods: { Email: true } })
    await expect.poll(async () => (await unlink()).status).toBe(200)
  })

  test('Passwords are open again when the last provider is removed.', async () => {
    await using s = await stage()
    await setPassword(s.realm, s.ada)
    await ok(s.owner, 'PATCH', '/realm', { authentication_methods: { Email: false } })
    await ok(s.owner, 'DELETE', `/realm/log_in_methods/${s.method}`)
    await expect.poll(async () => (await postSession(s.realm.host, s.ada.email)).status).toBe(200)
  })
})

describe('Log-out', () => {
  const logOut = 'http://schemas.openid.net/event/backchannel-logout'
  const now = () => Math.floor(Date.now() / 1000)
  const claims = (more: object = {}) => ({
    iss: provider.issuer,
    aud: 'parley',
    iat: now(),
    jti: randomBytes(8).toString('hex'),
    events: { [logOut]: {} },
    ...more,
  })
  const end = (s: Stage, token: string) =>
    sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: `/accounts/login/external/${s.method}/backchannel_logout`,
      host: s.realm.host,
      body: new URLSearchParams({ logout_token: token }).toString(),
      headers: { Accept: 'application/json' },
    })

  test('The provider ends one session, or all of a user.', async () => {
    await using s = await stage()
    const [one, two, three] = [
      sessionCookie(await s.enter({ ...ada, sid: 'one' })),
      sessionCookie(await s.enter({ ...ada, sid: 'two' })),
      sessionCookie(await s.enter({ ...ada, sid: 'three' })),
    ]
    expect((await end(s, await provider.sign(claims({ sid: 'one' })))).status).toBe(200)
    await expect.poll(() => userOf(s.realm, one)).toBe(401)
    expect(await userOf(s.realm, two)).toBe(s.ada.user_id)
    const path = `/accounts/login/external/${s.method}/frontchannel_logout`
    const query = new URLSearchParams({ iss: provider.issuer, sid: 'two' })
    const framed = await sendRequest(portOf(anyGateway()), { path: `${path}?${query}`, host: s.realm.host })
    expect([framed.status, framed.headers['x-frame-options']]).toEqual([200, undefined])
    await expect.poll(() => userOf(s.realm, two)).toBe(401)
    const token = await provider.sign(claims({ sub: 'ada' }))
    expect((await end(s, token)).status).toBe(200)
    await expect.poll(() => userOf(s.realm, three)).toBe(401)
    expect((await end(s, token)).json.msg).toBe('This log-out token was used before.')
  })

  test.each<[string, (own: object) => object]>([
    ['without an event', () => ({ sub: 'ada', events: {} })],
    ['with a nonce, as an ID token', () => ({ sub: 'ada', nonce: 'x' })],
    ['of another issuer', () => ({ sub: 'ada', iss: 'https://evil.example' })],
    ['for another client', () => ({ sub: 'ada', aud: 'another' })],
    ['without a subject', () => ({})],
    ['that is old', () => ({ sub: 'ada', iat: now() - 3_600 })],
  ])('A log-out token %s is refused.', async (_, more) => {
    await using s = await stage()
    const cookie = sessionCookie(await s.enter(ada))
    expect((await end(s, await provider.sign(claims(more({}))))).json.msg).toBe(
      'This is no log-out token of the provider.',
    )
    expect(await userOf(s.realm, cookie)).toBe(s.ada.user_id)
  })

  test('A log-out here leads to the log-out of the provider, where the owner wants that.', async () => {
    await using s = await stage({ ends_provider_session: true })
    const cookie = sessionCookie(await s.enter(ada))
    const request = { host: s.realm.host, headers: { Cookie: cookie } }
    const { json } = await sendRequest(portOf(anyGateway()), { ...request, path: '/api/v1/sessions/current' })
    const headers = { Cookie: cookie, 'X-CSRF-Token': String(json.csrf_token) }
    const ended = await sendRequest(portOf(anyGateway()), {
      ...request,
      method: 'DELETE',
      path: '/api/v1/sessions/current',
      headers,
    })
    const url = new URL(String(ended.json.log_out_url))
    expect(`${url.origin}${url.pathname}`).toBe(`${provider.issuer}/log-out`)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`http://${s.realm.host}:0/`)
    expect(url.searchParams.get('id_token_hint')).toMatch(/^ey/)
  })
})

describe('Setting up', () => {
  test('Only owners see and change providers, and nobody sees a secret.', async () => {
    await using s = await stage()
    const [admin] = (await s.realm.people({ full_name: 'Admin', role: 200 })) as [Person]
    expect((await call(admin, 'GET', '/realm/log_in_methods')).status).toBe(400)
    expect((await call(admin, 'DELETE', `/realm/log_in_methods/${s.method}`)).status).toBe(400)
    const listed = await call(s.owner, 'GET', '/realm/log_in_methods')
    expect(listed.body.log_in_methods).toMatchObject([{ id: s.method, has_secret: true, name: 'Company' }])
    const log = await call(s.owner, 'GET', '/realm/audit_log')
    for (const { body } of [listed, log]) expect(JSON.stringify(body)).not.toContain('shared secret')
    const [row] = await s.realm.sql`select sealed_secret from log_in_methods where realm_id = ${s.realm.realm_id}`
    expect(row?.sealed_secret).not.toContain('shared')
    expect(JSON.stringify(log.body)).not.toContain(row?.sealed_secret)
  })

  test.each<[object, string]>([
    [{ client_id: '' }, 'The option client_id of the log-in provider is not valid.'],
    [{ verified_claim: '' }, 'The option verified_claim of the log-in provider is not valid.'],
    [{ creates_accounts: 'all' }, 'The option creates_accounts of the log-in provider is not valid.'],
    [{ unknown: 1 }, 'The option unknown of the log-in provider is not valid.'],
    [{ issuer: 'ftp://x' }, 'The option issuer of the log-in provider is not valid.'],
  ])('The options %j are refused.', async (options, msg) => {
    await using s = await stage()
    const given = { issuer: provider.issuer, client_id: 'parley', ...options }
    const { status, body } = await call(s.owner, 'POST', '/realm/log_in_methods', { name: 'Other', options: given })
    expect([status, body.msg]).toEqual([400, msg])
  })

  test('A provider of the operator serves the organizations that the operator names.', async () => {
    await using s = await stage()
    await using other = await stage()
    const LOG_IN_METHODS = JSON.stringify([
      {
        key: 'company',
        name: 'Everywhere',
        issuer: provider.issuer,
        client_id: 'parley',
        organizations: [s.realm.host.split('.')[0]],
      },
    ])
    const gateway = await startGateway({ LOG_IN_METHODS })
    try {
      const names = async ({ realm }: Stage) => {
        const { body } = await call(undefined, 'GET', '/server_settings', {}, { host: realm.host, url: gateway.url })
        return (body.external_authentication_methods as { display_name: string }[]).map((one) => one.display_name)
      }
      expect(await names(s)).toEqual(['Everywhere', 'Company', 'Browser'])
      expect(await names(other)).toEqual(['Company', 'Browser'])
    } finally {
      await gateway.stop()
    }
  })
})

/** The second factor of an account: one-time codes (RFC 6238) and recovery codes, and what a password alone permits. */
import { describe, expect, test } from 'vitest'
import { createRecoveryCodes, readRecoveryCode } from '../../src/domain/second-factor/recovery-codes.js'
import { findTotpStep } from '../../src/gateway/second-factor/one-time-code.js'
import {
  beginHalf,
  composeCode,
  enrol,
  freshCode,
  halfCookie,
  secondFactorActs,
  sendHalf,
} from '../setup/log-in/one-time-codes.js'
import { beginLogIn, finishLogIn, sessionCookie } from '../setup/log-in/provider-log-in.js'
import { startProvider } from '../setup/log-in/scripted-provider.js'
import { cli } from '../setup/processes/cli.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startGateway } from '../setup/processes/processes.js'
import { waitForMails } from '../setup/realm/mails.js'
import { anyGateway, call, gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { callAs, logIn, password, postSession, readBrowserSession, setPassword } from '../setup/web/browser-session.js'

const people = async () => {
  const realm = await newRealm()
  const [owner, ada, grace] = (await realm.people(
    { full_name: 'Owner', role: 100 },
    { full_name: 'Ada' },
    { full_name: 'Grace' },
  )) as [Person, Person, Person]
  return { realm, owner, ada, grace, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

/** An organization in which Ada has a second factor. */
const stage = async () => {
  const s = await people()
  return { ...s, enrolled: await enrol(s.realm, s.ada) }
}

const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** What an answer says. */
const said = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json.code]

describe('One-time codes', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('The code at second %d is that of RFC 6238.', (now, code) => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const step = Math.floor(now / 30)
    expect(findTotpStep(secret, code, now)).toBe(step)
    // One step of difference between the clocks is accepted, and no more.
    expect(findTotpStep(secret, code, now + 30)).toBe(step)
    expect(findTotpStep(secret, code, now - 30)).toBe(step)
    expect(findTotpStep(secret, code, now + 60)).toBeUndefined()
    expect(findTotpStep(secret, code, now - 60)).toBeUndefined()
    expect(composeCode(secret, 0, now * 1_000)).toBe(code)
  })

  test('Recovery codes are read as people type them.', () => {
    const codes = createRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) {
      expect(code).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/)
      expect(readRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(code.replaceAll('-', ''))
    }
    expect(readRecoveryCode('O0Il-0000-0000-0000')).toBe('0011000000000000')
    expect(readRecoveryCode('123456')).toBeUndefined()
  })
})

describe('Setting a second factor up', () => {
  test('It needs a session and the password, and is confirmed by a code of the app.', async () => {
    await using s = await people()
    await setPassword(s.realm, s.ada)
    const noSession = await call(s.ada, 'POST', '/users/me/second_factor/enrolment', { password })
    expect([noSession.status, noSession.body.code]).toEqual([401, 'UNAUTHORIZED'])
    const session = await logIn(s.ada)
    expect(said(await callAs(session, 'POST', '/users/me/second_factor/enrolment'))).toEqual([
      401,
      'AUTHENTICATION_FAILED',
    ])
    const begun = await callAs(session, 'POST', '/users/me/second_factor/enrolment', { password })
    const { secret, uri, enrolment } = begun.json as Record<string, string>
    expect(uri).toContain(`secret=${secret}`)
    expect(uri).toContain(encodeURIComponent(s.ada.email))
    const code = composeCode(secret as string)
    const confirm = (params: Record<string, string>, by = session) =>
      callAs(by, 'POST', '/users/me/second_factor', { enrolment: enrolment as string, code, ...params })
    expect(said(await confirm({ code: wrongCode(code) }))).toEqual([401, 'SECOND_FACTOR_FAILED'])
    expect(said(await confirm({ enrolment: 'AAAA' }))).toEqual([400, 'BAD_REQUEST'])
    // The enrolment of one account sets up no other one.
    await setPassword(s.realm, s.grace)
    expect(said(await confirm({}, await logIn(s.grace)))).toEqual([400, 'BAD_REQUEST'])
    const confirmed = await confirm({})
    expect(confirmed.json.recovery_codes).toHaveLength(10)
    const renewed = readBrowserSession(s.ada.host, confirmed)
    expect((await callAs(renewed, 'GET', '/users/me/second_factor')).json).toMatchObject({
      recovery_codes: 10,
      added_at: expect.any(Number),
    })
    // A second one replaces none.
    expect(said(await confirm({}, renewed))).toEqual([400, 'BAD_REQUEST'])
    expect(await secondFactorActs(s.owner)).toEqual(['added'])
    const mails = await waitForMails(s.ada.email)
    expect(mails.some((mail) => mail.includes('has a second factor now'))).toBe(true)
  })

  test('The former sessions and the former API key end with it, at every gateway.', async () => {
    await using s = await people()
    await setPassword(s.realm, s.ada)
    const other = await logIn(s.ada)
    const { session } = await enrol(s.realm, s.ada)
    for (const url of gateways()) {
      expect((await callAs(session, 'GET', '/users/me', {}, { url })).status).toBe(200)
      expect((await callAs(other, 'GET', '/users/me', {}, { url })).status).toBe(401)
      expect((await call(s.ada, 'GET', '/users/me', {}, { url })).status).toBe(401)
    }
  })

  test('The database has neither the secret nor a recovery code.', async () => {
    await using s = await stage()
    const { secret, recovery_codes, person } = s.enrolled
    const { sql, realm_id } = s.realm
    const rows = await sql`
      select f::text as row from second_factors f where realm_id = ${realm_id}
      union all select c::text from recovery_codes c where realm_id = ${realm_id}
      union all select l::text from log l where realm_id = ${realm_id}
      union all select a::text from audit_log a where realm_id = ${realm_id}
      union all select j::text from jobs j where realm_id = ${realm_id}`
    const text = JSON.stringify(rows)
    expect(text).toContain(String(person.user_id))
    expect(text).not.toContain(secret)
    for (const code of recovery_codes) {
      expect(text).not.toContain(code)
      expect(text).not.toContain(code.replaceAll('-', ''))
    }
  })
})

describe('Log-in', () => {
  test('A password alone begins no session and gets no API key.', async () => {
    await using s = await stage()
    const answer = await postSession(s.ada.host, s.ada.email)
    expect(said(answer)).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    expect(answer.headers['set-cookie']?.some((line) => line.startsWith('parley_session='))).toBe(false)
    const key = await sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: '/api/v1/fetch_api_key',
      host: s.ada.host,
      body: new URLSearchParams({ username: s.ada.email, password }).toString(),
    })
    expect(said(key)).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    // A wrong password does not tell that there is a second factor.
    expect(said(await postSession(s.ada.host, s.ada.email, { password: 'wrong' }))).toEqual([
      401,
      'AUTHENTICATION_FAILED',
    ])
  })

  test('The code of the app ends it, once: also if it comes to all gateways at the same moment.', async () => {
    await using s = await stage()
    const cookie = await beginHalf(s.ada)
    const code = await freshCode(s.realm, s.enrolled)
    const answers = await Promise.all(
      [...gateways(), ...gateways()].map((url) => sendHalf(s.ada.host, cookie, code, url)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...answers.slice(1).map(() => 401)])
    const right = answers.find(({ status }) => status === 200)
    const session = readBrowserSession(s.ada.host, right as (typeof answers)[0])
    expect((await callAs(session, 'GET', '/users/me')).json.user_id).toBe(s.ada.user_id)
    // The browser forgets the half, and a replay of the code is refused later too.
    expect(right?.headers['set-cookie']?.some((line) => /^parley_log_in=; .*Max-Age=0/.test(line))).toBe(true)
    expect(said(await sendHalf(s.ada.host, cookie, code))).toEqual([401, 'SECOND_FACTOR_FAILED'])
  })

  test('A recovery code ends it once, is in the audit log, and the user is mailed.', async () => {
    await using s = await stage()
    const [code = ''] = s.enrolled.recovery_codes
    const cookie = await beginHalf(s.ada)
    const answers = await Promise.all(gateways().map((url) => sendHalf(s.ada.host, cookie, code.toUpperCase(), url)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const acts = await secondFactorActs(s.owner)
    expect(acts.filter((act) => act === 'recovery_code_used')).toHaveLength(1)
    await expect
      .poll(async () =>
        (await waitForMails(s.ada.email)).some((mail) => mail.includes('recovery code of your account')),
      )
      .toBe(true)
  })

  test('Only the browser that sent the password ends it, and not after ten minutes.', async () => {
    await using s = await stage()
    const code = await freshCode(s.realm, s.enrolled)
    expect(said(await sendHalf(s.ada.host, '', code))).toEqual([401, 'LOG_IN_TOOK_TOO_LONG'])
    const { keys } = s.realm.realm.state.deployment
    const half = { realm_id: s.realm.realm_id, user_id: s.ada.user_id, purpose: { kind: 'session', next: '/' } }
    const seal = (changed: object) =>
      `parley_log_in=${keys.sealFor('half-log-in', JSON.stringify({ ...half, ...changed }))}`
    const { key_version = 0 } = s.realm.realm.state.users.get(s.ada.user_id) ?? {}
    const now = Math.floor(Date.now() / 1000)
    expect(said(await sendHalf(s.ada.host, seal({ key_version, expires_at: now - 1 }), code))).toEqual([
      401,
      'LOG_IN_TOOK_TOO_LONG',
    ])
    expect(
      said(await sendHalf(s.ada.host, seal({ key_version: key_version - 1, expires_at: now + 60 }), code)),
    ).toEqual([401, 'LOG_IN_TOOK_TOO_LONG'])
    await using other = await stage()
    expect(said(await sendHalf(other.ada.host, await beginHalf(s.ada), code))).toEqual([401, 'LOG_IN_TOOK_TOO_LONG'])
  })

  test('A page of another site cannot end it.', async () => {
    await using s = await stage()
    const answer = await sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: '/api/v1/sessions/second_factor',
      host: s.ada.host,
      headers: { Cookie: await beginHalf(s.ada), Origin: 'https://evil.example' },
      body: new URLSearchParams({ code: await freshCode(s.realm, s.enrolled) }).toString(),
    })
    expect(answer.status).toBe(403)
  })

  test('Wrong codes are limited for the account, recorded, and mailed to the user; the right one does not count.', async () => {
    await using s = await stage()
    const limited = { RATE_LIMITS: 'on', RATES: 'api_by_ip=1000/60' }
    await using first = await startGateway(limited)
    await using second = await startGateway(limited)
    const send = (n: number, code: string) => sendHalf(s.ada.host, cookie, code, [first, second][n % 2]?.url)
    const cookie = await beginHalf(s.ada)
    const wrong = wrongCode(composeCode(s.enrolled.secret))
    for (let i = 0; i < 6; i++) {
      const [right = ''] = s.enrolled.recovery_codes.splice(0, 1)
      expect((await send(i, right)).status).toBe(200)
    }
    const answers = []
    for (let i = 0; i < 6; i++) answers.push(said(await send(i, wrong)))
    expect(answers).toEqual([
      ...Array.from({ length: 5 }, () => [401, 'SECOND_FACTOR_FAILED']),
      [429, 'RATE_LIMIT_HIT'],
    ])
    expect(said(await send(0, await freshCode(s.realm, s.enrolled)))).toEqual([429, 'RATE_LIMIT_HIT'])
    expect((await secondFactorActs(s.owner)).filter((act) => act === 'refused')).toHaveLength(5)
    await expect
      .poll(async () => (await waitForMails(s.ada.email)).filter((mail) => mail.includes('A wrong code')).length)
      .toBeGreaterThan(0)
  })
})

describe('An app', () => {
  const pad = '0123456789abcdef'.repeat(4)
  const form = (host: string, path: string, fields: Record<string, string>, cookie = '') =>
    sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path,
      host,
      headers: { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })

  const readKey = (page: string): string => {
    const address = new URL((/href="(zulip:[^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&'))
    const encrypted = Buffer.from(address.searchParams.get('otp_encrypted_api_key') ?? '', 'hex')
    return Buffer.from(encrypted.map((byte, i) => byte ^ (Buffer.from(pad, 'hex')[i] ?? 0))).toString()
  }

  test('gets the API key when its user has logged in with the browser, with both factors.', async () => {
    await using s = await stage()
    const { external_authentication_methods } = await ok<{ external_authentication_methods: { login_url: string }[] }>(
      s.owner,
      'GET',
      '/server_settings',
    )
    const [{ login_url } = { login_url: '' }] = external_authentication_methods
    const path = `${login_url}?mobile_flow_otp=${pad}`
    expect((await sendRequest(portOf(anyGateway()), { path, host: s.ada.host })).text).toContain('name="password"')
    const wrong = await form(s.ada.host, path, { username: s.ada.email, password: 'wrong' })
    expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([401, true])
    const first = await form(s.ada.host, path, { username: s.ada.email, password })
    expect([first.status, first.headers.location]).toEqual([303, '/accounts/login/second_factor'])
    const second = first.headers.location ?? ''
    const cookie = halfCookie(first)
    const asked = await sendRequest(portOf(anyGateway()), {
      path: second,
      host: s.ada.host,
      headers: { Cookie: cookie },
    })
    expect(asked.text).toContain('autocomplete="one-time-code"')
    const refused = await form(s.ada.host, second, { code: '12' }, cookie)
    expect([refused.status, refused.text.includes('role="alert"')]).toEqual([401, true])
    const done = await form(s.ada.host, second, { code: await freshCode(s.realm, s.enrolled) }, cookie)
    expect(done.status).toBe(200)
    const api_key = readKey(done.text)
    expect((await ok({ ...s.ada, api_key }, 'GET', '/users/me')).user_id).toBe(s.ada.user_id)
  })

  test('of an account without a second factor gets it after the password.', async () => {
    await using s = await people()
    await setPassword(s.realm, s.ada)
    const fields = { username: s.ada.email, password }
    const done = await form(s.ada.host, `/accounts/login/app?mobile_flow_otp=${pad}`, fields)
    expect(readKey(done.text)).toBe(s.ada.api_key)
    expect((await form(s.ada.host, '/accounts/login/app?mobile_flow_otp=12', fields)).status).toBe(400)
  })
})

describe('Changes', () => {
  test('The API key is shown for a code, and not for the password.', async () => {
    await using s = await stage()
    const { session } = s.enrolled
    expect(said(await callAs(session, 'POST', '/users/me/api_key', { password }))).toEqual([
      401,
      'SECOND_FACTOR_FAILED',
    ])
    const shown = await callAs(session, 'POST', '/users/me/api_key', { code: await freshCode(s.realm, s.enrolled) })
    const { api_key } = shown.json as { api_key: string }
    expect((await ok({ ...s.ada, api_key }, 'GET', '/users/me')).user_id).toBe(s.ada.user_id)
    // The key itself changes nothing of the second factor.
    const removal = await call({ ...s.ada, api_key }, 'DELETE', '/users/me/second_factor', {
      code: await freshCode(s.realm, s.enrolled),
    })
    expect([removal.status, removal.body.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  test('New recovery codes replace the former ones.', async () => {
    await using s = await stage()
    const { session, recovery_codes } = s.enrolled
    const renewed = await callAs(session, 'POST', '/users/me/second_factor/recovery_codes', {
      code: await freshCode(s.realm, s.enrolled),
    })
    const [code = ''] = renewed.json.recovery_codes as string[]
    const cookie = await beginHalf(s.ada)
    expect((await sendHalf(s.ada.host, cookie, recovery_codes[0] ?? '')).status).toBe(401)
    expect((await sendHalf(s.ada.host, cookie, code)).status).toBe(200)
    expect(await secondFactorActs(s.owner)).toEqual(['recovery_code_used', 'refused', 'codes_renewed', 'added'])
  })

  test('After its removal, the password is enough.', async () => {
    await using s = await stage()
    const { session } = s.enrolled
    expect((await callAs(session, 'DELETE', '/users/me/second_factor', { code: '000' })).status).toBe(401)
    const code = await freshCode(s.realm, s.enrolled)
    expect((await callAs(session, 'DELETE', '/users/me/second_factor', { code })).status).toBe(200)
    expect((await postSession(s.ada.host, s.ada.email)).status).toBe(200)
    expect(await secondFactorActs(s.owner)).toEqual(['removed', 'refused', 'added'])
  })
})

describe('An organization that asks for a second factor', () => {
  const begin = (host: string, cookie: string) =>
    sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: '/api/v1/sessions/second_factor/enrolment',
      host,
      headers: { Cookie: cookie },
      body: '',
    })
  const confirm = (host: string, cookie: string, { secret, enrolment }: Record<string, string>) =>
    sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: '/api/v1/sessions/second_factor/confirm',
      host,
      headers: { Cookie: cookie },
      body: new URLSearchParams({ enrolment: enrolment ?? '', code: composeCode(secret ?? '') }).toString(),
    })

  test.each([
    ['nobody', [200, 200, 200]],
    ['administrators', [401, 200, 200]],
    ['members', [401, 401, 200]],
    ['everyone', [401, 401, 401]],
  ])('lets %s set it up at the next log-in.', async (value, wanted) => {
    await using s = await people()
    const [guest] = (await s.realm.people({ full_name: 'Guest', role: 600 })) as [Person]
    await ok(s.owner, 'PATCH', '/realm', { second_factor_required_for: value })
    await s.realm.realm.barrier()
    for (const [i, person] of [s.owner, s.ada, guest].entries()) {
      await setPassword(s.realm, person)
      await expect.poll(async () => (await postSession(person.host, person.email)).status).toBe(wanted[i])
    }
  })

  test('ends old sessions and keys when the user has set it up, and lets nobody remove it.', async () => {
    await using s = await people()
    await setPassword(s.realm, s.ada)
    const former = await logIn(s.ada)
    await ok(s.owner, 'PATCH', '/realm', { second_factor_required_for: 'members' })
    await expect
      .poll(async () => (await postSession(s.ada.host, s.ada.email)).json.code)
      .toBe('SECOND_FACTOR_ENROLMENT_REQUIRED')
    const cookie = halfCookie(await postSession(s.ada.host, s.ada.email))
    const key = await call(
      undefined,
      'POST',
      '/fetch_api_key',
      { username: s.ada.email, password },
      { host: s.ada.host },
    )
    expect(key.body.code).toBe('SECOND_FACTOR_ENROLMENT_REQUIRED')
    // Until then, what was there goes on.
    expect((await callAs(former, 'GET', '/users/me')).status).toBe(200)
    // A code ends no log-in of an account that has no second factor, and another browser sets none up.
    expect(said(await sendHalf(s.ada.host, cookie, '123456'))).toEqual([401, 'SECOND_FACTOR_FAILED'])
    expect(said(await begin(s.ada.host, ''))).toEqual([401, 'LOG_IN_TOOK_TOO_LONG'])
    const begun = await begin(s.ada.host, cookie)
    const confirmed = await confirm(s.ada.host, cookie, begun.json as Record<string, string>)
    expect(confirmed.json.recovery_codes).toHaveLength(10)
    const session = readBrowserSession(s.ada.host, confirmed)
    expect((await callAs(session, 'GET', '/users/me')).status).toBe(200)
    expect((await callAs(former, 'GET', '/users/me')).status).toBe(401)
    expect((await call(s.ada, 'GET', '/users/me')).status).toBe(401)
    // The half of the log-in sets no other one up.
    expect(said(await begin(s.ada.host, cookie))).toEqual([401, 'LOG_IN_TOOK_TOO_LONG'])
    const [code = ''] = confirmed.json.recovery_codes as string[]
    const removal = await callAs(session, 'DELETE', '/users/me/second_factor', { code })
    expect([removal.status, removal.json.msg]).toEqual([
      400,
      'Your organization asks for a second factor: it cannot be removed.',
    ])
  })
})

describe('A lost device', () => {
  test('An administrator ends the second factor with all sessions and keys, but not that of an owner.', async () => {
    await using s = await stage()
    const [admin] = (await s.realm.people({ full_name: 'Admin', role: 200 })) as [Person]
    const { session } = s.enrolled
    const end = async (by: Person, { user_id }: Person) => {
      const { status, body } = await call(by, 'DELETE', `/users/${user_id}/second_factor`)
      return [status, body.code]
    }
    expect((await end(s.grace, s.ada))[0]).toBe(400)
    expect(await end(admin, s.ada)).toEqual([200, undefined])
    for (const url of gateways()) {
      await expect.poll(async () => (await callAs(session, 'GET', '/users/me', {}, { url })).status).toBe(401)
    }
    expect((await postSession(s.ada.host, s.ada.email)).status).toBe(200)
    expect(await end(admin, s.ada)).toEqual([400, 'BAD_REQUEST'])
    expect(await end(admin, s.owner)).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    expect(await end(admin, admin)).toEqual([400, 'BAD_REQUEST'])
    expect(await secondFactorActs(s.owner)).toEqual(['ended', 'added'])
    await expect
      .poll(async () =>
        (await waitForMails(s.ada.email)).some((mail) => mail.includes('Admin ended the second factor')),
      )
      .toBe(true)
  })

  test('The command line ends it too, also that of an owner.', async () => {
    await using s = await people()
    await enrol(s.realm, s.owner)
    await cli('end-second-factor', s.realm.realm.state.realm.string_id, s.owner.email)
    await expect.poll(async () => (await postSession(s.owner.host, s.owner.email)).status).toBe(200)
  })
})

describe('A provider', () => {
  test('leads on to the code, unless it says that it has asked for a second factor in a way that counts.', async () => {
    await using provider = await startProvider()
    await using s = await stage()
    const { id } = await ok<{ id: number }>(s.owner, 'POST', '/realm/log_in_methods', {
      name: 'Company',
      client_secret: 'shared secret',
      options: { issuer: provider.issuer, client_id: 'parley', second_factor_amr: ['mfa', 'otp'] },
    })
    await s.realm.realm.barrier()
    const enter = async (claims: object) => {
      const begun = await beginLogIn(s.realm.host, id, provider)
      provider.script = { claims: { sub: 'ada', email: s.ada.email, email_verified: true, name: 'Ada', ...claims } }
      return finishLogIn(begun)
    }
    for (const amr of [undefined, [], ['pwd'], 'mfa', { mfa: true }]) {
      const held = await enter({ amr })
      expect([held.status, held.headers.location, sessionCookie(held)]).toEqual([
        302,
        '/accounts/login/second_factor',
        '',
      ])
    }
    const held = await enter({})
    const done = await sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: '/accounts/login/second_factor',
      host: s.realm.host,
      headers: { Cookie: halfCookie(held) },
      body: new URLSearchParams({ code: await freshCode(s.realm, s.enrolled) }).toString(),
    })
    expect([done.status, done.headers.location]).toEqual([303, '/'])
    expect(sessionCookie(done)).not.toBe('')
    expect(sessionCookie(await enter({ amr: ['pwd', 'otp'] }))).not.toBe('')
  })
})

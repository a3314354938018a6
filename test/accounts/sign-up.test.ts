/** Signing up without an invitation: links, approval, limits, and what attackers try. */
import { domainToASCII } from 'node:url'
import { describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { startGateway } from '../setup/processes/processes.js'
import { listen } from '../setup/realm/event-listener.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { readMails, waitForMails } from '../setup/realm/mails.js'
import { anyGateway, call, gateways, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const setUp = async (settings: Record<string, unknown> = {}) => {
  const s = await newRealmWith('Owner', 'Admin', 'Moderator', 'Ada')
  await ok(s.owner, 'PATCH', '/realm', { invite_required: false, ...settings })
  return s
}

type Stage = Awaited<ReturnType<typeof setUp>>

let count = 0
const newAddress = (domain = 'example.com') => `signing-up-${process.pid}-${++count}@${domain}`
const password = 'correct horse battery staple'
const page = '/accounts/sign_up'
const programHeaders = { Accept: 'application/json' }

const post = (
  host: string,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = programHeaders,
  url = anyGateway(),
) =>
  sendRequest(Number(new URL(url).port), {
    method: 'POST',
    path,
    host,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  })

const get = (host: string, path: string, headers: Record<string, string> = {}) =>
  sendRequest(Number(new URL(anyGateway()).port), { path, host, headers })

const readLink = (mail: string | undefined) => /\/accounts\/sign_up\/[\w-]+/.exec(mail ?? '')?.[0] ?? ''

/** Requests a link. @returns the path of the link in the newest of `mails` mails to the address */
const requestLink = async (s: Stage, email: string, mails = 1): Promise<string> => {
  const { json } = await post(s.ada.host, page, { email })
  expect(json).toEqual({ result: 'success', msg: '', confirmation_mailed_to: email })
  return readLink((await waitForMails(email, mails))[mails - 1])
}

const signUp = (s: Stage, path: string, form: Record<string, string> = {}) =>
  post(s.ada.host, path, { full_name: 'Mary', password, ...form })

const emailsOf = async (s: Stage) => {
  const { members } = await ok(s.owner, 'GET', '/users')
  return members.map(({ delivery_email }) => delivery_email)
}

const logIn = async (s: Stage, email: string, given = password) => {
  const { status, json } = await post(s.ada.host, '/api/v1/fetch_api_key', { username: email, password: given })
  return [status, json.code]
}

const waitingFor = async (person: Person) => (await ok(person, 'GET', '/sign_ups')).sign_ups

const acts = async (s: Stage) => (await ok(s.owner, 'GET', '/realm/audit_log')).acts

const expired =
  'This link is no longer valid: it was used, it has expired, or the account was changed after it was requested.'

describe('Signing up', () => {
  test('A user confirms an address, and gets an account as one who is invited without own channels.', async () => {
    await using s = await setUp()
    await ok(s.admin, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'welcome' }, { name: 'signups' }],
    })
    const id = async (stream: string) => (await ok(s.admin, 'GET', '/get_stream_id', { stream })).stream_id
    await ok(s.admin, 'POST', '/default_streams', { stream_id: await id('welcome') })
    await ok(s.owner, 'PATCH', '/realm', { signup_announcements_stream_id: await id('signups') })
    await ok(s.owner, 'PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: true })
    const email = newAddress()
    const asked = await post(
      s.ada.host,
      page,
      { email, timezone: 'Europe/Berlin' },
      { ...programHeaders, 'Accept-Language': 'de' },
    )
    expect(asked.status).toBe(200)
    const [mail] = await waitForMails(email)
    expect(mail).toMatch(/Subject: .* beitreten/)
    const link = readLink(mail)
    const shown = await get(s.ada.host, link)
    expect([shown.status, shown.text]).toEqual([
      200,
      expect.stringContaining('<option value="Europe/Berlin" selected="">'),
    ])
    const { status, json } = await signUp(s, link, { timezone: 'Europe/Paris', language: 'fr' })
    expect([status, json]).toMatchObject([200, { is_waiting: false, email }])
    const mary = { ...json, host: s.ada.host } as unknown as Person
    expect(await ok(mary, 'GET', '/users/me')).toMatchObject({
      delivery_email: email,
      role: Role.member,
      timezone: 'Europe/Paris',
    })
    const { subscriptions } = await ok(mary, 'GET', '/users/me/subscriptions')
    expect(subscriptions.map(({ name }) => name)).toEqual(['welcome'])
    const { user_settings } = await ok(mary, 'POST', '/register', { fetch_event_types: ['user_settings'] })
    expect(user_settings).toMatchObject({ twenty_four_hour_time: true, default_language: 'fr' })
    expect(await logIn(s, email)).toEqual([200, undefined])
    const search = { anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false }
    const narrow = [{ operator: 'channel', operand: 'signups' }]
    await expect
      .poll(async () => JSON.stringify((await ok(s.admin, 'GET', '/messages', { ...search, narrow })).messages))
      .toContain('Mary')
    expect(await acts(s)).toContainEqual(expect.objectContaining({ action: 'POST /accounts/sign_up/{token}' }))
  })

  test('A browser gets pages, and is logged in afterwards.', async () => {
    await using s = await setUp()
    const browser = { Accept: 'text/html' }
    expect((await get(s.ada.host, page, browser)).text).toContain('name="email"')
    const email = newAddress()
    const asked = await post(s.ada.host, page, { email }, browser)
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining(email)])
    const link = readLink((await waitForMails(email))[0])
    const weak = await post(s.ada.host, link, { full_name: 'Mary "<b>"', password: 'secret' }, browser)
    expect([weak.status, weak.text]).toEqual([400, expect.stringContaining('too easy to guess')])
    expect(weak.text).not.toContain('<b>')
    const done = await post(s.ada.host, link, { full_name: 'Mary', password }, browser)
    expect([done.status, done.headers['set-cookie']?.join()]).toEqual([200, expect.stringMatching(/HttpOnly/)])
  })

  test('Who must have a second factor gets no key and no session before it.', async () => {
    await using s = await setUp({ second_factor_required_for: 'members' })
    const { json } = await signUp(s, await requestLink(s, newAddress()))
    expect(json).toMatchObject({ result: 'success', is_waiting: false })
    expect(json).not.toHaveProperty('api_key')
    const page = await post(s.ada.host, await requestLink(s, newAddress()), { full_name: 'Mary', password }, {})
    expect([page.status, page.headers['set-cookie']]).toEqual([200, undefined])
  })

  test.each(['full_name', 'timezone', 'language', 'default_stream_group'])(
    'A wrong %s is refused, and the link stays valid.',
    async (name) => {
      await using s = await setUp()
      const link = await requestLink(s, newAddress())
      const wrong = { full_name: 'x', timezone: 'Nowhere/City', language: 'xx', default_stream_group: '["Cooks"]' }[
        name
      ]
      expect((await signUp(s, link, { [name]: wrong ?? '' })).json).toMatchObject({ code: 'BAD_REQUEST' })
      expect((await signUp(s, link)).status).toBe(200)
    },
  )
})

describe('Where an invitation is required', () => {
  test('Nothing is offered, and the endpoints refuse, also with a link that was mailed before.', async () => {
    await using s = await setUp()
    const offered = async () => (await get(s.ada.host, '/api/v1/server_settings')).json.realm_invite_required
    expect(await offered()).toBe(false)
    const email = newAddress()
    const link = await requestLink(s, email)
    await ok(s.owner, 'PATCH', '/realm', { invite_required: true })
    expect(await offered()).toBe(true)
    expect((await get(s.ada.host, page)).text).not.toContain('name="email"')
    const refused = await post(s.ada.host, page, { email: newAddress() })
    expect([refused.status, refused.json.msg]).toEqual([
      400,
      'This organization can be joined with an invitation only.',
    ])
    expect((await get(s.ada.host, link)).status).toBe(404)
    expect((await signUp(s, link)).json).toMatchObject({ code: 'BAD_REQUEST', msg: expired })
    expect(await emailsOf(s)).not.toContain(email)
  })

  test('The same holds without passwords, and for a deactivated organization.', async () => {
    await using s = await setUp()
    const link = await requestLink(s, newAddress())
    await ok(s.owner, 'POST', '/realm/deactivate')
    expect((await signUp(s, link)).json).toMatchObject({ code: 'BAD_REQUEST' })
    expect((await post(s.ada.host, page, { email: newAddress() })).json).toMatchObject({ code: 'REALM_DEACTIVATED' })
  })
})

describe('A link', () => {
  test('It creates one account, even if two gateways get it at the same time.', async () => {
    await using s = await setUp()
    const email = newAddress()
    const link = await requestLink(s, email)
    const answers = await Promise.all(
      gateways().map((url) => post(s.ada.host, link, { full_name: 'Mary', password }, programHeaders, url)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
    expect((await emailsOf(s)).filter((one) => one === email)).toHaveLength(1)
    expect((await signUp(s, link)).json).toMatchObject({ code: 'BAD_REQUEST', msg: expired })
    expect((await get(s.ada.host, link)).status).toBe(404)
  })

  test('Requests for one address at several gateways at the same time mail one and the same link.', async () => {
    await using s = await setUp()
    const email = newAddress()
    const spellings = [email, email.toUpperCase(), email]
    const asked = await Promise.all(
      gateways().map((url, i) => post(s.ada.host, page, { email: spellings[i % 3] ?? '' }, programHeaders, url)),
    )
    expect(asked.map(({ status }) => status)).toEqual(gateways().map(() => 200))
    const links = (await waitForMails(email, gateways().length)).map(readLink)
    expect(new Set(links).size).toBe(1)
  })

  test('A link of another organization, of another person and a forged one create nothing.', async () => {
    await using s = await setUp()
    await using other = await setUp()
    const [mine, theirs] = [newAddress(), newAddress()]
    const link = await requestLink(s, mine)
    const second = await requestLink(s, theirs)
    const key = link.split('-').at(-1)
    const id = /sign_up\/(\d+)-/.exec(second)?.[1]
    for (const forged of [`${page}/${id}-${key}`, `${page}/1-${'a'.repeat(32)}`, `${page}/x`, `${link}x`]) {
      expect((await signUp(s, forged)).json).toMatchObject({ code: 'BAD_REQUEST', msg: expired })
    }
    expect((await signUp(other, link)).json).toMatchObject({ code: 'BAD_REQUEST', msg: expired })
    // The link decides about the address, whatever the request says.
    expect((await signUp(s, link, { email: theirs })).json).toMatchObject({ email: mine })
  })

  test('It expires after a day, and the rows of links that expired are removed.', async () => {
    await using s = await setUp()
    const link = await requestLink(s, newAddress())
    const rows = () => s.realm.sql`select 1 from sign_ups where realm_id = ${s.realm.realm_id}`
    await s.realm.sql`update sign_ups set requested_at = requested_at - 86400 where realm_id = ${s.realm.realm_id}`
    expect((await get(s.ada.host, link)).status).toBe(404)
    expect((await signUp(s, link)).json).toMatchObject({ msg: expired })
    await requestLink(s, newAddress())
    expect(await rows()).toHaveLength(1)
  })

  test('It does not confirm another address that has got its id, as after a move or a restore.', async () => {
    await using s = await setUp()
    const link = await requestLink(s, newAddress())
    const other = newAddress()
    await s.realm.sql`update sign_ups set email = ${other} where realm_id = ${s.realm.realm_id}`
    expect((await get(s.ada.host, link)).status).toBe(404)
    expect((await signUp(s, link)).json).toMatchObject({ code: 'BAD_REQUEST', msg: expired })
    expect(await emailsOf(s)).not.toContain(other)
  })

  test('It is stored nowhere.', async () => {
    await using s = await setUp()
    const link = await requestLink(s, newAddress())
    const key = link.split('-').at(-1) ?? ''
    const stored = await s.realm.sql`
      select sign_ups::text || jobs::text as text from sign_ups join jobs using (realm_id)
      where realm_id = ${s.realm.realm_id}`
    expect(stored.length).toBeGreaterThan(0)
    expect(JSON.stringify(stored)).not.toContain(key)
  })
})

describe('Whether an address has an account', () => {
  test('Text, status and stored rows are the same; only the mail differs, which says how to log in.', async () => {
    await using s = await setUp()
    const [known, gone, free] = [newAddress(), newAddress(), newAddress()]
    const people = await s.realm.people({ full_name: 'Known', email: known }, { full_name: 'Gone', email: gone })
    await ok(s.owner, 'DELETE', `/users/${people[1]?.user_id}`)
    for (const headers of [programHeaders, { Accept: 'text/html' }]) {
      const answers: [number, string][] = []
      for (const email of [known, gone, free]) {
        const { status, text } = await post(s.ada.host, page, { email }, headers)
        answers.push([status, text.replaceAll(email, 'ADDRESS')])
      }
      expect(answers).toEqual(answers.map(() => answers[0]))
    }
    const rows = await s.realm.sql`select email from sign_ups where realm_id = ${s.realm.realm_id}`
    expect(rows).toHaveLength(3)
    const mail = (await waitForMails(known, 2))[0]
    expect(mail).toContain('This address has an account already. If that was you, log in:')
    expect(readLink(mail)).toBe('')
    expect((await waitForMails(gone, 2))[0]).toContain('deactivated')
    expect(readLink((await waitForMails(free, 2))[0])).not.toBe('')
  })
})

describe('Approval by administrators', () => {
  test('A user waits, is told so at the log-in with the right password only, and gets the account.', async () => {
    await using s = await setUp({ sign_up_approval_required: true })
    const events = await listen(s.admin, { event_types: ['sign_ups_changed'] })
    const email = newAddress()
    const link = await requestLink(s, email)
    const { json } = await signUp(s, link, { timezone: 'Europe/Paris' })
    expect([json.is_waiting, json.api_key]).toEqual([true, undefined])
    expect(await events.eventNames()).toEqual(['sign_ups_changed'])
    expect(await emailsOf(s)).not.toContain(email)
    expect(await logIn(s, email)).toEqual([401, 'SIGN_UP_WAITS'])
    expect(await logIn(s, email, 'another password here')).toEqual([401, 'AUTHENTICATION_FAILED'])
    expect((await signUp(s, link)).json).toMatchObject({ msg: expired })
    await post(s.ada.host, page, { email })
    expect((await waitForMails(email, 2))[1]).toContain('waits for the approval')

    const [one] = await waitingFor(s.admin)
    expect(one).toMatchObject({ email, full_name: 'Mary', mail_domain: 'example.com' })
    await ok(s.admin, 'POST', `/sign_ups/${one?.id}/approve`)
    expect(await waitingFor(s.admin)).toEqual([])
    expect(await logIn(s, email)).toEqual([200, undefined])
    expect((await waitForMails(email, 3))[2]).toContain('was approved')
    const again = await call(s.admin, 'POST', `/sign_ups/${one?.id}/approve`)
    expect(again.body).toMatchObject({ msg: 'Nobody with this ID waits for approval.' })
    const recorded = (await acts(s)).flatMap(({ changes }) => changes)
    for (const result of ['waits', 'approved']) {
      expect(recorded).toContainEqual(
        expect.objectContaining({ table: 'sign_ups', after: { email, full_name: 'Mary', result } }),
      )
    }
  })

  test('A user who is refused is mailed, cannot log in, and can sign up again.', async () => {
    await using s = await setUp({ sign_up_approval_required: true })
    const email = newAddress()
    await signUp(s, await requestLink(s, email))
    const [one] = await waitingFor(s.owner)
    await ok(s.owner, 'DELETE', `/sign_ups/${one?.id}`)
    expect((await waitForMails(email, 2))[1]).toContain('was not approved')
    expect(await logIn(s, email)).toEqual([401, 'AUTHENTICATION_FAILED'])
    expect(await waitingFor(s.owner)).toEqual([])
    expect((await signUp(s, await requestLink(s, email, 3))).json).toMatchObject({ is_waiting: true })
  })

  test('Two administrators who decide at the same time make one decision.', async () => {
    await using s = await setUp({ sign_up_approval_required: true })
    const email = newAddress()
    await signUp(s, await requestLink(s, email))
    const [one] = await waitingFor(s.owner)
    const decisions = await Promise.all([
      call(s.owner, 'DELETE', `/sign_ups/${one?.id}`),
      call(s.admin, 'POST', `/sign_ups/${one?.id}/approve`),
      call(s.admin, 'POST', `/sign_ups/${one?.id}/approve`),
    ])
    expect(decisions.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    await waitForJobs(s.realm)
    expect(readMails(email)).toHaveLength(2)
  })

  test('Only administrators see and decide who waits.', async () => {
    await using s = await setUp({ sign_up_approval_required: true })
    await signUp(s, await requestLink(s, newAddress()))
    const [one] = await waitingFor(s.owner)
    for (const person of [s.moderator, s.ada]) {
      expect((await call(person, 'GET', '/sign_ups')).body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' })
      expect((await call(person, 'POST', `/sign_ups/${one?.id}/approve`)).status).toBe(400)
      expect((await call(person, 'DELETE', `/sign_ups/${one?.id}`)).status).toBe(400)
    }
    expect(await waitingFor(s.owner)).toHaveLength(1)
  })
})

describe('Which addresses may sign up', () => {
  const refusal = async (s: Stage, email: string) => (await post(s.ada.host, page, { email })).json.msg

  test('Refused domains, with their subdomains, and letters that mail servers take for others.', async () => {
    await using s = await setUp({ refused_email_domains: 'Rival.example,\n other.example' })
    const { body } = await call(s.owner, 'POST', '/register', { fetch_event_types: ['realm'] })
    expect(body).toMatchObject({ realm_refused_email_domains: 'rival.example, other.example' })
    const refused = 'The organization does not accept the domain of this address.'
    for (const domain of [
      'rival.example',
      'mail.RIVAL.example',
      'ｒｉｖａｌ.example',
      'rival。example',
      'ⓡival.example',
    ])
      expect([domain, await refusal(s, newAddress(domain))]).toEqual([domain, refused])
    for (const domain of ['mailinator.com', 'ｍａｉｌｉｎａｔｏｒ.com', 'x.mailinator.com'])
      expect(await refusal(s, newAddress(domain))).toBe('The organization does not accept disposable email addresses.')
    expect(await refusal(s, newAddress('notrival.example'))).toBe('')
    const invited = await call(s.admin, 'POST', '/invites', { invitee_emails: 'x@rival.example', stream_ids: [] })
    expect(invited.body).toMatchObject({ code: 'INVITATION_FAILED' })
    const wrong = await call(s.owner, 'PATCH', '/realm', { refused_email_domains: 'no domain' })
    expect(wrong.body).toMatchObject({ code: 'BAD_REQUEST' })
    expect((await call(s.admin, 'PATCH', '/realm', { refused_email_domains: '' })).body).toMatchObject({
      msg: 'Only owners of the organization may do this.',
    })
  })

  test('Only allowed domains, and no look-alike of one, also if it is allowed later.', async () => {
    await using s = await setUp()
    await ok(s.owner, 'POST', '/realm/domains', { domain: 'castle.example', allow_subdomains: false })
    const link = await requestLink(s, newAddress('other.example'))
    await ok(s.owner, 'PATCH', '/realm', { emails_restricted_to_domains: true })
    const refused = 'The organization does not accept the domain of this address.'
    // The second one has a Cyrillic letter.
    for (const domain of ['other.example', 'cаstle.example', 'sub.castle.example', 'castle.example.evil.example'])
      expect(await refusal(s, newAddress(domain))).toBe(refused)
    expect(await refusal(s, newAddress('castle.example'))).toBe('')
    expect(await refusal(s, newAddress('castle.example').replace('@', '+x@'))).toMatch(/plus sign/)
    expect((await signUp(s, link)).json).toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('An address in full-width letters is the address that mail servers take it for.', async () => {
    await using s = await setUp()
    const plain = newAddress('castle.example')
    const { json } = await post(s.ada.host, page, { email: plain.replace('castle', 'ｃａｓｔｌｅ') })
    expect(json.confirmation_mailed_to).toBe(plain)
  })

  test('An administrator sees the domain of a look-alike in ASCII.', async () => {
    await using s = await setUp({ sign_up_approval_required: true })
    const email = newAddress('cаstle.example')
    expect((await post(s.ada.host, page, { email })).status).toBe(200)
    const ascii = email.replace(/@.*/, `@${domainToASCII('cаstle.example')}`)
    const mails = async () => [...readMails(email), ...readMails(ascii)]
    await expect.poll(async () => (await mails()).length, { timeout: 10_000 }).toBe(1)
    await signUp(s, readLink((await mails())[0]))
    expect((await waitingFor(s.admin))[0]?.mail_domain).toMatch(/^xn--/)
  })
})

describe('What attackers try', () => {
  test('Headers and several recipients cannot be put into a mail.', async () => {
    await using s = await setUp()
    const victim = newAddress()
    for (const email of [
      `x@example.com\r\nBcc: ${victim}`,
      `1,${victim}`,
      `"x" <${victim}>`,
      `group:${victim};`,
      `${victim},other@example.com`,
      `${victim}(comment)`,
      `x\u200b${victim}`,
    ]) {
      expect([email, (await post(s.ada.host, page, { email })).status]).toEqual([email, 400])
    }
    const email = newAddress()
    const link = await requestLink(s, email)
    const named = await signUp(s, link, { full_name: `Mary\r\nBcc: ${victim}` })
    expect(named.json).toMatchObject({ code: 'BAD_REQUEST' })
    await waitForJobs(s.realm)
    expect(readMails(victim)).toEqual([])
  })

  test('A page of another site can neither request a link nor use one.', async () => {
    await using s = await setUp()
    const email = newAddress()
    const foreign = { ...programHeaders, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    expect((await post(s.ada.host, page, { email }, foreign)).status).toBe(403)
    const link = await requestLink(s, email)
    expect((await post(s.ada.host, link, { full_name: 'Mary', password }, foreign)).status).toBe(403)
    expect(await emailsOf(s)).not.toContain(email)
  })

  test('The mails to one mailbox, from one network and of one organization are bounded.', async () => {
    await using s = await setUp()
    const RATES = 'sign_up_mail_by_email=2/3600 sign_up_mail_by_ip=3/86400 sign_up_mail_by_realm=6/86400'
    await using gateway = await startGateway({ RATE_LIMITS: 'on', RATES, TRUSTED_PROXIES: '127.0.0.1' })
    const ip = (n: number) => `198.21.${process.pid % 256}.${n}`
    const ask = async (email: string, address: string) => {
      const headers = { ...programHeaders, 'X-Forwarded-For': address }
      const { status, json } = await post(s.ada.host, page, { email }, headers, gateway.url)
      if (status === 429) expect(json).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': expect.any(Number) })
      return status
    }
    const victim = newAddress()
    const variants = [
      victim,
      victim.replace('@', '+1@'),
      victim.replace('@', '+2@'),
      victim.replace('signing', 's.igning'),
    ]
    const found = []
    for (const [i, email] of variants.entries()) found.push(await ask(email, ip(i + 1)))
    expect(found).toEqual([200, 200, 429, 429])
    // The answer for an address with an account is limited in the same way.
    const known = []
    for (const n of [5, 6, 7]) known.push(await ask(s.ada.email, ip(n)))
    expect(known).toEqual([200, 200, 429])
    expect([await ask(newAddress(), ip(8)), await ask(newAddress(), ip(9))]).toEqual([200, 200])
    expect(await ask(newAddress(), ip(10))).toBe(429)

    await using other = await setUp()
    const v6 = (n: number) => `2001:db8:${(process.pid % 65_536).toString(16)}:1::${n}`
    const network = []
    for (const n of [1, 2, 3, 4]) {
      const headers = { ...programHeaders, 'X-Forwarded-For': v6(n) }
      network.push((await post(other.ada.host, page, { email: newAddress() }, headers, gateway.url)).status)
    }
    expect(network).toEqual([200, 200, 200, 429])
  })

  test('The mails to one mailbox are bounded over all organizations, of which an attacker knows many.', async () => {
    await using first = await setUp()
    await using second = await setUp()
    const RATES = 'sign_up_mail_by_mailbox=2/86400'
    await using gateway = await startGateway({ RATE_LIMITS: 'on', RATES })
    const victim = newAddress()
    const found = []
    for (const s of [first, second, first, second])
      found.push((await post(s.ada.host, page, { email: victim }, programHeaders, gateway.url)).status)
    expect(found).toEqual([200, 200, 429, 429])
  })

  test('A guesser does not learn from the log-in who waits for approval.', async () => {
    await using s = await setUp({ sign_up_approval_required: true })
    const email = newAddress()
    await signUp(s, await requestLink(s, email))
    const wrong = async (username: string) => {
      const { status, text } = await post(s.ada.host, '/api/v1/fetch_api_key', { username, password: 'wrong guess' })
      return [status, text]
    }
    expect(await wrong(email)).toEqual(await wrong(newAddress()))
  })
})

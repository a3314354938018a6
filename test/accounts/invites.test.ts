/** Invitations: permissions, mails, links, and joining. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { startGateway } from '../setup/processes/processes.js'
import { listen } from '../setup/realm/event-listener.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { readMails, waitForMails } from '../setup/realm/mails.js'
import { anyGateway, call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { fetchFile } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const setUp = () => newRealmWith('Owner', 'Admin', 'Moderator', 'Ada', 'Guest')

type Stage = Awaited<ReturnType<typeof setUp>>

let count = 0
const newAddress = () => `newcomer-${process.pid}-${++count}@example.com`

const invite = (person: Person, invitee_emails: string, params: Record<string, unknown> = {}) =>
  call(person, 'POST', '/invites', { invitee_emails, stream_ids: [], ...params })

const invitesOf = async (person: Person) => (await ok(person, 'GET', '/invites')).invites

const refusal = async (answer: ReturnType<typeof call>) => {
  const { status, body } = await answer
  return `${status} ${body.code}: ${body.msg}`
}

/** The join links in the mails to an address. Waits until there are `expected` of them. */
const mailedLinks = async (email: string, expected = 1): Promise<string[]> => {
  const outbox = join(inject('log_folder'), 'outbox')
  for (;;) {
    const files = (() => {
      try {
        return readdirSync(outbox)
      } catch {
        return []
      }
    })()
    const mails = files.map((file) => readFileSync(join(outbox, file), 'utf8')).filter((mail) => mail.includes(email))
    const links = mails.flatMap((mail) => /\/join\/[\w-]+/.exec(mail.replace(/=\r?\n/g, ''))?.[0] ?? [])
    if (links.length >= expected) return links
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const password = 'correct horse battery staple'

const joinAt = (host: string, path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  sendRequest(Number(new URL(anyGateway()).port), {
    method: 'POST',
    path,
    host,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  })

const jsonHeaders = { Accept: 'application/json' }

/** Joins with a request for JSON. @returns the new account */
const joined = async (s: Stage, path: string, form: Record<string, string>): Promise<Person> => {
  const { status, json } = await joinAt(s.ada.host, path, { password, ...form }, jsonHeaders)
  expect(json).toMatchObject({ result: 'success' })
  expect(status).toBe(200)
  return { ...json, full_name: form.full_name, host: s.ada.host } as unknown as Person
}

describe('Joining by an email invitation', () => {
  test('An invited person receives a mail and joins once by its link, and the inviter receives a message.', async () => {
    await using s = await setUp()
    const email = newAddress()
    expect((await invite(s.ada, email)).status).toBe(200)
    const [path] = (await mailedLinks(email)) as [string]
    const page = await fetchFile(s.ada.host, path)
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain(email)

    const mary = await joined(s, path, { full_name: 'Mary' })
    expect(await ok(mary, 'GET', '/users/me')).toMatchObject({ delivery_email: email, full_name: 'Mary', role: 400 })
    expect(await invitesOf(s.ada)).toEqual([])
    expect((await joinAt(s.ada.host, path, { full_name: 'Eve', password }, jsonHeaders)).status).toBe(400)
    expect((await fetchFile(s.ada.host, path)).status).toBe(404)

    for (;;) {
      const asked = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
      const { messages } = await ok(s.ada, 'GET', '/messages', asked)
      if (messages[0]?.content.includes('accepted your invitation')) break
    }
  })

  test('Where a second factor is asked for, the new user gets neither API key nor session before it.', async () => {
    await using s = await setUp()
    await ok(s.owner, 'PATCH', '/realm', { second_factor_required_for: 'members' })
    await s.realm.realm.barrier()
    for (const headers of [jsonHeaders, {}]) {
      const email = newAddress()
      await invite(s.ada, email, { notify_referrer_on_join: false })
      const [path] = (await mailedLinks(email)) as [string]
      const answer = await joinAt(s.ada.host, path, { full_name: 'Mary', password }, headers)
      expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
      expect(answer.text).not.toContain('api_key')
      const login = await call(undefined, 'POST', '/fetch_api_key', { username: email, password }, { host: s.ada.host })
      expect(login.body.code).toBe('SECOND_FACTOR_ENROLMENT_REQUIRED')
    }
  })

  test.each([
    ['pt, ja;q=0.8', 'ja'],
    ['pt', 'de'],
    ['', 'de'],
    ['en', 'en'],
  ])(
    'The new user has the first language of the browser that exists, otherwise that of the organization: %s.',
    async (accepted, language) => {
      await using s = await setUp()
      await ok(s.owner, 'PATCH', '/realm', { default_language: 'de' })
      const email = newAddress()
      await invite(s.ada, email, { notify_referrer_on_join: false })
      const [path] = (await mailedLinks(email)) as [string]
      const headers = { ...jsonHeaders, ...(accepted === '' ? {} : { 'Accept-Language': accepted }) }
      const { json } = await joinAt(s.ada.host, path, { full_name: 'Mary', password }, headers)
      const mary = { ...json, host: s.ada.host } as unknown as Person
      const { user_settings } = await ok(mary, 'POST', '/register', { fetch_event_types: ['user_settings'] })
      expect(user_settings).toMatchObject({ default_language: language })
    },
  )

  test('The new user has the role, channels and groups of the invitation.', async () => {
    await using s = await setUp()
    const names = ['design', 'secret', 'old', 'other']
    await ok(s.admin, 'POST', '/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })) })
    const ids = await Promise.all(
      names.map(async (stream) => (await ok(s.admin, 'GET', '/get_stream_id', { stream })).stream_id),
    )
    const group = { name: 'team', description: '', members: [] }
    const { group_id } = await ok(s.admin, 'POST', '/user_groups/create', group)
    const email = newAddress()
    await invite(s.admin, email, {
      invite_as: Role.guest,
      stream_ids: ids.slice(0, 2),
      group_ids: [group_id],
      notify_referrer_on_join: false,
    })
    const [path] = (await mailedLinks(email)) as [string]
    const mary = await joined(s, path, { full_name: 'Mary' })
    const { subscriptions } = await ok(mary, 'GET', '/users/me/subscriptions')
    expect(subscriptions.map(({ name }) => name).sort()).toEqual(['design', 'secret'])
    expect(await ok(mary, 'GET', '/users/me')).toMatchObject({ role: Role.guest })
    expect(await ok(s.admin, 'GET', `/user_groups/${group_id}/members`)).toMatchObject({ members: [mary.user_id] })
  })

  test('The new user receives the welcome message of the invitation, or that of the organization.', async () => {
    await using s = await setUp()
    const texts: (string | undefined)[] = []
    const joinWith = async (welcome_message_custom_text: string | undefined) => {
      const email = newAddress()
      await invite(s.admin, email, { welcome_message_custom_text, notify_referrer_on_join: false })
      const [path] = (await mailedLinks(email)) as [string]
      const person = await joined(s, path, { full_name: `New ${texts.length}` })
      await waitForJobs(s.realm)
      const narrow = [{ operator: 'is', operand: 'dm' }]
      const { messages } = await ok(person, 'GET', '/messages', { anchor: 'newest', num_before: 9, narrow })
      expect(messages.every(({ sender_full_name }) => sender_full_name === 'Notification Bot')).toBe(true)
      texts.push(messages.map(({ content }) => content).join())
    }
    await joinWith(undefined)
    await joinWith('Hello from *Ada*')
    await ok(s.admin, 'PATCH', '/realm', { welcome_message_custom_text: 'Welcome to **us**' })
    await joinWith(undefined)
    await joinWith('Hello again')
    await joinWith('')
    expect(texts).toEqual([
      '',
      '<p>Hello from <em>Ada</em></p>',
      '<p>Welcome to <strong>us</strong></p>',
      '<p>Hello again</p>',
      '',
    ])
    const refused = await invite(s.admin, newAddress(), { welcome_message_custom_text: 'x'.repeat(8_001) })
    expect(refused.body.msg).toBe('welcome_message_custom_text may have at most 8000 characters.')
  })

  test('The new user chooses groups of default channels, and guests choose none.', async () => {
    await using s = await setUp()
    for (const name of ['design', 'testing', 'other']) {
      await ok(s.admin, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    }
    const create = (group_name: string, stream_names: string[]) =>
      ok(s.admin, 'POST', '/default_stream_groups/create', { group_name, description: '', stream_names })
    await create('Makers', ['design', 'testing'])
    await create('Testers', ['testing'])
    const join = async (full_name: string, invite_as: number, default_stream_group: string) => {
      const email = newAddress()
      await invite(s.admin, email, { invite_as, notify_referrer_on_join: false })
      const [path] = (await mailedLinks(email)) as [string]
      return joinAt(s.ada.host, path, { full_name, password, default_stream_group }, jsonHeaders)
    }
    const { json } = await join('Mary', Role.member, '["Makers", "Testers"]')
    const mary = { ...json, full_name: 'Mary', host: s.ada.host } as unknown as Person
    const { subscriptions } = await ok(mary, 'GET', '/users/me/subscriptions')
    expect(subscriptions.map(({ name }) => name).sort()).toEqual(['design', 'testing'])
    const unknown = { code: 'BAD_REQUEST', msg: 'There is no group of default channels called “Cooks”.' }
    expect((await join('Eve', Role.member, '["Cooks"]')).json).toMatchObject(unknown)
    expect((await join('Eve', Role.guest, '["Makers"]')).json).toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('The new user joins a group once that the invitation names twice.', async () => {
    await using s = await setUp()
    const group = { name: 'team', description: '', members: [] }
    const { group_id } = await ok(s.admin, 'POST', '/user_groups/create', group)
    const email = newAddress()
    await invite(s.admin, email, { group_ids: [group_id, group_id] })
    const [path] = (await mailedLinks(email)) as [string]
    const mary = await joined(s, path, { full_name: 'Mary' })
    expect(await ok(s.admin, 'GET', `/user_groups/${group_id}/members`)).toMatchObject({ members: [mary.user_id] })
  })

  test('The new user has the default channels of the time of joining only if the invitation says so.', async () => {
    await using s = await setUp()
    const create = (name: string) =>
      ok(s.admin, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], is_default_stream: true })
    await create('before')
    const [some, none] = [newAddress(), newAddress()]
    await invite(s.ada, some, { include_realm_default_subscriptions: true })
    await invite(s.ada, none)
    await create('after')
    const channelsOf = async (email: string) => {
      const [path] = (await mailedLinks(email)) as [string]
      const person = await joined(s, path, { full_name: 'Mary' })
      const answer = await ok(person, 'GET', '/users/me/subscriptions')
      return answer.subscriptions.map(({ name }) => name).sort()
    }
    expect(await channelsOf(some)).toEqual(['after', 'before'])
    expect(await channelsOf(none)).toEqual([])
  })

  test('The join page shows what was wrong, and the invited person can try again.', async () => {
    await using s = await setUp()
    const email = newAddress()
    await invite(s.ada, email)
    const [path] = (await mailedLinks(email)) as [string]
    const weak = await joinAt(s.ada.host, path, { full_name: 'Mary "<b>"', password: 'secret' })
    expect([weak.status, weak.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(weak.text).toContain('The password is too easy to guess: choose a longer one.')
    expect(weak.text).not.toContain('<b>')
    const nameless = await joinAt(s.ada.host, path, { full_name: '', password }, jsonHeaders)
    expect([nameless.status, nameless.json]).toMatchObject([400, { msg: 'A name must have at least 2 characters.' }])
    const done = await joinAt(s.ada.host, path, { full_name: 'Mary', password })
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Your account is ready.')])
    expect(done.text).not.toMatch(/\b[0-9A-Za-z]{32}\b/)
  })
})

/** Enters an address at a reusable invitation. @returns the path of the link that is mailed to it */
const confirmedPath = async (host: string, path: string, email: string): Promise<string> => {
  const { json } = await joinAt(host, path, { email }, jsonHeaders)
  expect(json).toEqual({ result: 'success', msg: '', confirmation_mailed_to: email })
  const [link] = (await mailedLinks(email)) as [string]
  return link
}

describe('Reusable invitation links', () => {
  test('Several persons can join by one link until it is revoked, each by a link mailed to their address.', async () => {
    await using s = await setUp()
    const { invite_link } = await ok(s.admin, 'POST', '/invites/multiuse', { invite_as: Role.moderator })
    const path = new URL(invite_link).pathname
    const [mary, eve] = [newAddress(), newAddress()]
    const page = await fetchFile(s.ada.host, path)
    expect([page.text.includes('name="email"'), page.text.includes('name="password"')]).toEqual([true, false])
    const link = await confirmedPath(s.ada.host, path, mary)
    const form = await fetchFile(s.ada.host, link)
    expect([form.text.includes(mary), form.text.includes('name="password"')]).toEqual([true, true])
    const account = await joined(s, link, { full_name: 'Mary' })
    expect(await ok(account, 'GET', '/users/me')).toMatchObject({ delivery_email: mary, role: Role.moderator })
    await joined(s, await confirmedPath(s.ada.host, path, eve), { full_name: 'Eve' })
    const form2 = { full_name: 'Mary', email: mary, password }
    expect((await joinAt(s.ada.host, link, form2, jsonHeaders)).json).toMatchObject({
      msg: 'An account with this email address already exists.',
    })
    // Who only has the link of the invitation does not learn that the address has an account.
    const [taken, free] = [await joinAt(s.ada.host, path, form2, jsonHeaders), newAddress()]
    const other = await joinAt(s.ada.host, path, { email: free }, jsonHeaders)
    expect([taken.status, JSON.stringify(taken.json).replaceAll(mary, free)]).toEqual([200, JSON.stringify(other.json)])
    const pages = await Promise.all([mary, free].map((email) => joinAt(s.ada.host, path, { email })))
    expect(pages.map(({ status, text }) => [status, text.replaceAll(mary, free)])).toEqual(
      pages.map(() => [pages[1]?.status, pages[1]?.text]),
    )
    const isTold = () => readMails(mary).some((mail) => mail.includes('This address has an account already'))
    await expect.poll(isTold, { timeout: 15_000 }).toBe(true)
    const late = await confirmedPath(s.ada.host, path, newAddress())

    const [{ id, link_url } = { id: 0, link_url: '' }] = await invitesOf(s.admin)
    expect(link_url).toBe(invite_link)
    expect(invite_link).toMatch(/\/join\/[^/]+\/$/)
    expect((await fetchFile(s.ada.host, path)).status).toBe(200)
    expect((await fetchFile(s.ada.host, path.slice(0, -1))).status).toBe(200)
    expect(await refusal(call(s.admin, 'DELETE', `/invites/${id}`))).toBe(
      '400 BAD_REQUEST: There is no such invitation.',
    )
    await ok(s.admin, 'DELETE', `/invites/multiuse/${id}`)
    expect(await refusal(call(s.admin, 'DELETE', `/invites/multiuse/${id}`))).toBe(
      '400 BAD_REQUEST: This invitation is already revoked.',
    )
    expect((await fetchFile(s.ada.host, path)).status).toBe(404)
    expect((await fetchFile(s.ada.host, late)).status).toBe(404)
  })

  test('An outsider with a link cannot create an account with an address that they do not own.', async () => {
    await using s = await setUp()
    await ok(s.owner, 'POST', '/realm/domains', { domain: 'example.com', allow_subdomains: false })
    await updateRealmSettings(s.realm, { emails_restricted_to_domains: true })
    const { invite_link } = await ok(s.admin, 'POST', '/invites/multiuse')
    const path = new URL(invite_link).pathname
    const email = newAddress()
    const form = { full_name: 'Mary', email, password }
    expect((await joinAt(s.ada.host, path, form, jsonHeaders)).json).not.toHaveProperty('api_key')
    expect((await joinAt(s.ada.host, path, form)).text).toContain('Check your mail')
    await s.realm.realm.barrier()
    expect(s.realm.realm.state.userByEmail(email)).toBeUndefined()
    const outside = await joinAt(s.ada.host, path, { ...form, email: 'mary@elsewhere.example' }, jsonHeaders)
    expect(outside.json).toMatchObject({
      msg: 'The organization does not accept the domain of mary@elsewhere.example.',
    })
  })

  test('The server refuses a mailed link with another address, another time or of another invitation.', async () => {
    await using s = await setUp()
    const link = async () => new URL((await ok(s.admin, 'POST', '/invites/multiuse')).invite_link).pathname
    const [one, two] = [await link(), await link()]
    const mailed = await confirmedPath(s.ada.host, one, newAddress())
    const [, id, expires_at, address, key] = /^\/join\/(\d+)-(\d+)-(.+)-(\w{32})$/.exec(mailed) ?? []
    const other = Buffer.from('eve@example.com').toString('base64url')
    const otherId = /^\/join\/(\d+)/.exec(two)?.[1]
    for (const token of [
      `${id}-${expires_at}-${other}-${key}`,
      `${id}-${Number(expires_at) + 1}-${address}-${key}`,
      `${otherId}-${expires_at}-${address}-${key}`,
    ]) {
      const answer = await joinAt(s.ada.host, `/join/${token}`, { full_name: 'Eve', password }, jsonHeaders)
      expect(answer.json).toMatchObject({ result: 'error', msg: 'There is no such invitation.' })
    }
    await joined(s, mailed, { full_name: 'Mary' })
  })

  test('The server limits the mails that confirm addresses.', async () => {
    await using s = await setUp()
    const RATES = 'join_mail_by_email=1/3600 join_mail_by_ip=3/86400 join_mail_by_invitation=4/86400'
    await using gateway = await startGateway({ RATE_LIMITS: 'on', RATES, TRUSTED_PROXIES: '127.0.0.1' })
    const { invite_link } = await ok(s.admin, 'POST', '/invites/multiuse')
    const ip = (n: number) => `198.20.${process.pid % 256}.${n}`
    const ask = async (email: string, n: number) => {
      const { status } = await sendRequest(Number(new URL(gateway.url).port), {
        method: 'POST',
        path: new URL(invite_link).pathname,
        host: s.ada.host,
        headers: { ...jsonHeaders, 'X-Forwarded-For': ip(n) },
        body: new URLSearchParams({ email }).toString(),
      })
      return status
    }
    const email = newAddress()
    expect([await ask(email, 1), await ask(email, 2)]).toEqual([200, 429])
    expect([await ask(newAddress(), 1), await ask(newAddress(), 1), await ask(newAddress(), 1)]).toEqual([
      200, 200, 429,
    ])
    expect([await ask(newAddress(), 2), await ask(newAddress(), 3)]).toEqual([200, 429])
  })

  test('A user needs permission to create a link.', async () => {
    await using s = await setUp()
    expect(await refusal(call(s.ada, 'POST', '/invites/multiuse'))).toBe(
      '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.',
    )
    await updateRealmSettings(s.realm, { create_multiuse_invite_group: SystemGroup.members })
    await ok(s.ada, 'POST', '/invites/multiuse')
  })

  test('A forged link and a link of another organization are not found.', async () => {
    await using s = await setUp()
    await using other = await setUp()
    const { invite_link } = await ok(s.admin, 'POST', '/invites/multiuse')
    const path = new URL(invite_link).pathname
    expect(
      (
        await fetchFile(
          s.ada.host,
          path.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
        )
      ).status,
    ).toBe(404)
    expect((await fetchFile(other.ada.host, path)).status).toBe(404)
  })
})

describe('The list of invitations', () => {
  test('Administrators see all invitations, and a member sees their own.', async () => {
    await using s = await setUp()
    const [one, two] = [newAddress(), newAddress()]
    await invite(s.ada, one, { invite_expires_in_minutes: null, invite_as: Role.guest })
    await invite(s.moderator, `Two <${two}>`, { invite_expires_in_minutes: 60 })
    const [first, second] = await invitesOf(s.admin)
    expect(first).toEqual({
      id: expect.any(Number),
      email: one,
      invited_by_user_id: s.ada.user_id,
      invited: expect.any(Number),
      expiry_date: null,
      invited_as: Role.guest,
      is_multiuse: false,
      notify_referrer_on_join: true,
    })
    expect(second?.email).toBe(two)
    expect(second?.expiry_date).toBe((second?.invited ?? 0) + 3600)
    expect(await invitesOf(s.ada)).toEqual([first])
    await invite(s.admin, newAddress())
    const last = (await invitesOf(s.admin)).at(-1)
    expect(last?.expiry_date).toBe((last?.invited ?? 0) + 14_400 * 60)
  })

  test('The longest invitation is listed, and one that would end later than any client can show is refused.', async () => {
    await using s = await setUp()
    const longest = 52_560_000
    for (const path of ['/invites', '/invites/multiuse']) {
      const emails = { invitee_emails: newAddress(), stream_ids: [] }
      for (const minutes of [longest + 1, 150_119_987_579_016, Number.MAX_SAFE_INTEGER, 0, -1]) {
        const { status, body } = await call(s.admin, 'POST', path, { ...emails, invite_expires_in_minutes: minutes })
        expect([status, body.code], `${minutes}`).toEqual([400, 'BAD_REQUEST'])
      }
      await ok(s.admin, 'POST', path, { ...emails, invite_expires_in_minutes: longest })
    }
    const listed = await invitesOf(s.admin)
    expect(listed.map(({ expiry_date, invited }) => Number(expiry_date) - invited)).toEqual([
      longest * 60,
      longest * 60,
    ])
  })

  test('The invitations of a deactivated user leave the list and stop working.', async () => {
    await using s = await setUp()
    const email = newAddress()
    await invite(s.ada, email)
    const [path] = (await mailedLinks(email)) as [string]
    await ok(s.admin, 'DELETE', `/users/${s.ada.user_id}`)
    expect(await invitesOf(s.admin)).toEqual([])
    expect((await fetchFile(s.ada.host, path)).status).toBe(404)
    expect((await invite(s.admin, email)).status).toBe(200)
  })

  test('Administrators and the inviter receive invites_changed, and a moderator does not.', async () => {
    await using s = await setUp()
    const [ada, admin, moderator] = [await listen(s.ada), await listen(s.admin), await listen(s.moderator)]
    const email = newAddress()
    await invite(s.ada, email)
    const [{ id } = { id: 0 }] = await invitesOf(s.ada)
    await ok(s.ada, 'POST', `/invites/${id}/resend`)
    await ok(s.admin, 'DELETE', `/invites/${id}`)
    const received = ['invites_changed', 'invites_changed', 'invites_changed']
    expect([await ada.eventNames(), await admin.eventNames(), await moderator.eventNames()]).toEqual([
      received,
      received,
      [],
    ])
  })
})

describe('Managing invitations', () => {
  test('An invitation can be mailed again with the same link.', async () => {
    await using s = await setUp()
    const email = newAddress()
    await invite(s.ada, email)
    const [{ id } = { id: 0 }] = await invitesOf(s.ada)
    await mailedLinks(email)
    await ok(s.ada, 'POST', `/invites/${id}/resend`)
    const [first, second] = await mailedLinks(email, 2)
    expect(second).toBe(first)
  })

  test('Only an owner can manage an invitation of a new owner.', async () => {
    await using s = await setUp()
    await invite(s.owner, newAddress(), { invite_as: Role.owner })
    const [{ id } = { id: 0 }] = await invitesOf(s.owner)
    const target = `/invites/${id}`
    expect(await refusal(call(s.ada, 'DELETE', target))).toBe(
      '400 UNAUTHORIZED_PRINCIPAL: Only administrators of the organization may do this.',
    )
    expect(await refusal(call(s.admin, 'POST', `${target}/resend`))).toBe(
      '400 UNAUTHORIZED_PRINCIPAL: Only owners of the organization may do this.',
    )
    await ok(s.owner, 'DELETE', target)
    expect(await refusal(call(s.owner, 'DELETE', target))).toBe('400 BAD_REQUEST: There is no such invitation.')
  })

  test('A user can invite only to roles that they may grant.', async () => {
    await using s = await setUp()
    const as = (person: Person, invite_as: number) => refusal(invite(person, newAddress(), { invite_as }))
    expect(await as(s.admin, Role.owner)).toBe(
      '400 UNAUTHORIZED_PRINCIPAL: Only owners of the organization may do this.',
    )
    expect(await as(s.moderator, Role.administrator)).toBe(
      '400 BAD_REQUEST: Insufficient permission: only administrators of the organization may invite into this role.',
    )
    expect(await as(s.ada, Role.moderator)).toBe(
      '400 BAD_REQUEST: Insufficient permission: only administrators of the organization may invite into this role.',
    )
    expect((await invite(s.moderator, newAddress(), { invite_as: Role.moderator })).status).toBe(200)
    expect(await refusal(invite(s.guest, newAddress()))).toBe(
      '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.',
    )
    await updateRealmSettings(s.realm, { can_invite_users_group: SystemGroup.administrators })
    expect(await as(s.ada, Role.member)).toBe(
      '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.',
    )
  })

  test('The server refuses invitations to channels and groups to which the inviter may not add users.', async () => {
    await using s = await setUp()
    await ok(s.admin, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true })
    const { stream_id } = await ok(s.admin, 'GET', '/get_stream_id', { stream: 'secret' })
    expect(await refusal(invite(s.ada, newAddress(), { stream_ids: [stream_id] }))).toBe(
      `400 BAD_REQUEST: There is no channel with ID ${stream_id}, or you have no access to it: no invitation was sent.`,
    )
    await ok(s.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'open' }] })
    const open = (await ok(s.ada, 'GET', '/get_stream_id', { stream: 'open' })).stream_id
    await updateRealmSettings(s.realm, { can_add_subscribers_group: SystemGroup.administrators })
    expect(await refusal(invite(s.moderator, newAddress(), { stream_ids: [open] }))).toBe(
      '400 BAD_REQUEST: You do not have permission to subscribe other users to channels.',
    )
    expect(await refusal(invite(s.ada, newAddress(), { group_ids: [SystemGroup.members] }))).toBe(
      '400 BAD_REQUEST: There is no such user group.',
    )
    const group = { name: 'team', description: '', members: [] }
    const { group_id } = await ok(s.admin, 'POST', '/user_groups/create', group)
    expect(await refusal(invite(s.ada, newAddress(), { group_ids: [group_id] }))).toBe(
      '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.',
    )
  })
})

describe('Inviting several email addresses', () => {
  const failure = { license_limit_reached: false, daily_limit_reached: false, code: 'INVITATION_FAILED' }

  test('The server invites nobody when one email address is invalid.', async () => {
    await using s = await setUp()
    const good = newAddress()
    expect((await invite(s.ada, `${good}, nonsense\n`)).body).toMatchObject({
      ...failure,
      msg: 'No invitation was sent: some of these addresses are not valid or may not join.',
      sent_invitations: false,
      errors: [['nonsense', 'This is not an email address.', false]],
    })
    expect(await invitesOf(s.ada)).toEqual([])
    expect(await refusal(invite(s.ada, ' ,\n'))).toBe('400 BAD_REQUEST: Name at least one email address.')
    const crowd = Array.from({ length: 1_001 }, (_, n) => `n${n}@example.com`).join()
    expect(await refusal(invite(s.ada, crowd))).toBe('400 BAD_REQUEST: At most 1000 people can be invited at once.')
  })

  test('The answer names the addresses that have a user or an invitation, and the server invites the others.', async () => {
    await using s = await setUp()
    await ok(s.admin, 'DELETE', `/users/${s.guest.user_id}`)
    const [before, fresh] = [newAddress(), newAddress()]
    await invite(s.moderator, before)
    const skipped = [
      [s.admin.email, 'An account with this email address already exists.', false],
      [s.guest.email, 'The account with this address is deactivated.', true],
      [before, 'Already has an invitation.', false],
    ]
    const all = [s.admin.email, s.guest.email, before]
    expect(await invite(s.ada, [...all, fresh].join(','))).toMatchObject({
      status: 400,
      body: { ...failure, sent_invitations: true, errors: skipped },
    })
    expect((await invitesOf(s.ada)).map(({ email }) => email)).toEqual([fresh])
    expect((await invite(s.ada, all.join('\n'))).body).toMatchObject({
      ...failure,
      msg: 'No invitation was sent: all of these addresses have or had an account, or are invited already.',
      sent_invitations: false,
      errors: skipped,
    })
  })

  test('An account whose address the inviter may not see is invited like an unknown address, without a mail.', async () => {
    await using s = await setUp()
    const [hidden, fresh] = [newAddress(), newAddress()]
    await ok(s.owner, 'PATCH', `/users/${s.guest.user_id}`, { new_email: hidden })
    await ok({ ...s.guest, email: hidden }, 'PATCH', '/settings', { email_address_visibility: 4 })
    const [one, other] = [await invite(s.ada, hidden), await invite(s.ada, fresh)]
    expect(one).toEqual(other)
    expect((await invitesOf(s.ada)).map(({ email }) => email).sort()).toEqual([hidden, fresh].sort())
    const [again, otherAgain] = [await invite(s.ada, hidden), await invite(s.ada, fresh)]
    expect(JSON.stringify(again).replaceAll(hidden, fresh)).toBe(JSON.stringify(otherAgain))
    await waitForMails(fresh)
    // The account has a mail about its new address, and none with an invitation.
    expect(readMails(hidden).filter((mail) => mail.includes('/join/'))).toEqual([])
    expect(readMails(fresh).filter((mail) => mail.includes('/join/'))).toHaveLength(1)
  })

  test('Simultaneous requests invite one email address once.', async () => {
    await using s = await setUp()
    const email = newAddress()
    const answers = await Promise.all([s.ada, s.admin, s.moderator, s.owner].map((person) => invite(person, email)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    expect(await invitesOf(s.admin)).toHaveLength(1)
  })
})

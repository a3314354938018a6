/**
 * Mails about accounts: confirmation of a new email address, welcome, and deactivation. Source: protocol/endpoints.md
 * 1.4 and 3.7.
 */
import { describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { startGateway } from '../setup/processes/processes.js'
import { listen } from '../setup/realm/event-listener.js'
import { readMails, waitForMails } from '../setup/realm/mails.js'
import { anyGateway, call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { fetchFile } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const setUp = async () => {
  const realm = await newRealm()
  const [owner, ada, grace] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada' },
    { full_name: 'Grace' },
  )) as [Person, Person, Person]
  return { realm, owner, ada, grace, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

let count = 0
const newAddress = () => `other-${process.pid}-${++count}@example.com`

const pathIn = (mail: string): string => /\/confirm_email\/[\w-]+/.exec(mail)?.[0] ?? ''

const confirm = (host: string, path: string, headers: Record<string, string> = {}) =>
  sendRequest(Number(new URL(anyGateway()).port), {
    method: 'POST',
    path,
    host,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: '',
  })

const jsonHeaders = { Accept: 'application/json' }

const refusal = async (answer: ReturnType<typeof call>) => {
  const { status, body } = await answer
  return `${status} ${body.code}: ${body.msg}`
}

const addressOf = async (person: Person) => (await ok(person, 'GET', '/users/me')).delivery_email

describe('Changing an email address', () => {
  test('An email address changes only after the user confirms the mailed link, and the old address is notified.', async () => {
    await using s = await setUp()
    const listener = await listen(s.grace, { event_types: ['realm_user'] })
    const email = newAddress()
    const former = (await addressOf(s.ada)) as string
    await ok(s.ada, 'PATCH', '/settings', { email: ` ${email} ` })
    expect(await addressOf(s.ada)).toBe(former)
    const path = pathIn((await waitForMails(email))[0] as string)

    const page = await fetchFile(s.ada.host, path)
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain(email)
    expect(await addressOf(s.ada)).toBe(former)
    expect(await listener.events()).toEqual([])

    const answer = await confirm(s.ada.host, path)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await addressOf({ ...s.ada, email })).toBe(email)
    const persons = (await listener.events()).map(({ person }) => person)
    expect(persons).toContainEqual({ user_id: s.ada.user_id, new_email: email })
    expect(persons).toContainEqual({ user_id: s.ada.user_id, delivery_email: email })
    // Tests in other organizations use the same old address, so their mails are in the outbox too.
    const isNotified = () => readMails(former).some((mail) => mail.includes(email))
    await expect.poll(isNotified, { timeout: 15_000, interval: 20 }).toBe(true)

    expect((await fetchFile(s.ada.host, path)).status).toBe(404)
    expect((await confirm(s.ada.host, path, jsonHeaders)).json).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
  })

  test('Only the last mailed link confirms an email address, and a program can confirm it too.', async () => {
    await using s = await setUp()
    const [first, second] = [newAddress(), newAddress()]
    await ok(s.ada, 'PATCH', '/settings', { email: first })
    const [stale] = await waitForMails(first)
    await ok(s.ada, 'PATCH', '/settings', { email: second })
    const [fresh] = await waitForMails(second)
    expect((await confirm(s.ada.host, pathIn(stale as string), jsonHeaders)).status).toBe(400)
    const answer = await confirm(s.ada.host, pathIn(fresh as string), jsonHeaders)
    expect(answer.json).toMatchObject({ result: 'success', user_id: s.ada.user_id, email: second })
  })

  test('A link confirms nothing once the email address is taken or changes are disabled.', async () => {
    await using s = await setUp()
    const email = newAddress()
    await ok(s.ada, 'PATCH', '/settings', { email })
    const path = pathIn((await waitForMails(email))[0] as string)
    await updateRealmSettings(s.realm, { email_changes_disabled: true })
    expect((await confirm(s.ada.host, path, jsonHeaders)).json.msg).toBe(
      'Only administrators may change email addresses in this organization.',
    )
    await updateRealmSettings(s.realm, { email_changes_disabled: false })
    await ok(s.owner, 'PATCH', `/users/${s.grace.user_id}`, { new_email: email })
    expect((await confirm(s.ada.host, path, jsonHeaders)).json.msg).toBe(
      'An account with this email address already exists.',
    )
    expect((await confirm(s.ada.host, path)).status).toBe(400)
  })

  test('A forged link and a link of another organization confirm nothing.', async () => {
    await using s = await setUp()
    await using other = await setUp()
    const email = newAddress()
    await ok(s.ada, 'PATCH', '/settings', { email })
    const path = pathIn((await waitForMails(email))[0] as string)
    const wrong = path.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))
    expect((await confirm(s.ada.host, wrong, jsonHeaders)).status).toBe(400)
    expect((await confirm(other.ada.host, path, jsonHeaders)).status).toBe(400)
  })

  test.each([
    ['invalid', 'nonsense', 'This is not an email address.'],
    ['disposable', 'ada@mailinator.com', 'The organization does not accept disposable email addresses.'],
    [
      'disposable with its own subdomain',
      'ada@ada.mailinator.com',
      'The organization does not accept disposable email addresses.',
    ],
  ])('The server refuses an email address that is %s.', async (_, email, msg) => {
    await using s = await setUp()
    expect(await refusal(call(s.ada, 'PATCH', '/settings', { email }))).toBe(`400 BAD_REQUEST: ${msg}`)
  })

  test('A request for the address of another account has the same answer, and its link changes nothing.', async () => {
    await using s = await setUp()
    const taken = newAddress()
    await ok(s.owner, 'PATCH', `/users/${s.grace.user_id}`, { new_email: taken })
    const free = await call(s.ada, 'PATCH', '/settings', { email: newAddress() })
    expect(await call(s.ada, 'PATCH', '/settings', { email: taken })).toEqual(free)
    const findPath = () =>
      readMails(taken)
        .map(pathIn)
        .findLast((path) => path !== '')
    await expect.poll(findPath, { timeout: 15_000 }).toBeDefined()
    const path = findPath() as string
    expect((await confirm(s.ada.host, path, jsonHeaders)).json).toMatchObject({
      msg: 'An account with this email address already exists.',
    })
    expect(await addressOf({ ...s.grace, email: taken })).toBe(taken)
  })

  test('With email_changes_disabled, only an administrator can change an email address.', async () => {
    await using s = await setUp()
    await updateRealmSettings(s.realm, { email_changes_disabled: true })
    expect(await refusal(call(s.ada, 'PATCH', '/settings', { email: newAddress() }))).toBe(
      '400 BAD_REQUEST: Only administrators may change email addresses in this organization.',
    )
    await ok(s.ada, 'PATCH', '/settings', { email: (await addressOf(s.ada)) as string })
    await ok(s.owner, 'PATCH', '/settings', { email: newAddress() })
  })

  test('The server limits how often a user can request a new email address.', async () => {
    await using s = await setUp()
    await using gateway = await startGateway({ RATE_LIMITS: 'on', RATES: 'email_change_by_user=2/3600,3/86400' })
    const requestChange = (email: string) => call(s.ada, 'PATCH', '/settings', { email }, { url: gateway.url })
    // A request that is refused for another reason does not count towards the limit.
    for (let n = 0; n < 3; n++) expect((await requestChange('nonsense')).status).toBe(400)
    expect((await requestChange(newAddress())).status).toBe(200)
    // That the address has an account is no other reason: otherwise addresses could be tested without a limit.
    expect((await requestChange(s.grace.email)).status).toBe(200)
    const { status, body } = await requestChange(newAddress())
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT'])
    expect(body['retry-after']).toBeGreaterThan(3_500)
  })
})

test('A new user receives a welcome mail unless the organization has turned it off.', async () => {
  await using s = await setUp()
  const [made, joined, withoutWelcome] = [newAddress(), newAddress(), newAddress()]
  const password = 'quite another staple'
  const createUser = (email: string) => ok(s.owner, 'POST', '/users', { email, full_name: 'Mary', password })
  await createUser(made)
  const { invite_link } = await ok(s.owner, 'POST', '/invites/multiuse')
  const join = (path: string, form: Record<string, string>) =>
    sendRequest(Number(new URL(anyGateway()).port), {
      method: 'POST',
      path,
      host: s.realm.host,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...jsonHeaders },
      body: new URLSearchParams(form).toString(),
    })
  expect((await join(new URL(invite_link).pathname, { email: joined })).status).toBe(200)
  const link = /\/join\/[\w-]+/.exec((await waitForMails(joined))[0] as string)?.[0] as string
  expect((await join(link, { full_name: 'Jo', password })).status).toBe(200)
  for (const [email, mails] of [
    [made, 1],
    [joined, 2],
  ] as const) {
    const mail = (await waitForMails(email, mails)).at(-1)
    expect(mail).toContain('Subject: Welcome to')
    expect(mail).toContain(`Log in as ${email}`)
  }
  await updateRealmSettings(s.realm, { send_welcome_emails: false })
  await createUser(withoutWelcome)
  const { realm_id, sql } = s.realm
  expect(await sql`select from jobs where realm_id = ${realm_id} and kind = 'welcome_mail'`).toHaveLength(2)
})

describe('Deactivating a user', () => {
  const person = async (s: Awaited<ReturnType<typeof setUp>>, email: string) =>
    ((await s.realm.people({ full_name: 'Mary', email })) as [Person])[0]

  test('A deactivated user receives a mail only if the request contains the comment parameter.', async () => {
    await using s = await setUp()
    const [withoutComment, withEmptyComment, withComment] = [newAddress(), newAddress(), newAddress()]
    const deactivate = async (email: string, params: Record<string, unknown>) =>
      ok(s.owner, 'DELETE', `/users/${(await person(s, email)).user_id}`, params)
    await deactivate(withoutComment, {})
    await deactivate(withEmptyComment, { deactivation_notification_comment: '' })
    await deactivate(withComment, { deactivation_notification_comment: 'Thank you for all the fish.' })
    expect((await waitForMails(withComment))[0]).toContain('Thank you for all the fish.')
    expect((await waitForMails(withEmptyComment))[0]).toContain('Owner deactivated your account')
    expect(readMails(withoutComment)).toEqual([])
  })

  test('The server refuses a deactivation comment of more than 2000 characters.', async () => {
    await using s = await setUp()
    const params = { deactivation_notification_comment: 'x'.repeat(2_001) }
    expect(await refusal(call(s.owner, 'DELETE', `/users/${s.ada.user_id}`, params))).toBe(
      '400 BAD_REQUEST: deactivation_notification_comment may have at most 2000 characters.',
    )
  })

  test('Deactivating a user revokes their invitations, and reactivation does not restore them.', async () => {
    await using s = await setUp()
    const mary = await person(s, newAddress())
    await ok(s.owner, 'PATCH', `/users/${mary.user_id}`, { role: Role.administrator })
    await ok(mary, 'POST', '/invites', { invitee_emails: newAddress(), stream_ids: [] })
    const { invite_link } = await ok(mary, 'POST', '/invites/multiuse')
    const listener = await listen(s.owner, { event_types: ['invites_changed'] })
    await ok(s.owner, 'DELETE', `/users/${mary.user_id}`)
    expect(await listener.eventNames()).toEqual(['invites_changed'])
    await ok(s.owner, 'POST', `/users/${mary.user_id}/reactivate`)
    expect((await ok(s.owner, 'GET', '/invites')).invites).toEqual([])
    expect((await fetchFile(s.owner.host, new URL(invite_link).pathname)).status).toBe(404)
  })
})

test('An organization has a daily limit of invitations, and a request beyond it invites none of its addresses.', async () => {
  await using s = await setUp()
  await using gateway = await startGateway({ RATE_LIMITS: 'on', RATES: 'invitations_by_realm=3/86400' })
  const invite = (...emails: string[]) =>
    call(s.ada, 'POST', '/invites', { invitee_emails: emails.join(), stream_ids: [] }, { url: gateway.url })
  expect((await invite(newAddress(), newAddress())).status).toBe(200)
  const { status, body } = await invite(newAddress(), newAddress())
  expect(status).toBe(400)
  expect(body).toMatchObject({
    code: 'INVITATION_FAILED',
    daily_limit_reached: true,
    sent_invitations: false,
    license_limit_reached: false,
    errors: [],
  })
  expect((await ok(s.owner, 'GET', '/invites')).invites).toHaveLength(2)
  expect((await invite(newAddress())).status).toBe(200)
})

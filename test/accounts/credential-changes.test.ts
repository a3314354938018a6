/**
 * What ends when the credentials of an account change: API key, connections, event queues, and mailed links. Source:
 * protocol/endpoints.md 1.4 and 3.12.
 */
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Role } from '../../src/domain/log/rows.js'
import { Hub } from '../../src/gateway/events/hub.js'
import { PacedSends } from '../../src/gateway/events/paced-sends.js'
import { hashPassword, storePassword } from '../../src/store/users/passwords.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { readMails, waitForMails } from '../setup/realm/mails.js'
import { anyGateway, call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateUserRow } from '../setup/realm/row-changes.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const password = 'correct horse battery staple'
const newPassword = 'another horse and its staple'

let count = 0
const newAddress = () => `changes-${process.pid}-${++count}@example.com`

/** An organization in which Ada has a password. */
const setUp = async () => {
  const realm = await newRealm()
  const [owner, ada] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada', email: newAddress() },
  )) as [Person, Person]
  await storePassword(realm.sql, realm.realm_id, ada.user_id, await hashPassword(password))
  const fetchKey = async (given: string) => {
    const { body } = await call(undefined, 'POST', '/fetch_api_key', { username: ada.email, password: given }, realm)
    return body.api_key as string | undefined
  }
  return { realm, owner, ada, fetchKey, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

type Stage = Awaited<ReturnType<typeof setUp>>

const post = (host: string, path: string, form: Record<string, string> = {}) =>
  sendRequest(Number(new URL(anyGateway()).port), {
    method: 'POST',
    path,
    host,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  })

const linkIn = (mail: string | undefined, prefix: string): string =>
  new RegExp(`${prefix}/[\\w-]+`).exec(mail ?? '')?.[0] ?? ''

const resetPath = '/accounts/password/reset'

/** Requests a link for a new password. @returns its path */
const requestReset = async ({ realm, ada }: Stage): Promise<string> => {
  const links = () => readMails(ada.email).flatMap((mail) => linkIn(mail, resetPath) || [])
  const before = links().length
  await post(realm.host, resetPath, { email: ada.email })
  await expect.poll(() => links().length, { timeout: 15_000, interval: 20 }).toBe(before + 1)
  return links().at(-1) ?? ''
}

const changePassword = ({ ada }: Stage) =>
  ok(ada, 'PATCH', '/settings', { old_password: password, new_password: newPassword })

const resetPassword = async (s: Stage) => {
  const { json } = await post(s.realm.host, await requestReset(s), { password: newPassword })
  expect(json).toMatchObject({ result: 'success' })
}

describe.each([
  ['changes the password', changePassword],
  ['resets the password by a mailed link', resetPassword],
])('A user who %s', (_, change) => {
  test('The user can no longer use the old API key, and gets a new one for the new password.', async () => {
    await using s = await setUp()
    expect(await s.fetchKey(password)).toBe(s.ada.api_key)
    await change(s)
    expect((await call(s.ada, 'GET', '/users/me')).status).toBe(401)
    const api_key = (await s.fetchKey(newPassword)) as string
    expect(api_key).not.toBe(s.ada.api_key)
    await ok({ ...s.ada, api_key }, 'GET', '/users/me')
  })

  test('The change ends the connections and the event queues of the old API key, and the user is mailed.', async () => {
    await using s = await setUp()
    const { queue_id, last_event_id } = await ok(s.ada, 'POST', '/register', { fetch_event_types: [] })
    const query = `queue_id=${queue_id}&last_event_id=${last_event_id}`
    const socket = new WebSocket(`${anyGateway().replace('http', 'ws')}/api/v1/events?${query}`, {
      headers: { Host: s.realm.host, Authorization: basicAuthorization(s.ada) },
    })
    await once(socket, 'open')
    const closed = once(socket, 'close')
    await change(s)
    expect((await closed)[0]).toBeGreaterThanOrEqual(4_500)
    const api_key = (await s.fetchKey(newPassword)) as string
    const read = () => call({ ...s.ada, api_key }, 'GET', '/events', { queue_id, last_event_id, dont_block: true })
    // The gateways hear of the end of a queue over the bus.
    await expect.poll(async () => (await read()).body.code).toBe('BAD_EVENT_QUEUE_ID')
    const isMailed = () => readMails(s.ada.email).some((mail) => mail.includes('was changed'))
    await expect.poll(isMailed, { timeout: 15_000, interval: 20 }).toBe(true)
  })
})

test('A connection that is authenticated while the API key changes is closed.', async () => {
  await using s = await setUp()
  const { realm } = s.realm
  const hub = new Hub(realm, new PacedSends({ publish: () => true, countSubscribers: () => 0 }), () => {})
  const queue = { user_id: s.ada.user_id, profile: {} }
  const attach = (id: string, key_version: number): Promise<string> =>
    new Promise((resolve) => {
      const client = { queue: { ...queue, id }, key_version, lastId: 0, push() {}, close: resolve }
      hub.attach(client as unknown as Parameters<Hub['attach']>[0])
      queueMicrotask(() => queueMicrotask(() => resolve('attached')))
    })
  expect(await attach('one', 1)).toBe('attached')
  await updateUserRow(s.realm, s.ada.user_id, { key_version: 2 })
  await realm.barrier()
  expect(await attach('two', 1)).toBe('unauthorized')
  expect(await attach('three', 2)).toBe('attached')
})

/** Deactivates and reactivates Ada. The arguments say which of both ends her credentials. */
const replaceAda = async ({ owner, ada }: Stage, first: boolean, second: boolean): Promise<void> => {
  await ok(owner, 'DELETE', `/users/${ada.user_id}`, { end_credentials: first })
  await ok(owner, 'POST', `/users/${ada.user_id}/reactivate`, { end_credentials: second })
}

/** Each of these ends the links that were mailed before. */
const credentialChanges: [string, (s: Stage) => Promise<unknown>][] = [
  [
    'an administrator changed the email address',
    (s) => ok(s.owner, 'PATCH', `/users/${s.ada.user_id}`, { new_email: newAddress() }),
  ],
  ['the user changed the password', changePassword],
  ['the password was reset by another link', resetPassword],
  ['the user replaced the API key', (s) => ok(s.ada, 'POST', '/users/me/api_key/regenerate')],
  ['the user was deactivated, which ended all credentials, and reactivated', (s) => replaceAda(s, true, false)],
  ['the user was deactivated, and reactivated without the credentials of before', (s) => replaceAda(s, false, true)],
]

describe('A link for a new password', () => {
  test.each([
    ...credentialChanges,
    ['the user was deactivated', (s: Stage) => ok(s.owner, 'DELETE', `/users/${s.ada.user_id}`)] as const,
  ])('It is no longer valid after %s.', async (_, change) => {
    await using s = await setUp()
    const link = await requestReset(s)
    await change(s)
    const { status, json } = await post(s.realm.host, link, { password: 'a third horse without staples' })
    expect([status, json.code]).toEqual([400, 'BAD_REQUEST'])
    expect((await sendRequest(Number(new URL(anyGateway()).port), { path: link, host: s.realm.host })).status).toBe(404)
  })

  test('It sets one password, even if two requests use it at the same time.', async () => {
    await using s = await setUp()
    const link = await requestReset(s)
    const answers = await Promise.all(
      [newPassword, `${newPassword} twice`].map((given) => post(s.realm.host, link, { password: given })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})

describe('A link that confirms a new email address', () => {
  /** Requests another address. @returns the path of the link */
  const requestAddress = async (s: Stage): Promise<string> => {
    const email = newAddress()
    await ok(s.ada, 'PATCH', '/settings', { email })
    return linkIn((await waitForMails(email))[0], '/confirm_email')
  }

  test.each(credentialChanges)('It is no longer valid after %s.', async (_, change) => {
    await using s = await setUp()
    const link = await requestAddress(s)
    await change(s)
    expect((await post(s.realm.host, link)).status).toBe(400)
  })

  test('It is valid if the user requested it together with a new password.', async () => {
    await using s = await setUp()
    const email = newAddress()
    await ok(s.ada, 'PATCH', '/settings', { email, old_password: password, new_password: newPassword })
    const link = linkIn((await waitForMails(email))[0], '/confirm_email')
    expect((await post(s.realm.host, link)).json).toMatchObject({ user_id: s.ada.user_id, email })
  })
})

describe('A reactivated account', () => {
  test('It keeps its API key and its password.', async () => {
    await using s = await setUp()
    await replaceAda(s, false, false)
    await ok(s.ada, 'GET', '/users/me')
    expect(await s.fetchKey(password)).toBe(s.ada.api_key)
  })

  test.each([
    ['deactivation', true, false],
    ['reactivation', false, true],
  ])('Its API key and its password have ended if the %s ends all credentials.', async (_, first, second) => {
    await using s = await setUp()
    await replaceAda(s, first, second)
    expect((await call(s.ada, 'GET', '/users/me')).body.code).toBe('UNAUTHORIZED')
    const given = { username: s.ada.email, password }
    const { status, body } = await call(undefined, 'POST', '/fetch_api_key', given, s.realm)
    expect([status, body.code]).toEqual([401, 'PASSWORD_RESET_REQUIRED'])
    await resetPassword(s)
    await ok({ ...s.ada, api_key: (await s.fetchKey(newPassword)) as string }, 'GET', '/users/me')
  })

  test('Its user is mailed if another user ended the credentials.', async () => {
    await using s = await setUp()
    await replaceAda(s, false, true)
    const [mail = ''] = await waitForMails(s.ada.email)
    expect(mail).toContain('ended the password and the API key of your account')
    expect(linkIn(mail, '/accounts/password')).toBe(resetPath)
  })

  test('The bots of a user keep their API keys, unless the deactivation ended all credentials.', async () => {
    await using s = await setUp()
    for (const end_credentials of [false, true]) {
      const short_name = `helper-${end_credentials}`
      const { user_id, api_key } = await ok(s.ada, 'POST', '/bots', { full_name: short_name, short_name })
      const { email } = (await ok(s.owner, 'GET', `/users/${user_id}`)).user
      const robot = { ...s.ada, email, user_id, api_key } as Person
      await ok(s.owner, 'DELETE', `/users/${s.ada.user_id}`, { end_credentials })
      for (const id of [s.ada.user_id, user_id]) await ok(s.owner, 'POST', `/users/${id}/reactivate`)
      expect((await call(robot, 'GET', '/users/me')).status).toBe(end_credentials ? 401 : 200)
    }
  })

  test('A bot keeps its API key, unless its own deactivation or reactivation ends it.', async () => {
    await using s = await setUp()
    const { user_id, api_key } = await ok(s.ada, 'POST', '/bots', { full_name: 'Helper', short_name: 'helper' })
    const { email } = (await ok(s.owner, 'GET', `/users/${user_id}`)).user
    const robot = { ...s.ada, email, user_id, api_key } as Person
    await ok(s.ada, 'DELETE', `/bots/${user_id}`)
    await ok(s.owner, 'POST', `/users/${user_id}/reactivate`)
    await ok(robot, 'GET', '/users/me')
    await ok(s.ada, 'DELETE', `/bots/${user_id}`, { end_credentials: true })
    await ok(s.owner, 'POST', `/users/${user_id}/reactivate`)
    expect((await call(robot, 'GET', '/users/me')).status).toBe(401)
  })
})

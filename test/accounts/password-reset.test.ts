/** Resetting a password with a mailed link. Source: protocol/errors.md 2 and 8. */
import { describe, expect, test } from 'vitest'
import { hashPassword, storePassword } from '../../src/store/users/passwords.js'
import { startGateway } from '../setup/processes/processes.js'
import { readMails, waitForMails } from '../setup/realm/mails.js'
import { anyGateway, call, newRealm, type Person } from '../setup/realm/realm.js'
import { fetchFile } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const oldPassword = 'correct horse battery staple'
const newPassword = 'another horse and its staple'
const path = '/accounts/password/reset'
const jsonHeaders = { Accept: 'application/json' }

let count = 0

const setUp = async (password: string | null = oldPassword) => {
  const realm = await newRealm()
  const email = `forgetful-${process.pid}-${++count}@example.com`
  const [ada] = (await realm.people({ full_name: 'Ada', email })) as [Person]
  if (password !== null) {
    const hash = password === '' ? '' : await hashPassword(password)
    await storePassword(realm.sql, realm.realm_id, ada.user_id, hash)
  }
  const login = async (given: string) => {
    const params = { username: email, password: given }
    const { status, body } = await call(undefined, 'POST', '/fetch_api_key', params, { host: realm.host })
    return body.code ?? status
  }
  return { realm, ada, email, login, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const post = (host: string, target: string, form: Record<string, string>, headers = {}, url = anyGateway()) =>
  sendRequest(Number(new URL(url).port), {
    method: 'POST',
    path: target,
    host,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  })

const linkTo = async (email: string, n = 1): Promise<string> => {
  const mails = await waitForMails(email, n)
  return /\/accounts\/password\/reset\/[\w-]+/.exec(mails[n - 1] as string)?.[0] ?? ''
}

describe('Resetting a password', () => {
  test('A user who forgot their password receives a link with which they can set a new one once.', async () => {
    await using s = await setUp()
    expect((await fetchFile(s.realm.host, path)).text).toContain('<form method="post">')
    const asked = await post(s.realm.host, path, { email: s.email.toUpperCase() })
    expect([asked.status, asked.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const link = await linkTo(s.email)
    expect((await fetchFile(s.realm.host, link)).text).toContain('New password')

    const weak = await post(s.realm.host, link, { password: 'secret' })
    expect([weak.status, weak.text]).toEqual([
      400,
      expect.stringContaining('The password is too easy to guess: choose a longer one.'),
    ])
    expect(await s.login(oldPassword)).toBe(200)

    expect((await post(s.realm.host, link, { password: newPassword })).status).toBe(200)
    expect([await s.login(newPassword), await s.login(oldPassword)]).toEqual([200, 'AUTHENTICATION_FAILED'])
    expect((await fetchFile(s.realm.host, link)).status).toBe(404)
    const again = await post(s.realm.host, link, { password: oldPassword }, jsonHeaders)
    expect([again.status, again.json.code]).toEqual([400, 'BAD_REQUEST'])
  })

  test('A user whose password was removed or never set can set one with a link.', async () => {
    for (const password of ['', null]) {
      await using s = await setUp(password)
      expect(await s.login(oldPassword)).toBe(password === '' ? 'PASSWORD_RESET_REQUIRED' : 'AUTHENTICATION_FAILED')
      expect((await post(s.realm.host, path, { email: s.email }, jsonHeaders)).json).toMatchObject({
        result: 'success',
      })
      const answer = await post(s.realm.host, await linkTo(s.email), { password: newPassword }, jsonHeaders)
      expect(answer.json).toMatchObject({ result: 'success' })
      expect(await s.login(newPassword)).toBe(200)
    }
  })

  test('The server refuses a forged link, an extended link and a link of another organization.', async () => {
    await using s = await setUp()
    await using other = await setUp()
    await post(s.realm.host, path, { email: s.email })
    const link = await linkTo(s.email)
    const [user_id, expires_at, key] = link.slice(`${path}/`.length).split('-')
    for (const wrong of [
      `${path}/${user_id}-${expires_at}-${'x'.repeat(32)}`,
      `${path}/${user_id}-${Number(expires_at) + 86_400}-${key}`,
      `${path}/${Number(user_id) + 1}-${expires_at}-${key}`,
      `${path}/nonsense`,
    ]) {
      expect((await post(s.realm.host, wrong, { password: newPassword }, jsonHeaders)).status).toBe(400)
    }
    expect((await post(other.realm.host, link, { password: newPassword }, jsonHeaders)).status).toBe(400)
    expect(await s.login(oldPassword)).toBe(200)
  })
})

test('The answer to a reset request does not reveal whether a user exists.', async () => {
  await using s = await setUp()
  const email = `nobody-${process.pid}@example.com`
  const there = await post(s.realm.host, path, { email: s.email })
  const notThere = await post(s.realm.host, path, { email })
  expect([notThere.status, notThere.text]).toEqual([there.status, there.text])
  await waitForMails(s.email)
  expect(readMails(email)).toEqual([])
  const nonsense = await post(s.realm.host, path, { email: 'nonsense' }, jsonHeaders)
  expect([nonsense.status, nonsense.json.msg]).toEqual([400, 'This is not an email address.'])
})

test('The server limits reset mails per email address and per IP address.', async () => {
  await using s = await setUp()
  await using gateway = await startGateway({
    RATE_LIMITS: 'on',
    RATES: 'password_reset_form_by_email=2/3600 sends_email_by_ip=4/86400',
    TRUSTED_PROXIES: '127.0.0.1',
  })
  const from = (ip: string, email: string) =>
    post(s.realm.host, path, { email }, { ...jsonHeaders, 'X-Forwarded-For': ip }, gateway.url)
  const [one, two] = [`198.19.${process.pid % 256}.1`, `198.19.${process.pid % 256}.2`]
  expect([(await from(one, s.email)).status, (await from(one, s.email)).status]).toEqual([200, 200])
  const refused = await from(one, s.email)
  expect([refused.status, refused.json.code]).toEqual([429, 'RATE_LIMIT_HIT'])
  expect((await from(two, s.email)).status).toBe(429)
  for (let n = 0; n < 2; n++) expect((await from(one, `other${n}@example.com`)).status).toBe(200)
  expect((await from(one, 'other2@example.com')).status).toBe(429)
  expect((await from(two, 'other2@example.com')).status).toBe(200)
})

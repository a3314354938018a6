/** Replacing SECRET_KEY of a running fleet. docs/configuration.md, "Replacing the secret". */
import { randomBytes } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { openKeys } from '../../src/domain/deployment/keys.js'
import { signFileToken, verifyFileToken } from '../../src/domain/files/file-links.js'
import { Role } from '../../src/domain/log/rows.js'
import { hashPassword, storePassword } from '../../src/store/users/passwords.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import type { TestProcess } from '../setup/processes/processes.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const password = 'correct horse battery staple'

test('A fleet replaces its secret in three steps, and keys of the old one work until it is removed.', {
  timeout: 120_000,
}, async () => {
  const older = inject('secret_key')
  const newer = randomBytes(32).toString('hex')
  await using fleet = await startOwnFleet()
  const { realm } = fleet
  const [ada] = (await realm.people({ full_name: 'Ada', role: Role.owner })) as [Person]
  await storePassword(realm.sql, realm.realm_id, ada.user_id, await hashPassword(password))

  const fetchKey = async ({ url }: TestProcess) => {
    const params = { username: ada.email, password }
    const { body } = await call(undefined, 'POST', '/fetch_api_key', params, { host: realm.host, url })
    return body.api_key as string
  }
  const newLink = async ({ url }: TestProcess, api_key: string) => {
    const { invite_link } = await ok({ ...ada, api_key }, 'POST', '/invites/multiuse', {}, { url })
    return new URL(invite_link).pathname
  }
  const openLink = async ({ url }: TestProcess, path: string) =>
    (await sendRequest(Number(new URL(url).port), { path, host: realm.host })).status
  const tryKey = async ({ url }: TestProcess, api_key: string) =>
    (await call({ ...ada, api_key }, 'GET', '/users/me', {}, { url })).status
  /** A key as the URL parameter of a file that does not exist: 404 if the key is valid. */
  const tryFileKey = async ({ url }: TestProcess, api_key: string) => {
    const path = `/user_uploads/1/x/y.png?api_key=${api_key}`
    return (await sendRequest(Number(new URL(url).port), { path, host: realm.host })).status
  }

  const first = fleet.gateway
  const oldKey = await fetchKey(first)
  const oldLink = await newLink(first, oldKey)

  // Step 1: every process accepts both secrets and still derives keys from the old one.
  await using second = await fleet.newGateway({ SECRET_KEY: `${older},${newer}` })
  expect(await fetchKey(second)).toBe(oldKey)

  // Step 2: the new secret derives keys, and the processes of step 1 accept them.
  await using third = await fleet.newGateway({ SECRET_KEY: `${newer},${older}` })
  const newKey = await fetchKey(third)
  const link = await newLink(third, oldKey)
  expect(newKey).not.toBe(oldKey)
  for (const gateway of [second, third]) {
    for (const key of [oldKey, newKey]) {
      expect([await tryKey(gateway, key), await tryFileKey(gateway, key)]).toEqual([200, 404])
    }
    for (const path of [oldLink, link]) expect(await openLink(gateway, path)).toBe(200)
  }
  expect([await tryKey(first, newKey), await openLink(first, link)]).toEqual([401, 404])

  // Step 3: the old secret is removed.
  await using last = await fleet.newGateway({ SECRET_KEY: newer })
  expect([await tryKey(last, oldKey), await tryFileKey(last, oldKey), await openLink(last, oldLink)]).toEqual([
    401, 401, 404,
  ])
  expect([await tryKey(last, newKey), await tryFileKey(last, newKey), await openLink(last, link)]).toEqual([
    200, 404, 200,
  ])
})

test('Every kind of key is derived from the first secret, and valid under any of them.', () => {
  const [older, newer, other] = [1, 2, 3].map(() => randomBytes(32).toString('hex')) as [string, string, string]
  const now = 1_000
  const reset = { user_id: 7, expires_at: 2_000, password_hash: 'x', key_version: 1, delivery_email: 'ada@example.com' }
  const claim = { attachment_id: 5, user_id: 7 }
  const join = { invitation_id: 3, expires_at: 2_000, email: 'ada@example.com' }
  const keyOf = (token: string) => token.split('-').at(-1) ?? ''

  /** Which of the keys that `issuer` shows are valid for `verifier`. */
  const check = (issuing: string[], verifying: string[]) => {
    const [issuer, verifier] = [openKeys(issuing), openKeys(verifying)]
    return {
      'API key': verifier.validApiKeys(1, 7, 1).includes(issuer.apiKey(1, 7, 1)),
      invitation: verifier.isInvitationKey(keyOf(issuer.invitationToken(1, 3)), 1, 3),
      joining: verifier.readJoinToken(issuer.joinToken(1, join), 1, now) !== undefined,
      'new address': verifier.isEmailChangeKey(keyOf(issuer.emailChangeToken(1, 4)), 1, 4),
      'new password': verifier.isPasswordResetKey(keyOf(issuer.passwordResetToken(1, reset)), 1, reset),
      file: verifyFileToken(verifying, 1, signFileToken(issuing, 1, claim, now), now)?.attachment_id === 5,
    }
  }
  const all = (valid: boolean) => Object.fromEntries(Object.keys(check([older], [older])).map((kind) => [kind, valid]))

  for (const verifying of [[older], [older, newer], [newer, older]]) {
    expect(check([older, newer], verifying)).toEqual(all(true))
  }
  expect(check([newer, older], [older, newer])).toEqual(all(true))
  expect(check([newer, older], [older])).toEqual(all(false))
  expect(check([older], [newer, other])).toEqual(all(false))
})

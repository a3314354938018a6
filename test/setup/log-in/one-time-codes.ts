/** An app for one-time codes (RFC 6238), written apart from the library of the server; and an account that has one. */
import { createHmac } from 'node:crypto'
import { portOf } from '../processes/gateway-of-one-test.js'
import { anyGateway, ok, type Person, type TestRealm } from '../realm/realm.js'
import { type RawResponse, sendRequest } from '../requests/raw-request.js'
import {
  type BrowserSession,
  callAs,
  logIn,
  password,
  postSession,
  readBrowserSession,
  setPassword,
} from '../web/browser-session.js'

const decodeBase32 = (text: string): Buffer => {
  const bits = [...text].map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** What the app shows. @param steps how many half minutes later */
export const composeCode = (secret: string, steps = 0, now = Date.now()): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000) + steps))
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** An account with a second factor, and a browser that is logged in. */
export interface EnrolledPerson {
  person: Person
  secret: string
  recovery_codes: string[]
  session: BrowserSession
}

/** Gives an account a password and a second factor. */
export const enrol = async (realm: TestRealm, person: Person): Promise<EnrolledPerson> => {
  await setPassword(realm, person)
  const first = await logIn(person)
  const begun = await callAs(first, 'POST', '/users/me/second_factor/enrolment', { password })
  if (begun.status !== 200) throw new Error(begun.text)
  const { secret, enrolment } = begun.json as { secret: string; enrolment: string }
  const confirmed = await callAs(first, 'POST', '/users/me/second_factor', { enrolment, code: composeCode(secret) })
  if (confirmed.status !== 200) throw new Error(confirmed.text)
  return {
    person,
    secret,
    recovery_codes: confirmed.json.recovery_codes as string[],
    session: readBrowserSession(person.host, confirmed),
  }
}

/** A code that the server accepts: it forgets which codes of the account were used. */
export const freshCode = async ({ sql, realm_id }: TestRealm, { person, secret }: EnrolledPerson): Promise<string> => {
  await sql`
    update second_factors set last_step = 0 where realm_id = ${realm_id} and user_id = ${person.user_id}`
  return composeCode(secret)
}

/** The cookie of a log-in whose first half is done. */
export const halfCookie = ({ headers }: RawResponse): string =>
  (headers['set-cookie'] ?? []).find((line) => line.startsWith('parley_log_in='))?.split(';')[0] ?? ''

/** Logs in with the password. @returns the cookie for the second half */
export const beginHalf = async ({ host, email }: Person): Promise<string> => {
  const answer = await postSession(host, email)
  if (answer.json.code !== 'SECOND_FACTOR_REQUIRED') throw new Error(answer.text)
  return halfCookie(answer)
}

/** Sends the second half of a log-in. */
export const sendHalf = (host: string, cookie: string, code: string, url = anyGateway()): Promise<RawResponse> =>
  sendRequest(portOf(url), {
    method: 'POST',
    path: '/api/v1/sessions/second_factor',
    host,
    headers: { Cookie: cookie, 'User-Agent': 'Mozilla/5.0 (test)' },
    body: new URLSearchParams({ code }).toString(),
  })

/** The acts on second factors in the audit log, the newest first. */
export const secondFactorActs = async (owner: Person): Promise<unknown[]> => {
  const { acts } = await ok<{ acts: { changes: { table: string; after: { result: string } }[] }[] }>(
    owner,
    'GET',
    '/realm/audit_log',
    { subject: 'second_factors' },
  )
  return acts.flatMap(({ changes }) => changes.map(({ after }) => after.result))
}

/**
 * The session of this browser: who is logged in, and how it begins and ends.
 *
 * The session is a cookie that scripts cannot read. Nothing of it is stored here.
 */

import { signal } from '@preact/signals'
import { t } from '../languages/t.js'
import { callServer, callSite } from './server-call.js'
import { forgetUsers } from './user-storage.js'

/** How the page is used: not known yet, by nobody, by a visitor without an account, or by a user. */
export type SessionState = 'unknown' | 'logged-out' | 'visitor' | 'user'

/** How the page is used. Each log-in is an object of its own, because the chat of an ended session cannot go on. */
export interface Session {
  readonly state: SessionState
}

/** How the page is used now. */
export const session = signal<Session>({ state: 'unknown' })

/** Settles when no session is being replaced: until then, the end of the former one is expected. */
let replacement: Promise<unknown> = Promise.resolve()

/** An account of a demo organization. */
export interface DemoAccount {
  user_id: number
  full_name: string
  email: string
  role: number
  avatar_url: string | null
}

/** Finds out whether the browser has a session. The answer is no error without one, so the console shows none. */
export const resumeSession = async (): Promise<void> => {
  const { body } = await callServer('GET', '/sessions/state')
  secondHalf.value = (body.second_factor as 'code' | 'enrolment' | null) ?? undefined
  // A log-in with a provider comes back to this page where the user must set a second factor up.
  const isHeld = secondHalf.value === 'enrolment'
  session.value = { state: body.is_logged_in === true && !isHeld ? 'user' : 'logged-out' }
}

/**
 * Handles the end of a session. It finds out whether the browser has another one, which this page or another page
 * began.
 */
export const leaveSession = async (ended: Session): Promise<void> => {
  await replacement.catch(() => {})
  if (session.peek() === ended) await resumeSession()
}

/** What the log-in of this browser needs besides: a code, or a second factor first. */
export const secondHalf = signal<'code' | 'enrolment' | undefined>(undefined)

/**
 * Logs in with a password. For an account with a second factor, the page then asks for it. Throws an Error whose
 * message is for the user.
 */
export const logIn = async (username: string, password: string): Promise<void> => {
  const { status, body } = await callServer('POST', '/sessions', { username, password })
  if (status === 200) session.value = { state: 'user' }
  else if (body.code === 'SECOND_FACTOR_REQUIRED') secondHalf.value = 'code'
  else if (body.code === 'SECOND_FACTOR_ENROLMENT_REQUIRED') secondHalf.value = 'enrolment'
  else throw new Error(describeRefusal(body) ?? t('The log-in failed. Try again.'))
}

/** Ends a log-in with the second factor. Throws an Error whose message is for the user. */
export const endWithCode = async (code: string): Promise<void> => {
  await callSecondHalf('', { code })
  enter()
}

/** Begins to set a second factor up in a log-in. Throws an Error whose message is for the user. */
export const beginEnrolment = async (): Promise<{ secret: string; uri: string; enrolment: string }> =>
  (await callSecondHalf('/enrolment', {})) as { secret: string; uri: string; enrolment: string }

/**
 * Sets a second factor up in a log-in. Then the user stores the codes, and enters. Throws an Error whose message is for
 * the user.
 * @returns the recovery codes
 */
export const confirmEnrolment = async (enrolment: string, code: string): Promise<string[]> =>
  (await callSecondHalf('/confirm', { enrolment, code })).recovery_codes as string[]

const callSecondHalf = async (path: string, params: Record<string, string>): Promise<Record<string, unknown>> => {
  const { status, body } = await callServer('POST', `/sessions/second_factor${path}`, params)
  if (body.code === 'LOG_IN_TOOK_TOO_LONG') secondHalf.value = undefined
  if (status !== 200) throw new Error(describeRefusal(body) ?? t('The log-in failed. Try again.'))
  return body
}

/** Opens the chat, when the log-in has ended. */
export const enter = (): void => {
  secondHalf.value = undefined
  session.value = { state: 'user' }
}

/**
 * Makes a call that ends all sessions of the account, and logs in again. Until then the page shows what it showed.
 * Throws an Error whose message is for the user, and what the call throws.
 */
export const replaceSession = (end: () => Promise<unknown>, username: string, password: string): Promise<void> =>
  expectReplacement(end().then(() => logIn(username, password)))

/** Makes a call that ends all sessions, and begins a new one of this browser. Throws what it throws. */
export const renewSession = (renew: () => Promise<unknown>): Promise<void> =>
  expectReplacement(
    renew().then(() => {
      session.value = { state: 'user' }
    }),
  )

const expectReplacement = (replacing: Promise<void>): Promise<void> => {
  replacement = replacing
  return replacing
}

/** The API key of the account. Throws an Error whose message is for the user. */
export const fetchApiKey = async (username: string, password: string): Promise<string> => {
  const { api_key } = await requireSuccess('POST', '/fetch_api_key', { username, password })
  return String(api_key)
}

/** Logs in with the text that a desktop app got from the browser. Throws an Error whose message is for the user. */
export const logInWithToken = async (token: string): Promise<void> => {
  await requireSuccess('POST', '/sessions/external', { token })
  session.value = { state: 'user' }
}

/** Logs in as an account of a demo organization. Throws an Error whose message is for the user. */
export const logInToDemo = async (user_id: number): Promise<void> => {
  await requireSuccess('POST', '/sessions/demo', { user_id })
  session.value = { state: 'user' }
}

/** Asks the server to mail a link for setting a new password. Throws an Error whose message is for the user. */
export const requestPasswordLink = async (email: string): Promise<void> => {
  const { status, body } = await callSite('POST', '/accounts/password/reset', { email })
  if (status !== 200) throw new Error(describeRefusal(body) ?? t('No link was sent. Try again.'))
}

/**
 * Asks the server to mail a link for signing up. Throws an Error whose message is for the user.
 * @param timezone of the browser, as the data of IANA name it
 */
export const requestSignUpLink = async (email: string, timezone: string): Promise<void> => {
  const { status, body } = await callSite('POST', '/accounts/sign_up', { email, timezone })
  if (status !== 200) throw new Error(describeRefusal(body) ?? t('No link was sent. Try again.'))
}

/** The accounts of a demo organization; none on a server that is no demo. */
export const fetchDemoAccounts = async (): Promise<DemoAccount[]> => {
  const state = await callServer('GET', '/sessions/state')
  if (state.body.has_demo_accounts !== true) return []
  const { status, body } = await callServer('GET', '/sessions/demo')
  return status === 200 ? (body.users as DemoAccount[]) : []
}

/** Whether the organization is active. Nobody can log in to a deactivated one. */
export const fetchIsActive = async (): Promise<boolean> =>
  (await callServer('GET', '/sessions/state')).body.is_realm_active !== false

/** A provider with whose account users log in. */
export interface ExternalMethod {
  name: string
  display_name: string
  login_url: string
}

/** What the server says about the organization to everyone. */
export interface PublicRealm {
  email_auth_enabled?: boolean
  /** whether users have other names than addresses, in a directory */
  require_email_format_usernames?: boolean
  authentication_methods?: { ldap?: boolean }
  external_authentication_methods?: ExternalMethod[]
  realm_name?: string
  realm_icon?: string
  realm_description?: string
  realm_web_public_access_enabled?: boolean
  realm_invite_required?: boolean
}

/** Asks what the organization shows to everyone. */
export const fetchPublicRealm = async (): Promise<PublicRealm> => (await callServer('GET', '/server_settings')).body

/** Reads without an account. */
export const visit = (): void => {
  session.value = { state: 'visitor' }
}

/** Shows the log-in view again, after the session has ended. */
export const showLogIn = (): void => {
  session.value = { state: 'logged-out' }
}

/** Logs out: the server forgets the session of this browser. */
export const endSession = async (): Promise<void> => {
  const { body } = await callServer('GET', '/sessions/current')
  const ended = await callServer('DELETE', '/sessions/current', {}, { 'X-CSRF-Token': String(body.csrf_token) })
  session.value = { state: 'logged-out' }
  // After the chat was closed, which would keep it again.
  setTimeout(() => {
    forgetUsers()
    // The provider ends its own session, and leads back.
    if (typeof ended.body.log_out_url === 'string') location.assign(ended.body.log_out_url)
  })
}

const requireSuccess = async (
  method: string,
  path: string,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  const { status, body } = await callServer(method, path, params)
  if (status !== 200) throw new Error(describeRefusal(body) ?? t('The log-in failed. Try again.'))
  return body
}

/** What the user reads about a refusal; undefined when the answer does not say. */
const describeRefusal = ({ msg, code, 'retry-after': seconds }: Record<string, unknown>): string | undefined => {
  if (code === 'PASSWORD_RESET_REQUIRED') {
    return t('{reason} Use “Forgot your password?” below.', { reason: String(msg) })
  }
  if (code !== 'RATE_LIMIT_HIT' || typeof seconds !== 'number') return typeof msg === 'string' ? msg : undefined
  return t(
    '{minutes, plural, one {Too many tries. Try again in a minute.} other {Too many tries. Try again in # minutes.}}',
    { minutes: Math.ceil(seconds / 60) },
  )
}

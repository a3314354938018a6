/**
 * The session of this browser: who is logged in, and how it begins and ends.
 *
 * The session is a cookie that scripts cannot read. Nothing of it is stored here.
 */
import { signal } from '@preact/signals'
import { callServer, callSite } from './server-call.js'

/** How the page is used: not known yet, by nobody, by a visitor without an account, or by a user. */
export type SessionState = 'unknown' | 'logged-out' | 'visitor' | 'user'

/** How the page is used now. */
export const session = signal<SessionState>('unknown')

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
  session.value = body.is_logged_in === true ? 'user' : 'logged-out'
}

/** Logs in with a password. Throws an error whose message is for the user. */
export const logIn = async (username: string, password: string): Promise<void> => {
  await requireSuccess('POST', '/sessions', { username, password })
  session.value = 'user'
}

/** Logs in as an account of a demo organization. */
export const logInToDemo = async (user_id: number): Promise<void> => {
  await requireSuccess('POST', '/sessions/demo', { user_id })
  session.value = 'user'
}

/** Asks the server to mail a link for setting a new password. Throws an error whose message is for the user. */
export const requestPasswordLink = async (email: string): Promise<void> => {
  const { status, body } = await callSite('POST', '/accounts/password/reset', { email })
  if (status !== 200) throw new Error(typeof body.msg === 'string' ? body.msg : 'No link was sent. Try again.')
}

/** The accounts of a demo organization; none on a server that is no demo. */
export const fetchDemoAccounts = async (): Promise<DemoAccount[]> => {
  const state = await callServer('GET', '/sessions/state')
  if (state.body.has_demo_accounts !== true) return []
  const { status, body } = await callServer('GET', '/sessions/demo')
  return status === 200 ? (body.users as DemoAccount[]) : []
}

/** What the server says about the organization to everyone. */
export interface PublicRealm {
  realm_name?: string
  realm_icon?: string
  realm_description?: string
  realm_web_public_access_enabled?: boolean
}

/** Asks what the organization shows to everyone. */
export const fetchPublicRealm = async (): Promise<PublicRealm> => (await callServer('GET', '/server_settings')).body

/** Reads without an account. */
export const visit = (): void => {
  session.value = 'visitor'
}

/** Shows the log-in view again, after the session has ended. */
export const showLogIn = (): void => {
  session.value = 'logged-out'
}

/** Logs out: the server forgets the session of this browser. */
export const endSession = async (): Promise<void> => {
  const { body } = await callServer('GET', '/sessions/current')
  await callServer('DELETE', '/sessions/current', {}, { 'X-CSRF-Token': String(body.csrf_token) })
  // What was kept for the user in this tab, such as messages that were not sent.
  sessionStorage.clear()
  session.value = 'logged-out'
}

const requireSuccess = async (method: string, path: string, params: Record<string, unknown>): Promise<void> => {
  const { status, body } = await callServer(method, path, params)
  if (status !== 200) throw new Error(typeof body.msg === 'string' ? body.msg : 'The log-in failed. Try again.')
}

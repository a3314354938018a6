/**
 * Sessions of browsers: logging in with a cookie, listing and ending one's sessions.
 *
 * A page of another site cannot log a browser in, which would make its user write in the account of an attacker: a
 * request with the Origin of another site is refused. Each log-in gets a new token, so a token that someone else knows
 * never becomes that of a session. The rules are in domain/users/accounts/sessions.ts, the cookie is in
 * auth/session-cookie.ts.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { realmUrl } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { validSessions } from '../../../domain/users/accounts/sessions.js'
import { avatarUrl } from '../../../domain/users/users.js'
import type { Realm } from '../../../store/log/realm.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { loadProviderSession } from '../../../store/log-in/provider-sessions.js'
import { loadSessionUses, removeSessions, storeSession, type WithSession } from '../../../store/users/sessions.js'
import { authenticateSession } from '../../auth/session-auth.js'
import { composeEndedCookie, composeSessionCookie, deriveCsrfToken } from '../../auth/session-cookie.js'
import { endpoint, streamed } from '../../call/endpoint.js'
import { idInPath, int, str } from '../../call/params.js'
import type { App } from '../../contract/app.js'
import type { CallRequest, SessionCredentials } from '../../contract/call-request.js'
import type { Caller } from '../../contract/caller.js'
import type { HttpExchange } from '../../contract/transport.js'
import { openMethods } from '../../log-in/open-methods.js'
import { composeServiceUrls } from '../../log-in/saml-messages.js'
import { findHalf, holdForSecondFactor } from '../../second-factor/half-log-in.js'
import { composeNeedError } from '../../second-factor/second-factor.js'
import {
  logInRefusals,
  noteLogin,
  refuseDevelopmentLogin,
  requireActiveAccount,
  requireActiveRealm,
  requireDevelopment,
  verifyPassword,
} from './log-in-checks.js'

/** The account of a session, and the token of its calls. */
export const currentSession = z.object({
  user_id: z.int(),
  email: z.string().describe('the real address'),
  csrf_token: z.string().describe('for the header X-CSRF-Token of each call of this session that is not a GET'),
})

export const createSession = streamed({
  method: 'POST',
  path: '/sessions',
  summary: 'Logs a browser in with an email address and a password: sets the cookie of a new session.',
  condition: 'For an account with a second factor it sets another cookie, for `POST /sessions/second_factor`.',
  callers: 'anyone',
  params: { username: str().describe('the real address, or the name in a directory'), password: str() },
  example: { username: '{email}', password: '{password}' },
  response: currentSession,
  errors: [...logInRefusals, errors.secondFactorRequired, errors.secondFactorEnrolmentRequired],
  barrier: true,
  headers: ['accept'],
  async handle({ app, write, request, params }, exchange) {
    if (request.isFromForeignPage) throw errors.foreignPage()
    const open = requireActiveRealm(write)
    const user = await verifyPassword(app, open, { ...params, action: 'POST /sessions' }, request)
    const end = { purpose: { kind: 'session', next: '/' } } as const
    const need = await holdForSecondFactor(open, user, end, exchange)
    if (need !== undefined) throw composeNeedError(need)
    const session = await startSession(open, user, request, exchange)
    await noteLogin(app, open, user, request)
    return session
  },
})

export const getDemoAccounts = endpoint({
  method: 'GET',
  path: '/sessions/demo',
  summary: 'Lists accounts with which a browser logs in without a password; on development servers only.',
  callers: 'anyone',
  params: {},
  noExample: 'It works on development servers only.',
  response: z.object({
    users: z.array(
      z.object({
        user_id: z.int(),
        full_name: z.string(),
        email: z.string(),
        role: z.int(),
        avatar_url: z.string().nullable(),
      }),
    ),
  }),
  errors: [errors.nonexistentSubdomain, errors.realmIsDeactivated],
  handle({ app, write, request }) {
    requireDevelopment(app, request)
    const { state } = requireActiveRealm(write).realm
    const users = [...state.users.values()]
      .filter(({ is_active, is_bot }) => is_active && !is_bot)
      .sort((a, b) => a.role - b.role || a.id - b.id)
      .slice(0, MOST_DEMO_ACCOUNTS)
    return {
      users: users.map((user) => {
        const { id: user_id, full_name, delivery_email: email, role } = user
        return { user_id, full_name, email, role, avatar_url: avatarUrl(user, true) }
      }),
    }
  },
})

/** The page that lists them has a button for each. */
const MOST_DEMO_ACCOUNTS = 50

export const createDemoSession = streamed({
  method: 'POST',
  path: '/sessions/demo',
  summary: 'Logs a browser in without a password; on development servers only.',
  callers: 'anyone',
  params: { user_id: int() },
  noExample: 'It works on development servers only.',
  response: currentSession,
  errors: logInRefusals,
  barrier: true,
  headers: ['accept'],
  async handle({ app, write, request, params: { user_id } }, exchange) {
    requireDevelopment(app, request)
    const open = requireActiveRealm(write)
    const user = open.realm.state.users.get(user_id)
    return startSession(open, requireActiveAccount(user?.is_bot === true ? undefined : user), request, exchange)
  },
})

export const getCurrentSession = endpoint({
  method: 'GET',
  path: '/sessions/current',
  summary: "Tells with which account the browser's session acts.",
  callers: 'human',
  params: {},
  noExample: 'It needs the cookie of a browser.',
  response: currentSession,
  errors: [errors.noSession],
  handle({ caller }) {
    const { csrf_token } = requireSession(caller)
    return { user_id: caller.id, email: caller.user.delivery_email, csrf_token }
  },
})

export const getSessionState = endpoint({
  method: 'GET',
  path: '/sessions/state',
  summary:
    'Tells whether the browser has a session, also where it has none: a page asks this before it shows a log-in.',
  callers: 'anyone',
  params: {},
  noExample: 'It tells of the cookie of a browser.',
  response: z.object({
    is_logged_in: z.boolean().describe('whether GET /sessions/current would name an account'),
    second_factor: z
      .enum(['code', 'enrolment'])
      .nullable()
      .describe('what a log-in that this browser has begun needs besides; null: it has begun none'),
    has_demo_accounts: z.boolean().describe('whether GET /sessions/demo lists accounts'),
    is_realm_active: z.boolean().describe('false: the organization is deactivated, and nobody can log in'),
  }),
  errors: [errors.nonexistentSubdomain, errors.foreignPage],
  handle({ app, write, request }) {
    if (write === undefined) throw errors.nonexistentSubdomain()
    return {
      is_logged_in: request.session !== undefined && hasSession(write.realm, request.session),
      second_factor: findHalf(write.realm, request.logInFlow, secondsNow())?.needs ?? null,
      has_demo_accounts: refuseDevelopmentLogin(app, request) === undefined,
      is_realm_active: write.realm.state.realm.is_active,
    }
  },
})

export const getSessions = endpoint({
  method: 'GET',
  path: '/sessions',
  summary: 'Lists the sessions of the account, in which browsers are logged in.',
  callers: 'human',
  params: {},
  response: z.object({
    sessions: z.array(
      z.object({
        id: z.int(),
        created_at: z.int().describe('UNIX seconds'),
        last_used_at: z.int().describe('UNIX seconds; up to a minute late'),
        ip: z.string().describe('the address from which the session began'),
        user_agent: z.string().describe('the program that began the session'),
        is_current: z.boolean(),
      }),
    ),
  }),
  async handle({ app, caller, realm, state }) {
    const sessions = validSessions(state, caller.id, secondsNow())
    const ids = sessions.map(({ id }) => id)
    const uses = await loadSessionUses(app.store.sql, realm.id, ids)
    return {
      sessions: sessions.map(({ id, created_at }) => {
        const { last_used_at = created_at, ip = '', user_agent = '' } = uses.get(id) ?? {}
        return { id, created_at, last_used_at, ip, user_agent, is_current: id === caller.session?.id }
      }),
    }
  },
})

export const endCurrentSession = streamed({
  method: 'DELETE',
  path: '/sessions/current',
  summary: "Logs the browser out: ends its session, and closes the session's connections.",
  callers: 'human',
  keyScope: 'none',
  params: {},
  noExample: 'It needs the cookie of a browser.',
  response: z.object({
    log_out_url: z.string().optional().describe('what the browser opens next: it ends the session at the provider'),
  }),
  errors: [errors.noSession],
  headers: ['accept'],
  changesStructure: true,
  prepare: ({ app, caller, realm }) => findLogOutUrl(app, realm, requireSession(caller).id),
  async handle({ caller, write, prepared: log_out_url }, exchange) {
    await endSession(caller, write, requireSession(caller).id)
    exchange.addHeaders({ 'Set-Cookie': composeEndedCookie(exchange.isSecure) })
    return log_out_url === undefined ? {} : { log_out_url }
  },
})

export const endOtherSession = endpoint({
  method: 'DELETE',
  path: '/sessions/{session_id}',
  summary: 'Ends a session of the account, and closes its connections.',
  callers: 'human',
  keyScope: 'none',
  params: { session_id: idInPath() },
  response: z.object({}),
  errors: [errors.noSuchSession],
  changesStructure: true,
  async handle({ caller, write, params: { session_id } }) {
    await endSession(caller, write, session_id)
    return {}
  },
})

/** Whether a cookie is that of a session. Throws a 403 for a page of another origin. */
const hasSession = (realm: Realm, credentials: SessionCredentials): boolean => {
  try {
    authenticateSession(realm, credentials, false, secondsNow())
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}

/** The address that ends the session at the provider with which it began; undefined: there is none. */
const findLogOutUrl = async (
  { config, providers, samlProviders, store }: App,
  { id, state }: Realm,
  session_id: number,
): Promise<string | undefined> => {
  const began = await loadProviderSession(store.sql, id, session_id)
  const method = began && openMethods(config, state).find(({ key }) => key === began.method)
  if (began?.sealed_id_token == null || method?.options.ends_provider_session !== true) return undefined
  const token = state.deployment.keys.openFor('id-token', began.sealed_id_token)
  if (token === undefined) return undefined
  const realm_url = realmUrl(state.realm.string_id, config)
  if (method.kind === 'oidc') return providers.composeLogOutUrl(method, token, `${realm_url}/`)
  return samlProviders.composeLogOutUrl(method, composeServiceUrls(realm_url, method.key), token)
}

const requireSession = ({ session }: Caller) => {
  if (session === undefined) throw errors.noSession()
  return session
}

const endSession = async (caller: Caller, write: WriteContext, session_id: number): Promise<void> => {
  const session = write.realm.state.sessions.get(session_id)
  if (session?.user_id !== caller.id) throw errors.noSuchSession()
  await removeSessions(write, [session])
}

/**
 * Begins a session of an account, and sets its cookie. The credentials of the account were verified. A session that the
 * browser had before ends. Throws
 * AUTHENTICATION_FAILED when the credentials were changed meanwhile, and USER_DEACTIVATED.
 */
export const startSession = async (
  open: WriteContext,
  user: UserRow,
  request: CallRequest,
  exchange: HttpExchange,
  more?: WithSession,
): Promise<z.infer<typeof currentSession>> => {
  const now = secondsNow()
  const token = await open.withStructureLock(async (write) => {
    const { realm } = write
    // Read again, because the account may have changed after its credentials were verified.
    const present = requireActiveAccount(realm.state.users.get(user.id))
    if (present.key_version !== user.key_version) throw errors.authenticationFailed()
    const { ip, userAgent: user_agent } = request
    return storeSession(
      write,
      user.id,
      { now, ip, user_agent, replaced: findBrowserSession(realm, request, now) },
      more,
    )
  })
  exchange.addHeaders({ 'Set-Cookie': composeSessionCookie(token, exchange.isSecure) })
  return { user_id: user.id, email: user.delivery_email, csrf_token: deriveCsrfToken(token) }
}

/** The id of the session that the browser has. It is undefined when there is none, or when it has ended. */
export const findBrowserSession = (realm: Realm, { session }: CallRequest, now: number): number | undefined => {
  if (session === undefined) return undefined
  try {
    return authenticateSession(realm, session, false, now).session.id
  } catch {
    // The cookie is of a session that has ended.
    return undefined
  }
}

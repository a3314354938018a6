/**
 * Log-in with the account of a provider: the addresses to which the browser is led.
 *
 * 1. The browser is led to the provider and back. What happens then depends on who began it: the page gets a session, a
 *    mobile app its API key, a desktop app a token that the user carries to it, and a user who is logged in a linked
 *    identity.
 * 2. The code of the answer is exchanged once, before the handler, which may run again (`prepare`).
 * 3. A log-in that fails after the provider has answered is in the audit log, a bounded number of times an hour.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { realmUrl } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { type ExternalUser, hasSecondFactorThere } from '../../../domain/log-in/external-log-in.js'
import { type LogInMethod, logInPath } from '../../../domain/log-in/methods.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { linkExternalUser, resolveExternalUser } from '../../../store/log-in/external-accounts.js'
import { recordLogInAct } from '../../../store/log-in/log-in-acts.js'
import { insertProviderSession, type ProviderSession } from '../../../store/log-in/provider-sessions.js'
import { takeSamlAnswer } from '../../../store/log-in/saml-answers.js'
import { markTokenUsed } from '../../../store/users/used-tokens.js'
import { composeLogInCookie } from '../../auth/session-cookie.js'
import { streamed } from '../../call/endpoint.js'
import { str, textInPath } from '../../call/params.js'
import type { App } from '../../contract/app.js'
import type { CallRequest } from '../../contract/call-request.js'
import type { HttpExchange } from '../../contract/transport.js'
import {
  FLOW_SECONDS,
  hashOnce,
  type LogInFlow,
  type LogInPurpose,
  openFlow,
  openTicket,
  sealFlow,
  validateNext,
  validatePad,
} from '../../log-in/log-in-flow.js'
import { requireMethod } from '../../log-in/open-methods.js'
import type { SamlAnswer } from '../../log-in/saml.js'
import { composeServiceUrls } from '../../log-in/saml-messages.js'
import { holdForSecondFactor } from '../../second-factor/half-log-in.js'
import { noteLogin, requireActiveAccount, requireActiveRealm } from '../accounts/log-in-checks.js'
import { composeNewcomer } from '../accounts/newcomer.js'
import { currentSession, findBrowserSession, startSession } from '../accounts/sessions.js'
import { endLogIn, findSecondHalf, lead } from './log-in-end.js'

const method = textInPath().describe('the key of the method')

export const beginExternalLogIn = streamed({
  method: 'GET',
  path: ['/accounts/login/external/{method}', '/accounts/login/external/{method}/'],
  site: true,
  callers: 'anyone',
  summary: 'Leads the browser to a provider, where the user logs in.',
  params: {
    method,
    mobile_flow_otp: str().optional().describe('a one-time pad of a mobile app, which then gets the API key'),
    desktop_flow_otp: str().optional().describe('a one-time pad of a desktop app, to which the user carries a token'),
    next: str().default('/').describe('what the browser opens afterwards: a path of this server'),
  },
  response: z.object({}),
  async handle({ app, write, params }, exchange) {
    const open = requireActiveRealm(write)
    const purpose = composePurpose(params)
    return lead(exchange, await beginFlow(app, open, params.method, purpose, exchange))
  },
})

const composePurpose = (input: {
  mobile_flow_otp: string | undefined
  desktop_flow_otp: string | undefined
  next: string
}): LogInPurpose => {
  const { mobile_flow_otp, desktop_flow_otp, next } = input
  if (mobile_flow_otp !== undefined) return { kind: 'mobile', otp: validatePad(mobile_flow_otp) }
  if (desktop_flow_otp !== undefined) return { kind: 'desktop', otp: validatePad(desktop_flow_otp) }
  return { kind: 'session', next: validateNext(next) }
}

/** Begins a log-in, and sets its cookie. @returns the address of the provider. Throws BAD_REQUEST. */
export const beginFlow = async (
  { config, providers, samlProviders }: App,
  { realm: { id: realm_id, state } }: WriteContext,
  key: string,
  purpose: LogInPurpose,
  exchange: HttpExchange,
): Promise<string> => {
  const found = requireMethod(config, state, key)
  const realm_url = realmUrl(state.realm.string_id, config)
  const { url, checks } =
    found.kind === 'oidc'
      ? await providers.begin(found, callbackUrl(realm_url, key))
      : await samlProviders.begin(found, composeServiceUrls(realm_url, key))
  const flow = { realm_id, method: key, checks, purpose, expires_at: secondsNow() + FLOW_SECONDS }
  const sealed = sealFlow(state.deployment.keys, flow)
  exchange.addHeaders({ 'Set-Cookie': composeLogInCookie(sealed, FLOW_SECONDS, exchange.isSecure) })
  return url
}

/** The address to which a provider sends the browser back. */
export const callbackUrl = (realm_url: string, key: string): string => `${realm_url}${logInPath(key)}/callback`

interface Answered {
  found: LogInMethod
  flow: LogInFlow
  external: ExternalUser
}

export const finishExternalLogIn = streamed({
  method: 'GET',
  path: '/accounts/login/external/{method}/callback',
  site: true,
  callers: 'anyone',
  summary: 'Ends the log-in of a user whom a provider has sent back.',
  condition: 'Only the browser that began the log-in ends it.',
  params: {
    method,
    state: str().default(''),
    code: str().default(''),
    error: str().optional(),
    error_description: str().optional(),
    iss: str().optional(),
    session_state: str().optional(),
    scope: str().optional(),
  },
  response: z.object({}),
  errors: [errors.userDeactivated, errors.authenticationFailed, errors.realmIsDeactivated],
  prepare: ({ app, write, params, request }): Promise<Answered> =>
    readAnswer(app, requireActiveRealm(write), params.method, request),
  async handle({ app, write, request, prepared }, exchange) {
    const open = requireActiveRealm(write)
    const { found, external, flow } = prepared
    const { purpose } = flow
    return recordingFailure(app, open, found, external.email, request, async () => {
      if (purpose.kind === 'link') {
        const session_id = findBrowserSession(open.realm, request, secondsNow())
        if (session_id !== purpose.session_id) throw errors.noSession()
        await linkExternalUser(open, { user_id: purpose.user_id, address: request.ip }, found, external)
        return lead(exchange, '/#settings/linked-accounts')
      }
      const user = await enter(app, open, found, external, request)
      const end = { purpose, provider: composeProviderSession(open, found, external) }
      const need = hasSecondFactorThere(found, external)
        ? undefined
        : await holdForSecondFactor(open, user, end, exchange)
      if (need !== undefined) return lead(exchange, findSecondHalf(need, purpose))
      return endLogIn(app, open, user, end, request, exchange)
    })
  },
})

/** What the provider says about the user whom it has sent back. Throws BAD_REQUEST. */
const readAnswer = async (app: App, open: WriteContext, key: string, request: CallRequest): Promise<Answered> => {
  const { realm } = open
  const { keys } = realm.state.deployment
  const now = secondsNow()
  const found = requireMethod(app.config, realm.state, key)
  const flow = openFlow(keys, request.logInFlow, { realm_id: realm.id, method: key, now })
  return recordingFailure(app, open, found, '', request, async () => {
    const { state } = flow.checks
    if (request.fields.state !== state) throw errors.badRequest('This log-in did not begin in this browser.')
    const used = { token_hash: hashOnce(flow.checks.state), expires_at: flow.expires_at }
    if (!(await markTokenUsed(app.store.sql, realm.id, used, now))) {
      throw errors.badRequest('This log-in has ended already. Begin again.')
    }
    const answer = new URL(callbackUrl(realmUrl(realm.state.realm.string_id, app.config), key))
    for (const [name, value] of Object.entries(request.fields)) answer.searchParams.set(name, String(value))
    if (found.kind === 'oidc') return { found, flow, external: await app.providers.finish(found, answer, flow.checks) }
    return { found, flow, external: await takeSamlUser(app, realm, found, String(request.fields.code), flow) }
  })
}

/** The user whom the provider's answer has named, which this browser carries (saml.ts). Throws BAD_REQUEST. */
const takeSamlUser = async (
  app: App,
  { id, state }: WriteContext['realm'],
  { key }: LogInMethod,
  code: string,
  { checks }: LogInFlow,
): Promise<ExternalUser> => {
  const taken = await takeSamlAnswer(app.store.sql, id, hashOnce(code), secondsNow())
  const text = taken?.method === key ? state.deployment.keys.openFor('log-in-answer', taken.sealed_answer) : undefined
  if (text === undefined) throw errors.badRequest('This log-in has ended already. Begin again.')
  const { external, in_response_to } = JSON.parse(text) as Omit<SamlAnswer, 'used'>
  if (in_response_to !== checks.nonce) throw errors.badRequest('This log-in did not begin in this browser.')
  return external
}

const enter = async (
  app: App,
  open: WriteContext,
  found: LogInMethod,
  external: ExternalUser,
  request: CallRequest,
): Promise<UserRow> => {
  const user_id = await resolveExternalUser(open, composeNewcomer(app, open.realm, request), found, external)
  return requireActiveAccount(open.realm.state.users.get(user_id))
}

const composeProviderSession = (
  { realm }: WriteContext,
  { options }: LogInMethod,
  { method, issuer, subject, sid, idToken }: ExternalUser,
): ProviderSession => {
  const isKept = options.ends_provider_session && idToken.length <= LONGEST_ID_TOKEN
  const sealed_id_token = isKept ? realm.state.deployment.keys.sealFor('id-token', idToken) : null
  return { method, issuer, subject, sid, sealed_id_token }
}

/** An address with it must fit into what servers accept. */
const LONGEST_ID_TOKEN = 4_000

export const createSessionFromTicket = streamed({
  method: 'POST',
  path: '/sessions/external',
  summary: 'Logs a desktop app in with the token that its user carried to it from the browser.',
  callers: 'anyone',
  params: { token: str({ max: 8_000 }).describe('valid for two minutes, and once') },
  noExample: 'It needs a log-in with a provider.',
  response: currentSession,
  errors: [errors.authenticationFailed, errors.userDeactivated, errors.realmIsDeactivated, errors.nonexistentSubdomain],
  barrier: true,
  headers: ['accept'],
  async handle({ app, write, request, params: { token } }, exchange) {
    if (request.isFromForeignPage) throw errors.foreignPage()
    const open = requireActiveRealm(write)
    const { realm } = open
    const now = secondsNow()
    const ticket = openTicket(realm.state.deployment.keys, token, realm.id, now)
    requireMethod(app.config, realm.state, ticket.provider.method)
    const used = { token_hash: hashOnce(ticket.id), expires_at: ticket.expires_at }
    if (!(await markTokenUsed(app.store.sql, realm.id, used, now))) {
      throw errors.badRequest('This token is not valid any more. Log in again.')
    }
    const user = requireActiveAccount(realm.state.users.get(ticket.user_id))
    if (user.key_version !== ticket.key_version) throw errors.authenticationFailed()
    const session = await startSession(open, user, request, exchange, {
      besides: (tx, id) => [insertProviderSession(tx, realm.id, id, ticket.provider)],
    })
    await noteLogin(app, open, user, request)
    return session
  },
})

/** Runs a step of a log-in. A refusal is recorded in the audit log (3). */
export const recordingFailure = async <T>(
  app: App,
  { realm }: WriteContext,
  found: LogInMethod,
  email: string,
  { ip: address, action }: Pick<CallRequest, 'ip'> & { action?: string },
  run: () => Promise<T>,
): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const allowance = await app.allowances.consume('failed_log_ins_by_realm', String(realm.id))
    if (allowance?.retry_after === undefined) {
      const refusal = { user_id: null, result: 'refused', reason: error.message, email } as const
      const at = action === undefined ? { address } : { address, action }
      await recordLogInAct(app.store.sql, realm.id, at, found, refusal)
    }
    throw error
  }
}

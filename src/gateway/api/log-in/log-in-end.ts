/** The end of a log-in in a browser: it gets a session, or leads to the app for which the user has logged in. */
import { randomUUID } from 'node:crypto'
import { secondsNow } from '#rules/time.js'
import { realmUrl } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { insertProviderSession, type ProviderSession } from '../../../store/log-in/provider-sessions.js'
import { streaming } from '../../call/endpoint.js'
import type { App } from '../../contract/app.js'
import type { CallRequest } from '../../contract/call-request.js'
import type { HttpExchange } from '../../contract/transport.js'
import { composeMobileAddress, encryptForDesktop, sealTicket, TICKET_SECONDS } from '../../log-in/log-in-flow.js'
import { answerTexts } from '../../pages/page-texts.js'
import type { HalfLogIn, LogInEnd } from '../../second-factor/half-log-in.js'
import { renderDesktopTokenPage } from '../accounts/account-pages.js'
import { noteLogin } from '../accounts/log-in-checks.js'
import { replyWithPage } from '../accounts/page-replies.js'
import { startSession } from '../accounts/sessions.js'

/** The page that asks for the second factor. */
export const SECOND_HALF_PATH = '/accounts/login/second_factor'

/** Where a log-in goes on. The web client sets a second factor up, the page asks for its code. */
export const findSecondHalf = (needs: HalfLogIn['needs'], purpose: HalfLogIn['purpose']): string =>
  needs === 'enrolment' && purpose.kind === 'session' ? '/' : SECOND_HALF_PATH

/** Leads the browser to another address. */
export const lead = (exchange: HttpExchange, location: string, status: 302 | 303 = 302) => {
  exchange.reply(status, { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }, '')
  return streaming
}

/** How a log-in in a browser ends. */
export interface LogInEnding {
  /** how the browser is led on, for a GET: 302; after a form, 303 */
  readonly status?: 302 | 303
  /** answers with the address of a mobile app; without it, the browser is led there */
  showAppAddress?(address: string): typeof streaming
}

/**
 * Ends a log-in whose every check is done. Throws AUTHENTICATION_FAILED when the credentials were changed meanwhile,
 * and USER_DEACTIVATED.
 */
export const endLogIn = async (
  app: App,
  open: WriteContext,
  user: UserRow,
  { purpose, provider }: LogInEnd,
  request: CallRequest,
  exchange: HttpExchange,
  { status = 302, showAppAddress = (address) => lead(exchange, address, status) }: LogInEnding = {},
) => {
  if (purpose.kind === 'mobile') return showAppAddress(composeAppAddress(app, open, user, purpose.otp))
  if (purpose.kind === 'desktop') return replyToDesktopApp(open, user, provider, purpose.otp, exchange)
  await beginSession(app, open, user, provider, request, exchange)
  return lead(exchange, purpose.next, status)
}

/** Begins the session of a log-in, perhaps with a provider. Throws what `startSession` throws. */
export const beginSession = async (
  app: App,
  open: WriteContext,
  user: UserRow,
  provider: ProviderSession | undefined,
  request: CallRequest,
  exchange: HttpExchange,
) => {
  const { id: realm_id } = open.realm
  const session = await startSession(open, user, request, exchange, {
    besides: (tx, id) => (provider === undefined ? [] : [insertProviderSession(tx, realm_id, id, provider)]),
  })
  await noteLogin(app, open, user, request)
  return session
}

const composeAppAddress = (
  app: App,
  { realm }: WriteContext,
  { id: user_id, delivery_email: email, key_version }: UserRow,
  otp: string,
): string => {
  const { deployment, realm: row } = realm.state
  const api_key = deployment.keys.apiKey(realm.id, user_id, key_version)
  const realm_url = realmUrl(row.string_id, app.config)
  return composeMobileAddress(otp, { realm_url, email, user_id, api_key })
}

const replyToDesktopApp = (
  { realm }: WriteContext,
  { id: user_id, key_version }: UserRow,
  provider: ProviderSession | undefined,
  otp: string,
  exchange: HttpExchange,
) => {
  if (provider === undefined) throw new Error('a desktop app gets a token after the log-in with a provider only')
  const expires_at = secondsNow() + TICKET_SECONDS
  const ticket = { id: randomUUID(), realm_id: realm.id, user_id, key_version, expires_at, provider }
  const token = encryptForDesktop(otp, sealTicket(realm.state.deployment.keys, ticket))
  return replyWithPage(exchange, 200, renderDesktopTokenPage(answerTexts(exchange, realm), token))
}

/**
 * What a SAML provider calls and opens: our metadata, answers to log-ins, and requests to log out.
 *
 * 1. A browser sends no cookie with the form by which a provider answers (SameSite=Lax). So the answer is verified
 *    and kept, and the browser is led to the end of the log-in (external-log-in.ts) with a code, by a link: there the
 *    cookie says that this browser made the request to which the provider answers.
 * 2. An assertion counts once, in whichever gateway: its identifier is marked as used (store/users/used-tokens.ts).
 * 3. A log-in that begins at the provider is refused, unless the owner permits it. Then it only begins a log-in here:
 *    the provider, at which the user is logged in, answers at once. So no page logs a browser in with a foreign
 *    assertion.
 * 4. A request to log out ends the sessions that it names. The browser is led back with the answer.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { realmUrl } from '../../../config/hosts.js'
import { logInPath, type MethodOf } from '../../../domain/log-in/methods.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { storeSamlAnswer } from '../../../store/log-in/saml-answers.js'
import { markTokenUsed } from '../../../store/users/used-tokens.js'
import { streamed, streaming } from '../../call/endpoint.js'
import { str, textInPath } from '../../call/params.js'
import type { App } from '../../contract/app.js'
import type { HttpExchange } from '../../contract/transport.js'
import { hashOnce, validateNext } from '../../log-in/log-in-flow.js'
import { requireMethodOf } from '../../log-in/open-methods.js'
import { LONGEST_MESSAGE } from '../../log-in/saml-documents.js'
import { composeServiceUrls, type LogOutMessage, type ServiceUrls } from '../../log-in/saml-messages.js'
import { requireActiveRealm } from '../accounts/log-in-checks.js'
import { callbackUrl, recordingFailure } from './external-log-in.js'
import { endProviderSessions, replyEmpty } from './provider-log-out.js'

const method = textInPath().describe('the key of the method')
const message = str({ max: LONGEST_MESSAGE })
const relayState = str({ max: 2_000 }).default('').describe('what the other side wants back')

/** How long the browser may take from the answer to the end of the log-in. */
const ANSWER_SECONDS = 120

const findMethod = (app: App, write: WriteContext | undefined, key: string) => {
  const open = requireActiveRealm(write)
  const { state } = open.realm
  const realm_url = realmUrl(state.realm.string_id, app.config)
  return {
    open,
    realm_url,
    found: requireMethodOf(app.config, state, key, 'saml'),
    urls: composeServiceUrls(realm_url, key),
  }
}

/** Leads the browser on with a GET, whatever it sent. */
const leadOn = (exchange: HttpExchange, location: string) => {
  exchange.reply(303, { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }, '')
  return streaming
}

export const getSamlMetadata = streamed({
  method: 'GET',
  path: '/accounts/login/external/{method}/metadata',
  site: true,
  callers: 'anyone',
  summary: 'Describes this server to a SAML provider, in XML.',
  params: { method },
  response: z.object({}),
  errors: [errors.realmIsDeactivated],
  headers: ['accept'],
  handle({ app, write, params }, exchange) {
    const { found, urls } = findMethod(app, write, params.method)
    const xml = app.samlProviders.composeMetadata(found, urls)
    exchange.reply(200, { 'Content-Type': 'application/samlmetadata+xml', 'Cache-Control': 'no-store' }, xml)
    return streaming
  },
})

export const receiveSamlAnswer = streamed({
  method: 'POST',
  path: '/accounts/login/external/{method}/acs',
  site: true,
  callers: 'anyone',
  summary: 'Receives the answer of a SAML provider, and leads the browser to the end of its log-in.',
  params: { method, SAMLResponse: message.describe('the answer, signed by the provider'), RelayState: relayState },
  response: z.object({}),
  errors: [errors.authenticationFailed, errors.realmIsDeactivated],
  headers: ['accept'],
  async prepare({ app, write, request, params }): Promise<string> {
    const { open, realm_url, found, urls } = findMethod(app, write, params.method)
    const acting = { ip: request.ip, action: 'POST /accounts/login/external/{method}/acs' }
    return recordingFailure(app, open, found, '', acting, () =>
      keepAnswer(app, open, found, { urls, realm_url, answer: params.SAMLResponse, relay_state: params.RelayState }),
    )
  },
  handle: ({ prepared }, exchange) => leadOn(exchange, prepared),
})

/** Verifies an answer and keeps it (1, 2, 3). @returns the address to open next. Throws BAD_REQUEST. */
const keepAnswer = async (
  { samlProviders, store }: App,
  { realm: { id, state } }: WriteContext,
  found: MethodOf<'saml'>,
  given: { urls: ServiceUrls; realm_url: string; answer: string; relay_state: string },
): Promise<string> => {
  const { urls, realm_url, answer, relay_state } = given
  const { external, in_response_to, used } = await samlProviders.verifyAnswer(found, urls, answer)
  if (in_response_to === undefined) {
    if (!found.options.starts_at_provider) {
      throw errors.badRequest('Begin the log-in here, and not at {provider}.', { provider: found.name })
    }
    return `${realm_url}${logInPath(found.key)}?${new URLSearchParams({ next: validateNext(relay_state) })}`
  }
  const now = secondsNow()
  if (!(await markTokenUsed(store.sql, id, used, now))) {
    throw errors.badRequest('This log-in has ended already. Begin again.')
  }
  const code = randomBytes(32).toString('base64url')
  const sealed_answer = state.deployment.keys.sealFor('log-in-answer', JSON.stringify({ external, in_response_to }))
  const stored = { code_hash: hashOnce(code), method: found.key, sealed_answer, expires_at: now + ANSWER_SECONDS }
  await storeSamlAnswer(store.sql, id, stored, now)
  return `${callbackUrl(realm_url, found.key)}?${new URLSearchParams({ code, state: relay_state })}`
}

const logOutParams = {
  method,
  SAMLRequest: message.optional().describe('a request of the provider to log out'),
  SAMLResponse: message
    .optional()
    .describe('the answer to a request of this server, which has ended the session already'),
  RelayState: relayState,
}

export const logOutWithSaml = streamed({
  method: 'GET',
  path: '/accounts/login/external/{method}/slo',
  site: true,
  callers: 'anyone',
  summary: 'A SAML provider ends the sessions of a user who logged out there, or answers to a log-out here.',
  params: {
    ...logOutParams,
    SigAlg: str({ max: 200 }).optional(),
    Signature: str({ max: 4_000 }).optional().describe('of the provider, for the address'),
  },
  response: z.object({}),
  errors: [errors.realmIsDeactivated],
  headers: ['accept'],
  prepare: ({ app, write, request, params }) =>
    params.SAMLRequest === undefined ? undefined : endNamed(app, write, params.method, { query: request.query }),
  handle: ({ params, prepared }, exchange) => replyToLogOut(exchange, params.SAMLRequest, prepared),
})

export const postSamlLogOut = streamed({
  method: 'POST',
  path: '/accounts/login/external/{method}/slo',
  site: true,
  callers: 'anyone',
  summary: 'As the GET, with a form.',
  params: logOutParams,
  response: z.object({}),
  errors: [errors.realmIsDeactivated],
  headers: ['accept'],
  prepare({ app, write, params }) {
    const { method, SAMLRequest: form, RelayState: relay_state } = params
    return form === undefined ? undefined : endNamed(app, write, method, { form, relay_state })
  },
  handle: ({ params, prepared }, exchange) => replyToLogOut(exchange, params.SAMLRequest, prepared),
})

/** Ends the sessions that a request names (4). @returns the address that tells the provider. Throws BAD_REQUEST. */
const endNamed = async (
  app: App,
  write: WriteContext | undefined,
  key: string,
  message: LogOutMessage,
): Promise<string | undefined> => {
  const { open, found, urls } = findMethod(app, write, key)
  const verified = await app.samlProviders.verifyLogOut(found, urls, message)
  if (!(await markTokenUsed(app.store.sql, open.realm.id, verified.used, secondsNow()))) {
    throw errors.badRequest('This request to log out was used before.')
  }
  const { issuer, name_id, session_indexes } = verified
  // With an attribute as the subject, the NameID is not stored, and the session at the provider must be named.
  const subject = found.options.subject_attribute === '' ? { subject: name_id } : {}
  const named = session_indexes.length === 0 ? [subject] : session_indexes.map((sid) => ({ ...subject, sid }))
  for (const session of named) await endProviderSessions(open, { method: key, issuer, ...session })
  return verified.answer()
}

const replyToLogOut = (exchange: HttpExchange, request: string | undefined, answer: string | undefined) => {
  if (request === undefined) return leadOn(exchange, '/')
  return answer === undefined ? replyEmpty(exchange) : leadOn(exchange, answer)
}

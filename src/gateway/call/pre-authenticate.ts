/**
 * Authenticates callers before there is a call: before a large body is received, and for the handshake of a socket.
 *
 * 1. The caller of a request with a large body is authenticated and counted before the body is received. The call
 *    itself authenticates again, because minutes may have passed, and is not counted again.
 */

import type { UserRow } from '../../domain/log/rows.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { accountTexts } from '../../domain/readers/reader-texts.js'
import { SMALL_BODY_BYTES } from '../body/request-body.js'
import type { CallRequest, PreAuthentication } from '../contract/call-request.js'
import type { Caller } from '../contract/caller.js'
import type { HttpExchange } from '../contract/transport.js'
import { authenticateCaller, type Credentials } from './authenticate.js'
import { requireAccess } from './check-access.js'
import { type CountedCall, countCall, countFailure, requireAllowance } from './count.js'
import type { Endpoint } from './endpoint.js'
import { findRealm, missingRealmError, requireNotMoving } from './find-realm.js'
import { retryOnConflict } from './retry-on-conflict.js'
import type { PipelineParts } from './running-call.js'
import { composeUnexpectedError, isUnexpected } from './unexpected-error.js'

/**
 * `preAuthenticate` of the pipeline (call.ts). Throws the errors of protocol/errors.md 4, RATE_LIMIT_HIT and
 * CONTENT_TOO_LARGE.
 */
export const preAuthenticate = async (
  parts: PipelineParts,
  name: string,
  endpoint: Endpoint | undefined,
  request: CallRequest,
  exchange: HttpExchange,
): Promise<PreAuthentication> => {
  const began = performance.now()
  const found: FoundCaller = { user: undefined }
  try {
    return await preAuthenticateCaller(parts, endpoint, request, exchange, found)
  } catch (error) {
    const isOfCatalogue = error instanceof ApiError
    const refusal = isOfCatalogue ? await countFailure(parts, error, request) : composeUnexpectedError(error)
    if (found.user !== undefined) refusal.reader = accountTexts(found.user)
    const milliseconds = performance.now() - began
    const unexpected = isOfCatalogue || !isUnexpected(error) ? undefined : error
    parts.hooks.observe({
      name,
      request,
      status: refusal.status,
      milliseconds,
      refusal,
      user_id: undefined,
      unexpected,
    })
    throw refusal
  }
}

/** The account that was authenticated. The request may be refused afterwards. */
interface FoundCaller {
  user: UserRow | undefined
}

const preAuthenticateCaller = async (
  parts: PipelineParts,
  endpoint: Endpoint | undefined,
  request: CallRequest,
  exchange: HttpExchange,
  found: FoundCaller,
): Promise<PreAuthentication> => {
  const hasNone = request.authorization === '' && request.session === undefined
  const needsNone = endpoint?.callers === 'anyone' || (endpoint?.callers === 'spectator' && hasNone)
  if (needsNone) throw errors.bodyTooLargeWithoutCredentials({ limit: SMALL_BODY_BYTES })
  const realm = await findRealm(parts, request.host)
  if (realm === undefined) throw missingRealmError(parts, request.host)
  const rateClass = endpoint?.rateLimit ?? undefined
  const counted: CountedCall = { parts, realm, user_id: undefined, request, isCounted: false }
  const caller = await retryOnConflict(realm, false, async () => {
    requireNotMoving(realm)
    const authenticated = authenticateCaller(parts, realm, request, endpoint?.method !== 'GET')
    found.user = authenticated.user
    if (endpoint === undefined) return authenticated
    counted.user_id = authenticated.id
    if (rateClass !== undefined && !counted.isCounted) requireAllowance(await countCall(counted, rateClass), exchange)
    requireAccess(endpoint, authenticated)
    return authenticated
  })
  return { account: `${realm.id}:${caller.id}`, countedAs: counted.isCounted ? rateClass : undefined }
}

/** `identify` of the pipeline (call.ts). Throws the errors of protocol/errors.md 4, and RATE_LIMIT_HIT. */
export const identify = async (parts: PipelineParts, request: Credentials): Promise<Caller> => {
  const realm = await findRealm(parts, request.host)
  if (realm === undefined) throw missingRealmError(parts, request.host)
  const authenticated = retryOnConflict(realm, false, async () => {
    requireNotMoving(realm)
    return authenticateCaller(parts, realm, request, false)
  })
  const caller = await authenticated.catch(async (error: unknown) => {
    throw error instanceof ApiError ? await countFailure(parts, error, request) : error
  })
  const allowance = await parts.hooks.rateLimit({ rateClass: 'events', realm, user_id: caller.id, request })
  const { retry_after } = allowance ?? {}
  if (retry_after !== undefined) {
    const refusal = errors.rateLimitHit({ 'retry-after': retry_after })
    refusal.reader = accountTexts(caller.user)
    throw refusal
  }
  return caller
}

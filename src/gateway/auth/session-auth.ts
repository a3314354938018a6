/**
 * Authenticates requests by the session cookie of a browser (session-cookie.ts).
 *
 * A verified token is cached with the session's row, as in basic-auth.ts: rows are immutable, so while the state holds
 * the same row, the token is still that of the session.
 */

import { timingSafeEqual } from 'node:crypto'
import { OwnedKey } from '../../domain/log/owned-values.js'
import type { SessionRow, UserRow } from '../../domain/log/rows.js'
import { errors } from '../../domain/protocol/errors.js'
import { isValidSession } from '../../domain/users/accounts/sessions.js'
import type { Realm } from '../../store/log/realm.js'
import { hashToken } from '../../store/users/sessions.js'
import type { SessionCredentials } from '../contract/call-request.js'
import type { CallerSession } from '../contract/caller.js'
import { deriveCsrfToken } from './session-cookie.js'

interface VerifiedToken {
  readonly row: SessionRow
  readonly csrf_token: string
}

/** Cached tokens per realm. A further one evicts the oldest, which is hashed again when it comes again. */
const MAX_CACHED_TOKENS = 20_000
const verifiedTokensKey = new OwnedKey<Map<string, VerifiedToken>>('session_tokens', ({ size }) => size)

/**
 * The account and the session of a session cookie.
 * @param changes whether the call can change something: it must then prove that a page of this origin makes it
 * Throws a 403 for a page of another origin, UNAUTHORIZED when the session has ended, and CSRF_FAILED.
 */
export const authenticateSession = (
  realm: Realm,
  credentials: SessionCredentials,
  changes: boolean,
  now: number,
): { user: UserRow; session: CallerSession } => {
  if (credentials.isForeign) throw errors.foreignPage()
  const found = findToken(realm, credentials.token)
  const user = found && realm.state.users.get(found.row.user_id)
  if (found === undefined || user === undefined || !isValidSession(realm.state, found.row, now)) {
    throw errors.sessionEnded()
  }
  if (!realm.state.realm.is_active) throw errors.realmDeactivated()
  const { csrf_token } = found
  if (changes && !credentials.isHandshake && !isSame(credentials.csrf_token, csrf_token)) {
    const isMissing = credentials.csrf_token === ''
    throw errors.csrfFailed({
      reason: isMissing ? 'The token is missing.' : 'The token is not that of this session.',
    })
  }
  return { user, session: { id: found.row.id, csrf_token } }
}

/** Finds the session of a token. */
const findToken = (realm: Realm, token: string): VerifiedToken | undefined => {
  const cache = realm.own(verifiedTokensKey, () => new Map())
  const cached = cache.get(token)
  if (cached !== undefined && realm.state.sessions.get(cached.row.id) === cached.row) return cached
  cache.delete(token)
  const [, id, secret] = /^(\d{1,9})\.([\w-]{43})$/.exec(token) ?? []
  const row = realm.state.sessions.get(Number(id))
  if (row === undefined || secret === undefined || !isSame(hashToken(secret), row.token_hash)) return undefined
  const verified = { row, csrf_token: deriveCsrfToken(token) }
  cache.set(token, verified)
  if (cache.size > MAX_CACHED_TOKENS) cache.delete(cache.keys().next().value as string)
  return verified
}

/** Compares two texts. The time does not depend on where they differ. */
const isSame = (input: string, wanted: string): boolean => {
  const [a, b] = [Buffer.from(input), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

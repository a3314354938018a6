/**
 * JSON web tokens (RFC 7519): those by which a site that an organization trusts identifies one of the organization's
 * accounts, and those with which a provider ends sessions.
 *
 * The site and the organization share a secret. A token may be signed with HS256, HS384 or HS512, as its header says.
 * Every other algorithm is refused: `none` carries no signature, and of RS256 the public key could pass as the secret.
 *
 * A token is a password for one login: it must expire soon, and logs in once (store/users/used-tokens.ts).
 */
import { createHash } from 'node:crypto'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet, errors as joseErrors, jwtVerify } from 'jose'
import { z } from 'zod'
import { errors } from '../../domain/protocol/errors.js'

const ALGORITHMS = ['HS256', 'HS384', 'HS512']

export interface VerifiedToken {
  /** the claim `email`: the address of the account */
  email: string
  /** identifies the token */
  token_hash: Uint8Array
  /** UNIX seconds after which the token is refused */
  expires_at: number
}

/** The largest difference between the clocks of two sites, in seconds. */
const LEEWAY = 60

/** The longest time until a token expires, in seconds. */
const MAX_LIFE = 600

const Claims = z.looseObject({ exp: z.number().optional(), nbf: z.number().optional(), email: z.unknown().optional() })

/**
 * Verifies a token. Whether it was used before is not checked. Throws BAD_REQUEST when the signature, `exp` or `nbf` is
 * wrong, or `email` is missing.
 *
 * jose's `jwtVerify` is not used, because it also refuses a token whose `iat` is not a number.
 * @param secret the secret that the site and the organization share
 * @param now    UNIX seconds
 */
export const verifyToken = async (input: string, secret: string, now: number): Promise<VerifiedToken> => {
  const token = input.trim()
  const claims = Claims.safeParse(parseJson(await verifySignature(token, secret)))
  if (!claims.success) throw invalidToken()
  const { exp, nbf, email } = claims.data
  if (exp === undefined || exp > now + MAX_LIFE + LEEWAY) {
    throw errors.badRequest('The JSON web token must have an exp claim, at most 10 minutes from now.')
  }
  if (exp < now - LEEWAY || (nbf !== undefined && nbf > now + LEEWAY)) throw invalidToken()
  if (typeof email !== 'string' || email.trim() === '') {
    throw errors.badRequest('The JSON web token must have an email claim.')
  }
  // Without the signature, of which base64 has several spellings.
  const signed = token.slice(0, token.lastIndexOf('.'))
  return { email, token_hash: createHash('sha256').update(signed).digest(), expires_at: Math.ceil(exp) + LEEWAY }
}

const verifySignature = async (token: string, secret: string): Promise<Uint8Array> => {
  try {
    const { payload } = await compactVerify(token, Buffer.from(secret), { algorithms: ALGORITHMS })
    return payload
  } catch (error) {
    throw error instanceof joseErrors.JOSEError ? invalidToken() : error
  }
}

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

const invalidToken = () => errors.badRequest('This JSON web token is not one that the organization signs.')

/** What a provider's log-out token names: sessions of a subject, of one session at the provider, or of both. */
export interface LogOutToken {
  issuer: string
  subject: string | undefined
  sid: string | undefined
  /** identifies the token */
  token_hash: Uint8Array
  /** UNIX seconds after which the token is refused */
  expires_at: number
}

const LogOutClaims = z.looseObject({
  jti: z.string().min(1),
  iat: z.number(),
  sub: z.string().min(1).max(255).optional(),
  sid: z.string().min(1).max(255).optional(),
  nonce: z.never().optional(),
  events: z.looseObject({ 'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}) }),
})

/**
 * Verifies the token with which a provider ends sessions. Whether it was used before is not checked. Throws
 * BAD_REQUEST. Source: OpenID Connect Back-Channel Logout 1.0, 2.6.
 * @param provider.keys the key set that the provider publishes
 * @param provider.now  UNIX seconds
 */
export const verifyLogOutToken = async (
  input: string,
  provider: { keys: unknown; issuer: string; client_id: string; algorithms: readonly string[]; now: number },
): Promise<LogOutToken> => {
  const { keys, issuer, client_id, algorithms, now } = provider
  const verified = await jwtVerify(input, createLocalJWKSet(keys as JSONWebKeySet), {
    issuer,
    audience: client_id,
    algorithms: [...algorithms],
    clockTolerance: LEEWAY,
    maxTokenAge: MAX_LIFE,
    currentDate: new Date(now * 1000),
  }).catch((error: unknown) => {
    throw error instanceof joseErrors.JOSEError ? invalidLogOut() : error
  })
  const claims = LogOutClaims.safeParse(verified.payload)
  if (!claims.success || (claims.data.sub === undefined && claims.data.sid === undefined)) throw invalidLogOut()
  const { sub: subject, sid, iat } = claims.data
  const signed = input.slice(0, input.lastIndexOf('.'))
  const token_hash = createHash('sha256').update(signed).digest()
  return { issuer, subject, sid, token_hash, expires_at: Math.ceil(iat) + MAX_LIFE + LEEWAY }
}

const invalidLogOut = () => errors.badRequest('This is no log-out token of the provider.')

/**
 * JSON web tokens (RFC 7519) by which a site that an organization trusts identifies one of the organization's accounts.
 *
 * The site and the organization share a secret. A token may be signed with HS256, HS384 or HS512, as its header says.
 * Every other algorithm is refused: `none` carries no signature, and of RS256 the public key could pass as the secret.
 */
import { compactVerify, errors as joseErrors } from 'jose'
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'

const ALGORITHMS = ['HS256', 'HS384', 'HS512']

/** The largest difference between the clocks of two sites, in seconds. */
const LEEWAY = 60

const Claims = z.looseObject({ exp: z.number().optional(), nbf: z.number().optional(), email: z.unknown().optional() })

/**
 * Verifies a token and returns its `email` claim, the address of the account.
 *
 * jose's `jwtVerify` is not used, because it also refuses a token whose `iat` is not a number.
 * @param secret the secret that the site and the organization share
 * @param now    UNIX seconds
 * @throws BAD_REQUEST when the signature, `exp` or `nbf` is wrong, or `email` is missing
 */
export const verifyToken = async (token: string, secret: string, now: number): Promise<string> => {
  const claims = Claims.safeParse(parseJson(await verifySignature(token.trim(), secret)))
  if (!claims.success) throw invalidToken()
  const { exp, nbf, email } = claims.data
  if ((exp !== undefined && exp < now - LEEWAY) || (nbf !== undefined && nbf > now + LEEWAY)) throw invalidToken()
  if (typeof email !== 'string' || email.trim() === '') {
    throw errors.badRequest('The JSON web token must have an email claim.')
  }
  return email
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

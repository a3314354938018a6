/**
 * JSON web tokens (RFC 7519) with which a site that an organization trusts vouches for one of its accounts.
 *
 * They are signed with a secret that both know (HS256, HS384, HS512). Which of the three is the token's choice; that it
 * is one of them is not: `none`, or a public key taken for a secret, opens nothing.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { errors } from '../protocol/errors.js'

const hashes: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }

/** How far the clocks of two sites may be apart, in seconds. */
const LEEWAY = 60

const Header = z.object({ alg: z.enum(['HS256', 'HS384', 'HS512']) })
const Claims = z.looseObject({ exp: z.number().optional(), nbf: z.number().optional(), email: z.unknown().optional() })

/** The address of the account that a token vouches for. Throws BAD_REQUEST. */
export const claimedAddress = (token: string, key: string, now: number): string => {
  const [head = '', body = '', signature = '', ...more] = token.trim().split('.')
  const header = Header.safeParse(decoded(head))
  if (more.length > 0 || !header.success) throw bad()
  const expected = createHmac(hashes[header.data.alg] as string, key)
    .update(`${head}.${body}`)
    .digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw bad()
  const claims = Claims.safeParse(decoded(body))
  if (!claims.success) throw bad()
  const { exp, nbf, email } = claims.data
  if ((exp !== undefined && exp < now - LEEWAY) || (nbf !== undefined && nbf > now + LEEWAY)) throw bad()
  if (typeof email !== 'string' || email.trim() === '') {
    throw errors.badRequest('The JSON web token must have an email claim.')
  }
  return email
}

const bad = () => errors.badRequest('This JSON web token is not one that the organization signs.')

const decoded = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}

/**
 * A log-in whose first half is done: the password was right, or the provider has answered. It lacks the second factor.
 *
 * 1. Only the browser that did the first half does the second one: the half is in a cookie that scripts cannot read,
 *    encrypted. Nothing of it is stored.
 * 2. It permits nothing but the second half, for HALF_SECONDS, and ends with the password and the API key of the
 *    account (`key_version`).
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import type { Keys } from '../../domain/deployment/keys.js'
import type { UserRow } from '../../domain/log/rows.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Realm } from '../../store/log/realm.js'
import type { WriteContext } from '../../store/log/write-context.js'
import { composeLogInCookie } from '../auth/session-cookie.js'
import type { HttpExchange } from '../contract/transport.js'
import { findSecondFactorNeed } from './second-factor.js'

/** How long a user may take for the second half. */
export const HALF_SECONDS = 600

/** What follows the second half: a session of this browser, or an app takes over. */
const HalfPurpose = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), next: z.string() }),
  z.object({ kind: z.literal('mobile'), otp: z.string() }),
  z.object({ kind: z.literal('desktop'), otp: z.string() }),
])

/** What follows a log-in. */
export type HalfPurpose = z.infer<typeof HalfPurpose>

const Provider = z.object({
  method: z.string(),
  issuer: z.string(),
  subject: z.string(),
  sid: z.string(),
  sealed_id_token: z.string().nullable(),
})

const Half = z.object({
  realm_id: z.int(),
  user_id: z.int(),
  key_version: z.int(),
  /** UNIX seconds */
  expires_at: z.number(),
  /** what is missing: a code, or a second factor, which the user sets up first */
  needs: z.enum(['code', 'enrolment']),
  purpose: HalfPurpose,
  provider: Provider.optional(),
})

/** The first half of a log-in. */
export type HalfLogIn = z.infer<typeof Half>

/** Browsers drop longer cookies. */
const LONGEST_COOKIE = 3_800

/** What of a first half decides about the second one. */
export type LogInEnd = Pick<HalfLogIn, 'purpose' | 'provider'>

/**
 * Holds a log-in whose account has or must have a second factor. The browser gets the cookie of its first half.
 * @returns what is missing; undefined: nothing, and the log-in may end now
 */
export const holdForSecondFactor = async (
  open: WriteContext,
  user: UserRow,
  end: LogInEnd,
  exchange: HttpExchange,
): Promise<HalfLogIn['needs'] | undefined> => {
  const needs = await findSecondFactorNeed(open, user)
  if (needs === undefined) return undefined
  const { id: user_id, key_version } = user
  const { id: realm_id, state } = open.realm
  const half = { realm_id, user_id, key_version, expires_at: secondsNow() + HALF_SECONDS, needs, ...end }
  const sealed = sealHalf(state.deployment.keys, half)
  exchange.addHeaders({ 'Set-Cookie': composeLogInCookie(sealed, HALF_SECONDS, exchange.isSecure) })
  return needs
}

/** Makes the browser forget the half of its log-in, which has ended. */
export const forgetHalf = (exchange: HttpExchange): void =>
  // In small letters, because the answer also sets the cookie of the session, under another spelling.
  exchange.addHeaders({ 'set-cookie': composeLogInCookie('', 0, exchange.isSecure) })

/** The value of the cookie. The provider's token is left out where it is too long: it only ends the session there. */
const sealHalf = (keys: Keys, half: HalfLogIn): string => {
  const sealed = keys.sealFor('half-log-in', JSON.stringify(half))
  if (sealed.length <= LONGEST_COOKIE || half.provider === undefined) return sealed
  const provider = { ...half.provider, sealed_id_token: null }
  return keys.sealFor('half-log-in', JSON.stringify({ ...half, provider }))
}

/** The half of this browser; undefined: it has none, or it has expired. @param now UNIX seconds */
export const findHalf = ({ id, state }: Realm, cookie: string | undefined, now: number): HalfLogIn | undefined => {
  const text = cookie === undefined ? undefined : state.deployment.keys.openFor('half-log-in', cookie)
  const half = text === undefined ? undefined : Half.safeParse(JSON.parse(text)).data
  return half?.realm_id === id && half.expires_at >= now ? half : undefined
}

/** The half of this browser, and its account. Throws LOG_IN_TOOK_TOO_LONG and USER_DEACTIVATED. */
export const requireHalf = (
  realm: Realm,
  cookie: string | undefined,
  now: number,
): { half: HalfLogIn; user: UserRow } => {
  const half = findHalf(realm, cookie, now)
  const user = half && realm.state.users.get(half.user_id)
  if (half === undefined || user?.key_version !== half.key_version) throw errors.halfLogInEnded()
  if (!user.is_active) throw errors.userDeactivated()
  return { half, user }
}

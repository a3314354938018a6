/**
 * A second factor that is being set up: its secret, until a code shows that the app has it.
 *
 * Nothing is stored before that: the browser keeps the secret, encrypted for one account, for ENROLMENT_SECONDS.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import type { Keys } from '../../domain/deployment/keys.js'
import { errors } from '../../domain/protocol/errors.js'
import { composeTotpUri, createTotpSecret, findTotpStep, readTotpCode } from './one-time-code.js'

/** How long a user may take to set an app up. */
export const ENROLMENT_SECONDS = 1_800

const Enrolment = z.object({
  realm_id: z.int(),
  user_id: z.int(),
  secret: z.string(),
  /** UNIX seconds */
  expires_at: z.number(),
})

/** The account for which a second factor is set up. */
export interface EnrolmentOwner {
  readonly realm_id: number
  readonly user_id: number
}

/** What the user gives to the app: the secret as a text, or as an address in a code that a camera reads. */
export interface BegunEnrolment {
  secret: string
  uri: string
  /** the text with which the enrolment is confirmed */
  enrolment: string
}

/** Begins an enrolment. @param names what the app shows */
export const beginEnrolment = (
  keys: Keys,
  owner: EnrolmentOwner,
  names: { issuer: string; label: string },
): BegunEnrolment => {
  const secret = createTotpSecret()
  const enrolment = { ...owner, secret, expires_at: secondsNow() + ENROLMENT_SECONDS }
  return {
    secret,
    uri: composeTotpUri(secret, names),
    enrolment: keys.sealFor('second-factor-enrolment', JSON.stringify(enrolment)),
  }
}

/** What is stored of a confirmed enrolment. */
export interface ConfirmedEnrolment {
  readonly sealed_secret: string
  /** the time step of the code, which is not accepted again */
  readonly last_step: number
}

/**
 * Confirms an enrolment with a code of the app. Throws BAD_REQUEST when it is not one of this account or too old, and
 * SECOND_FACTOR_FAILED.
 */
export const confirmEnrolment = (
  keys: Keys,
  owner: EnrolmentOwner,
  given: { enrolment: string; code: string },
): ConfirmedEnrolment => {
  const text = keys.openFor('second-factor-enrolment', given.enrolment)
  const found = text === undefined ? undefined : Enrolment.safeParse(JSON.parse(text)).data
  const now = secondsNow()
  if (found?.realm_id !== owner.realm_id || found.user_id !== owner.user_id || found.expires_at < now) {
    throw errors.badRequest('Begin again: this took too long, or began in another account.')
  }
  const code = readTotpCode(given.code)
  const last_step = code === undefined ? undefined : findTotpStep(found.secret, code, now)
  if (last_step === undefined) throw errors.secondFactorFailed()
  return { sealed_secret: keys.sealFor('second-factor', found.secret), last_step }
}

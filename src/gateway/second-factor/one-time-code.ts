/**
 * One-time codes of apps (RFC 6238): the only file that knows the library `otpauth`.
 *
 * Codes have six digits, change every 30 seconds, and are made with SHA-1: apps know no others. A code of the step
 * before or after is accepted, because clocks differ.
 */
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
const WINDOW_STEPS = 1
/** RFC 4226, 4: as long as the result of SHA-1 */
const SECRET_BYTES = 20

const buildTotp = (secret: string, names: { issuer: string; label: string } = { issuer: '', label: '' }) =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS })

/** A new secret that the server and an app share, in Base32. */
export const createTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The address with which an app stores the secret, for a code that a camera reads. */
export const composeTotpUri = (secret: string, names: { issuer: string; label: string }): string =>
  buildTotp(secret, names).toString()

/** Whether a text has the form of a code. Apps show it with a space in the middle. */
export const readTotpCode = (input: string): string | undefined => {
  const code = input.replace(/\s/g, '')
  return /^\d{6}$/.test(code) ? code : undefined
}

/** The time step of which this is the code; undefined: it is wrong. @param now UNIX seconds */
export const findTotpStep = (secret: string, code: string, now: number): number | undefined => {
  const delta = buildTotp(secret).validate({ token: code, timestamp: now * 1_000, window: WINDOW_STEPS })
  return delta === null ? undefined : Math.floor(now / PERIOD_SECONDS) + delta
}

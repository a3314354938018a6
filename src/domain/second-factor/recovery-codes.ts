/**
 * Recovery codes: a user who has lost the app for one-time codes logs in with one of them, each once.
 *
 * A code has 80 random bits, so a hash without a salt or a cost keeps it secret.
 */
import { createHash, randomBytes } from 'node:crypto'

/** The number of codes that an account gets at once. */
export const RECOVERY_CODES = 10

const GROUP = 4
const LENGTH = 16
/** 32 characters that people do not confuse: without i, l, o and u (Crockford's Base32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** New codes, as the user reads them: four groups of four characters. */
export const createRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const characters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
    return (characters.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-')
  })

/** A code without what people add or confuse; undefined when the text is none. */
export const readRecoveryCode = (input: string): string | undefined => {
  const code = input.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(code) ? code : undefined
}

/** What is stored of a code. @param code as `readRecoveryCode` returns it */
export const hashRecoveryCode = (code: string): string => createHash('sha256').update(`recovery:${code}`).digest('hex')

/**
 * Limits password attempts.
 *
 * 1. An account and a network address together have few attempts. So a guesser does not lock out the user, who is at
 *    another address, and cannot guess much either.
 * 2. A much larger limit of the account bounds guesses from many addresses. It does not refuse an address from which
 *    the user has logged in lately: not even a guesser with many addresses locks the user out there.
 * 3. A network address has a limit for all accounts, against an attacker who tries one password on many accounts.
 * 4. An attempt is counted before the password is compared, so that concurrent attempts are counted too. A correct
 *    password uncounts its attempt, and resets (1).
 *
 * Source: protocol/errors.md 8 (`authenticate_by_username`).
 */
import type { RateLimiter } from '../../../store/limits/rate-limiter.js'
import { isKnownNetwork } from '../../../store/users/logins.js'
import type { App } from '../../contract/app.js'
import { consumeAll } from '../../fairness/combined-limits.js'
import { rateLimitAddress } from '../../fairness/rate-limit.js'

export interface PasswordAttempt {
  /** seconds until the next attempt; undefined: the password may be compared now */
  retry_after: number | undefined
  /** Must be called when the password was correct. */
  succeed(): Promise<void>
}

/**
 * Counts a password attempt.
 * @param account the account's id, or the name from the request if there is no such account: both are counted alike
 */
export const countPasswordAttempt = async (
  { allowances, store }: Pick<App, 'allowances' | 'store'>,
  realm_id: number,
  account: number | string,
  request: { ip: string },
): Promise<PasswordAttempt> => {
  const address = rateLimitAddress(request)
  const pair = `${realm_id}:${account}:${address}`
  const near = await consumeAll(allowances, [
    ['authenticate_by_username', pair],
    ['authenticate_by_ip', address],
  ])
  const refuse = (retry_after: number): PasswordAttempt => ({ retry_after, async succeed() {} })
  if (near.retry_after !== undefined) return refuse(near.retry_after)
  const total = await allowances.consume('authenticate_by_account', `${realm_id}:${account}`)
  if (total?.retry_after !== undefined) {
    const isKnown = typeof account === 'number' && (await isKnownNetwork(store.sql, realm_id, account, request.ip))
    if (!isKnown) {
      near.refund()
      return refuse(total.retry_after)
    }
  }
  return {
    retry_after: undefined,
    async succeed() {
      near.refund()
      total?.refund()
      await allowances.resetKey('authenticate_by_username', pair)
    },
  }
}

/**
 * Forgets the wrong attempts for an account after a reset of its password. The user reset the password by a mailed
 * link.
 */
export const forgetPasswordAttempts = async (
  allowances: RateLimiter,
  realm_id: number,
  user_id: number,
  request: { ip: string },
): Promise<void> => {
  await allowances.resetKey('authenticate_by_username', `${realm_id}:${user_id}:${rateLimitAddress(request)}`)
  await allowances.resetKey('authenticate_by_account', `${realm_id}:${user_id}`)
}

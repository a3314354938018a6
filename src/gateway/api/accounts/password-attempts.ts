/**
 * Limits password attempts, per account and per network address.
 *
 * An attempt is counted before the password is compared, so that concurrent attempts are counted too. A correct password
 * uncounts its attempt, and resets the account's count. Source: errors.md section 8 (`authenticate_by_username`).
 */
import type { SpentAllowance } from '../../../store/limits/rate-limiter.js'
import type { App } from '../../http/app.js'
import { rateLimitAddress } from '../../http/rate-limit.js'

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
  { allowances }: App,
  realm_id: number,
  account: number | string,
  request: { ip: string },
): Promise<PasswordAttempt> => {
  const key = `${realm_id}:${account}`
  const spent: (SpentAllowance | undefined)[] = await Promise.all([
    allowances.spend('authenticate_by_username', key),
    allowances.spend('authenticate_by_ip', rateLimitAddress(request)),
  ])
  const waits = spent.flatMap((one) => one?.retry_after ?? [])
  // An attempt that is refused because of one limit does not count against the other.
  if (waits.length > 0) for (const one of spent) one?.returnSpent()
  return {
    retry_after: waits.length === 0 ? undefined : Math.max(...waits),
    async succeed() {
      for (const one of spent) one?.returnSpent()
      await allowances.resetKey('authenticate_by_username', key)
    },
  }
}

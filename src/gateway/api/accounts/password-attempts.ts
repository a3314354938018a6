/**
 * Guessing passwords: so many wrong ones for an account, and so many from an address, and no more for a while.
 *
 * A guess is counted before it is judged, so that guesses made side by side are counted too; a right one is taken back,
 * and lets the account begin anew. Source: errors.md section 8 (`authenticate_by_username`).
 */
import type { SpentAllowance } from '../../../store/limits/rate-limiter.js'
import type { App } from '../../http/app.js'
import { rateLimitAddress } from '../../http/rate-limit.js'

export interface PasswordAttempt {
  /** seconds to wait before another one; undefined: this one may be judged */
  retry_after: number | undefined
  /** Says that the password was right. */
  succeed(): Promise<void>
}

/** @param account its id, or the name that was given where there is none: both are counted alike */
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
  // A guess that is not judged counts nowhere.
  if (waits.length > 0) for (const one of spent) one?.giveBack()
  return {
    retry_after: waits.length === 0 ? undefined : Math.max(...waits),
    async succeed() {
      for (const one of spent) one?.giveBack()
      await allowances.resetKey('authenticate_by_username', key)
    },
  }
}

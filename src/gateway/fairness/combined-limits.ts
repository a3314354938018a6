/** Counts one attempt against several rate limits at once. */
import type { RateLimitName } from '../../domain/limits/rate-limits.js'
import type { RateLimiter } from '../../store/limits/rate-limiter.js'

/** An attempt that was counted against several limits, or refused. */
export interface SpentTogether {
  /** seconds until the next attempt; undefined: no limit is exceeded */
  retry_after: number | undefined
  /** Uncounts the attempt. */
  refund(): void
}

/**
 * Counts an attempt against each of the limits. If one of them refuses the attempt, it counts against none, so that an
 * exceeded limit does not use up the others.
 * @param count how often it counts
 */
export const consumeAll = async (
  allowances: RateLimiter,
  limits: readonly (readonly [name: RateLimitName, key: string])[],
  count = 1,
): Promise<SpentTogether> => {
  const spent = await Promise.all(limits.map(([name, key]) => allowances.consume(name, key, count)))
  const refund = () => {
    for (const one of spent) one?.refund()
  }
  const waits = spent.flatMap((one) => one?.retry_after ?? [])
  if (waits.length === 0) return { retry_after: undefined, refund }
  refund()
  return { retry_after: Math.max(...waits), refund() {} }
}

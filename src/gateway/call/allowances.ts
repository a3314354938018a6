/**
 * What a call spends beside the allowance of its rate class: mails, invitations, tests of addresses. Its endpoint
 * declares the names (`allowances`).
 *
 * 1. A call spends all of them or none: an exceeded limit does not use up the others.
 * 2. What a call spent is returned if it runs again, or fails with an error that is not final.
 */
import type { RateLimitName } from '../../domain/limits/rate-limits.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import type { RateLimiter } from '../../store/limits/rate-limiter.js'
import { consumeAll } from '../fairness/combined-limits.js'

/** What of a running call has to do with allowances. */
export interface Spending<Names extends RateLimitName = RateLimitName> {
  readonly parts: { readonly app: { readonly allowances: RateLimiter } }
  /** returns what the attempt has spent; undefined: it has spent nothing, or keeps it */
  refund: (() => void) | undefined
  /** carries the type of the declared names; never present */
  readonly names?: Names
}

/** Allowances that a call has spent. */
export interface ConsumedAllowances {
  /** They stay spent, also if the call fails (2). */
  keep(): void
  /** Returns them at once: they do not count. */
  giveBack(): void
}

/**
 * Spends what the endpoint declares. Throws RATE_LIMIT_HIT, or the error of `exceeded`, beyond a limit.
 * @param keys of the counters, by name
 * @param options.count how much of each is spent (default 1)
 * @param options.exceeded the error beyond a limit (default RATE_LIMIT_HIT), which becomes final
 */
export const consumeAllowances = async <Names extends RateLimitName>(
  { spending }: { spending: Spending<Names> },
  keys: Readonly<Record<Names, string>>,
  options: { count?: number; exceeded?: (retry_after: number) => ApiError } = {},
): Promise<ConsumedAllowances> => {
  const { count, exceeded = (retry_after) => errors.rateLimitHit({ 'retry-after': retry_after }) } = options
  const limits = Object.entries(keys) as [Names, string][]
  const { retry_after, refund } = await consumeAll(spending.parts.app.allowances, limits, count)
  if (retry_after !== undefined) throw exceeded(retry_after).asFinal()
  spending.refund = refund
  return {
    keep() {
      spending.refund = undefined
    },
    giveBack: () => returnSpentAllowances(spending),
  }
}

/** Returns what the call has spent, if it has not kept it. */
export const returnSpentAllowances = (spending: Pick<Spending, 'refund'>): void => {
  spending.refund?.()
  spending.refund = undefined
}

/** Whether a call that failed with this error gets back what it spent (2). */
export const isWithoutEffect = (error: unknown): boolean => !(error instanceof ApiError && error.isFinal)

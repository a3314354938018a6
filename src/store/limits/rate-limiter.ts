/**
 * Allowances: what somebody may still do of something, across all replicas.
 *
 * 1. It is counted in one place for all replicas (rate-counter.ts): no window ever holds more than its limit.
 * 2. A replica that counts a caller's calls takes for a second in advance what the caller's haste asks for: one for
 *    whoever calls now and then, twice as many each time they did not last, up to a twentieth of the limit. So a hot
 *    caller costs no trip per call. What is left over is given back; near the limit nothing is taken in advance.
 */
import { parseRateLimits, type RateLimitName, type RateLimits } from '../../domain/limits/rate-limits.js'
import { slotLength } from '../../domain/limits/sliding-window.js'
import { type CountRequest, openRateCounter } from './rate-counter.js'

/** What is left of an allowance, as callers are told. */
export interface Allowance {
  /** of the narrowest window */
  limit: number
  remaining: number
  /** UNIX seconds when the window is fully free */
  reset: number
  /** seconds to wait; present when this was one too many, and did not count */
  retry_after?: number
}

export interface SpentAllowance extends Allowance {
  /** Takes it back: it shall not count after all. */
  giveBack(): void
}

/** Where there are no limits, every answer is undefined. */
export interface Allowances {
  /** Counts one call. An answer without a promise cost no trip to Redis. */
  count(name: RateLimitName, key: string): Allowance | undefined | Promise<Allowance | undefined>
  /** Takes `count` at once, or nothing. */
  spend(name: RateLimitName, key: string, count?: number): Promise<SpentAllowance | undefined>
  /** Lets somebody begin anew. */
  forget(name: RateLimitName, key: string): Promise<void>
  close(): Promise<void>
}

/** No limits. */
export const noAllowances: Allowances = {
  count: () => undefined,
  spend: async () => undefined,
  async forget() {},
  async close() {},
}

/** What a replica has in advance of one caller's allowance, or why it has nothing. */
interface Lease {
  /** milliseconds of this process's clock; afterwards what is left is given back */
  until: number
  left: number
  /** what it began with */
  size: number
  /** when it was granted, by the clock that counts */
  at: number
  /** what Redis has beyond it */
  beyond: number
  /** UNIX seconds */
  reset: number
  /** when it is worth asking again, by this process's clock; undefined: something was granted */
  retry_at: number | undefined
}

const LEASE_MS = 1_000
/** The part of a limit that one replica may take in advance. */
const ADVANCE_DIVISOR = 20

/**
 * @param overrides rates other than the default ones (domain/limits/rate-limits.ts)
 * @param report hears why counting fell back to this process
 */
export const openAllowances = (redis_url: string, overrides: string, report: (error: unknown) => void): Allowances => {
  const rules = compileRateLimits(parseRateLimits(overrides))
  const leases = new Map<string, Lease>()
  const renewals = new Map<string, { ask: CountRequest; done: Promise<void> }>()
  const counting = openRateCounter(redis_url, report)
  const { ask } = counting

  const useLease = (name: RateLimitName, id: string): Allowance | undefined => {
    const lease = leases.get(id)
    if (lease === undefined) return undefined
    const { limit } = rules[name]
    const now = Date.now()
    if (now >= lease.until) return undefined
    if (lease.left > 0) {
      lease.left -= 1
      return { limit, remaining: lease.beyond + lease.left, reset: lease.reset }
    }
    const { retry_at, reset } = lease
    return retry_at === undefined ? undefined : { limit, remaining: 0, reset, retry_after: toSeconds(retry_at - now) }
  }

  const renew = async (name: RateLimitName, id: string, key: string): Promise<Allowance> => {
    for (;;) {
      const before = renewals.get(id)
      if (before === undefined) renewals.set(id, renewal(name, id, key))
      else before.ask.want += 1
      await renewals.get(id)?.done
      const allowance = useLease(name, id)
      if (allowance !== undefined) return allowance
    }
  }

  const renewal = (name: RateLimitName, id: string, key: string) => {
    const { limit } = rules[name]
    const last = leases.get(id)
    if (last !== undefined) returnUnused(id, name, key, last)
    const isHasty = last !== undefined && Date.now() < last.until
    const want = isHasty ? Math.min(2 * last.size, Math.max(1, Math.floor(limit / ADVANCE_DIVISOR))) : 1
    const wish: CountRequest = { windows: callerWindows(rules, name, key), want, least: 1 }
    const done = ask(wish).then(({ granted, remaining, wait, full, at }) => {
      const now = Date.now()
      renewals.delete(id)
      leases.set(id, {
        // A refusal is asked for again as soon, because another replica may have given something back.
        until: now + (granted > 0 ? LEASE_MS : Math.min(wait, LEASE_MS)),
        left: granted,
        size: granted,
        at,
        beyond: remaining,
        reset: Math.ceil((now + full) / 1_000),
        retry_at: granted > 0 ? undefined : now + wait,
      })
    })
    return { ask: wish, done }
  }

  const returnUnused = (id: string, name: RateLimitName, key: string, { left, at }: Lease) => {
    leases.delete(id)
    if (left > 0) ask({ windows: callerWindows(rules, name, key), want: -left, least: at })
  }

  const sweep = (all: boolean) => {
    const now = Date.now()
    for (const [id, lease] of leases) {
      if (!all && now < lease.until) continue
      const name = id.slice(0, id.indexOf(':')) as RateLimitName
      returnUnused(id, name, id.slice(name.length + 1), lease)
    }
  }
  const sweeping = setInterval(() => sweep(false), LEASE_MS)
  sweeping.unref()

  return {
    count(name, key) {
      const id = `${name}:${key}`
      return useLease(name, id) ?? renew(name, id, key)
    },

    async spend(name, key, count = 1) {
      const { limit } = rules[name]
      const wish = { windows: callerWindows(rules, name, key), want: count, least: count }
      const { granted, remaining, wait, full, at } = await ask(wish)
      const reset = Math.ceil((Date.now() + full) / 1_000)
      return {
        limit,
        remaining,
        reset,
        ...(granted === 0 ? { retry_after: toSeconds(wait) } : {}),
        giveBack() {
          if (granted > 0) ask({ windows: callerWindows(rules, name, key), want: -granted, least: at })
        },
      }
    },

    async forget(name, key) {
      const keys = callerWindows(rules, name, key).map((window) => window.key)
      await counting.forget(keys)
    },

    async close() {
      clearInterval(sweeping)
      sweep(true)
      await counting.close()
    },
  }
}

interface CompiledRateLimit {
  limit: number
  windows: readonly (Omit<CountRequest['windows'][number], 'key'> & { suffix: string })[]
}

const compileRateLimits = (rates: RateLimits) =>
  Object.fromEntries(
    Object.entries(rates).map(([name, rule]): [string, CompiledRateLimit] => [
      name,
      {
        limit: Math.min(...rule.map(({ requests }) => requests)),
        windows: rule.map((window) => ({
          slot_length: slotLength(window),
          limit: window.requests,
          suffix: `:${window.seconds}`,
        })),
      },
    ]),
  ) as Record<RateLimitName, CompiledRateLimit>

/** The braces keep all of them in one place of a Redis cluster, because one command asks after many. */
const callerWindows = (
  rules: Record<RateLimitName, CompiledRateLimit>,
  name: RateLimitName,
  key: string,
): CountRequest['windows'] =>
  rules[name].windows.map((window) => ({ ...window, key: `{parley:rate}:${name}:${key}${window.suffix}` }))

const toSeconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds)) / 1_000

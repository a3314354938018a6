/**
 * Rate limiting across all replicas.
 *
 * 1. One counter counts for all replicas (rate-counter.ts): no window ever has more calls than its limit.
 * 2. A replica takes calls of one caller in advance, as a lease of one second. The first lease is one call. If a lease
 *    is used up before its end, the next one is twice as large, up to a twentieth of the limit. So a caller with many
 *    calls does not need a request to Redis per call. The replica returns the unused rest of a lease. Near the limit,
 *    the counter grants nothing in advance.
 */
import { createHash, randomUUID } from 'node:crypto'
import {
  parseRateLimits,
  type RateLimit,
  type RateLimitName,
  type RateLimits,
} from '../../domain/limits/rate-limits.js'
import { slotLength } from '../../domain/limits/sliding-window.js'
import { isClusterUrl } from '../redis.js'
import type { Scope } from '../redis-scope.js'
import { type CountRequest, openRateCounter } from './rate-counter.js'

/** What a caller has left of a rate limit, as in the headers of the response. */
export interface Allowance {
  /** the limit of the narrowest window */
  limit: number
  remaining: number
  /** UNIX seconds when all windows are empty again */
  reset: number
  /** seconds to wait; present: the call is over the limit, and was not counted */
  retry_after?: number
}

export interface ConsumedAllowance extends Allowance {
  /** Returns what was spent, so that it does not count. */
  refund(): void
}

/** Of the calls of an organization, whose limit is its own: it is a part of the key (`composeCallQuotaKey`). */
const CALL_QUOTA = 'calls_by_realm'

type CountedName = RateLimitName | typeof CALL_QUOTA

/**
 * Composes the arguments of `count` for a call of an organization. The organization has a quota of calls in a minute.
 */
export const composeCallQuotaKey = (realm_id: number, call_quota: number): [typeof CALL_QUOTA, string] => [
  CALL_QUOTA,
  `${realm_id}:${call_quota}`,
]

/** Counts calls against rate limits. Without rate limits, every result is undefined. */
export interface RateLimiter {
  /** Counts one call. If the result is not a promise, it came from a lease, without a request to Redis. */
  count(name: CountedName, key: string): Allowance | undefined | Promise<Allowance | undefined>
  /** Counts `count` calls at once, or none. */
  consume(name: RateLimitName, key: string, count?: number): Promise<ConsumedAllowance | undefined>
  /** Empties the windows of a caller. */
  resetKey(name: RateLimitName, key: string): Promise<void>
  close(): Promise<void>
}

/** The rate limiter of a deployment without rate limits. */
export const unlimitedRates: RateLimiter = {
  count: () => undefined,
  consume: async () => undefined,
  async resetKey() {},
  async close() {},
}

/** The calls of one caller that a replica took in advance, or the refusal to grant any. */
interface Lease {
  /** the end of the lease, in milliseconds of this process's clock; then the replica returns what is left */
  until: number
  left: number
  /** the number of calls at its start */
  size: number
  /** the time of the grant, on the clock of the counter */
  at: number
  /** what the caller has left in Redis, without this lease */
  beyond: number
  /** UNIX seconds */
  reset: number
  /** when a new request can succeed, on this process's clock; undefined: something was granted */
  retry_at: number | undefined
}

const LEASE_MS = 1_000
/** One replica takes at most the limit divided by this number in advance. */
const ADVANCE_DIVISOR = 20

/**
 * Opens the rate limiter of a process.
 * @param scope until it is known, the process counts for itself
 * @param overrides rate limits that differ from the defaults (domain/limits/rate-limits.ts)
 * @param report is called with the error when the process starts to count by itself
 */
export const openRateLimiter = (
  redis_url: string,
  scope: Scope,
  overrides: string,
  report: (error: unknown) => void,
): RateLimiter => {
  const rules = compileRateLimits(parseRateLimits(overrides))
  const composeTag = isClusterUrl(redis_url) ? composeClusterTag : (begin: string) => `{${begin}:rate}`
  const ownBegin = `parley:${randomUUID()}`
  const quotaRules = new Map<string, CompiledRateLimit>()
  const findRule = (name: CountedName, key: string): CompiledRateLimit => {
    if (name !== CALL_QUOTA) return rules[name]
    const requests = key.slice(key.indexOf(':') + 1)
    const rule = quotaRules.get(requests) ?? compileRateLimit([{ seconds: 60, requests: Number(requests) }])
    quotaRules.set(requests, rule)
    return rule
  }
  const callerWindows = (name: CountedName, key: string): CountRequest['windows'] => {
    const begin = `${composeTag(scope.name ?? ownBegin, `${name}:${key}`)}:${name}:${key}`
    return findRule(name, key).windows.map((window) => ({ ...window, key: `${begin}${window.suffix}` }))
  }
  const leases = new Map<string, Lease>()
  const renewals = new Map<string, { ask: CountRequest; done: Promise<void> }>()
  const counting = openRateCounter(redis_url, report)
  const { count: ask } = counting

  const useLease = (name: CountedName, id: string, key: string): Allowance | undefined => {
    const lease = leases.get(id)
    if (lease === undefined) return undefined
    const { limit } = findRule(name, key)
    const now = Date.now()
    if (now >= lease.until) return undefined
    if (lease.left > 0) {
      lease.left -= 1
      return { limit, remaining: lease.beyond + lease.left, reset: lease.reset }
    }
    const { retry_at, reset } = lease
    return retry_at === undefined ? undefined : { limit, remaining: 0, reset, retry_after: toSeconds(retry_at - now) }
  }

  const renew = async (name: CountedName, id: string, key: string): Promise<Allowance> => {
    for (;;) {
      const before = renewals.get(id)
      if (before === undefined) renewals.set(id, renewal(name, id, key))
      else before.ask.want += 1
      await renewals.get(id)?.done
      const allowance = useLease(name, id, key)
      if (allowance !== undefined) return allowance
    }
  }

  const renewal = (name: CountedName, id: string, key: string) => {
    const { limit } = findRule(name, key)
    const last = leases.get(id)
    if (last !== undefined) returnUnused(id, name, key, last)
    const isHasty = last !== undefined && Date.now() < last.until
    const want = isHasty ? Math.min(2 * last.size, Math.max(1, Math.floor(limit / ADVANCE_DIVISOR))) : 1
    const request: CountRequest = { windows: callerWindows(name, key), want, least: 1 }
    const done = ask(request).then(({ granted, remaining, wait, full, at }) => {
      const now = Date.now()
      renewals.delete(id)
      leases.set(id, {
        // A refusal ends as early as a lease, because another replica can return calls.
        until: now + (granted > 0 ? LEASE_MS : Math.min(wait, LEASE_MS)),
        left: granted,
        size: granted,
        at,
        beyond: remaining,
        reset: Math.ceil((now + full) / 1_000),
        retry_at: granted > 0 ? undefined : now + wait,
      })
    })
    return { ask: request, done }
  }

  const returnUnused = (id: string, name: CountedName, key: string, { left, at }: Lease) => {
    leases.delete(id)
    if (left > 0) ask({ windows: callerWindows(name, key), want: -left, least: at })
  }

  const sweep = (all: boolean) => {
    const now = Date.now()
    for (const [id, lease] of leases) {
      if (!all && now < lease.until) continue
      const name = id.slice(0, id.indexOf(':')) as CountedName
      returnUnused(id, name, id.slice(name.length + 1), lease)
    }
  }
  const sweeping = setInterval(() => sweep(false), LEASE_MS)
  sweeping.unref()

  return {
    count(name, key) {
      const id = `${name}:${key}`
      return useLease(name, id, key) ?? renew(name, id, key)
    },

    async consume(name, key, count = 1) {
      const { limit } = rules[name]
      const request = { windows: callerWindows(name, key), want: count, least: count }
      const { granted, remaining, wait, full, at } = await ask(request)
      const reset = Math.ceil((Date.now() + full) / 1_000)
      return {
        limit,
        remaining,
        reset,
        ...(granted === 0 ? { retry_after: toSeconds(wait) } : {}),
        refund() {
          if (granted > 0) ask({ windows: callerWindows(name, key), want: -granted, least: at })
        },
      }
    },

    async resetKey(name, key) {
      const keys = callerWindows(name, key).map((window) => window.key)
      await counting.resetKeys(keys)
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
  Object.fromEntries(Object.entries(rates).map(([name, rule]) => [name, compileRateLimit(rule)])) as Record<
    RateLimitName,
    CompiledRateLimit
  >

const compileRateLimit = (rule: RateLimit): CompiledRateLimit => ({
  limit: Math.min(...rule.map(({ requests }) => requests)),
  windows: rule.map((window) => ({
    slot_length: slotLength(window),
    limit: window.requests,
    suffix: `:${window.seconds}`,
  })),
})

/** In a cluster, the windows of all callers are spread over this many slots, and so over its nodes. */
const CLUSTER_TAGS = 64

/** The braces put the windows of a caller into one slot of a cluster, because one command reads them. */
const composeClusterTag = (begin: string, caller: string): string =>
  `{${begin}:rate:${createHash('sha1').update(caller).digest().readUInt8() % CLUSTER_TAGS}}`

const toSeconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds)) / 1_000

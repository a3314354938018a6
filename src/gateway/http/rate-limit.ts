/** Counts calls: of accounts by account, of everybody else by address. */

import { defaultRateLimits, type RateLimitName } from '../../domain/limits/rate-limits.js'
import { callerNetwork } from '../../domain/net/client-address.js'
import type { Allowance, RateLimiter } from '../../store/limits/rate-limiter.js'
import type { Realm } from '../../store/log/realm.js'
import type { CallRequest } from './endpoint.js'
import type { Headers } from './transport.js'

/** Counts a call; undefined when it is not limited. */
export type RateLimit = (call: RateLimitedCall) => Promise<Allowance | undefined> | Allowance | undefined

export interface RateLimitedCall {
  /** calls of one class share a window */
  rateClass: string
  realm: Pick<Realm, 'id'> | undefined
  /** undefined: without credentials, counted by address */
  user_id: number | undefined
  /** asked for its address only when that counts, because reading it costs */
  request: Pick<CallRequest, 'ip'>
}

/** The headers of errors.md section 8, on every answer to a counted call. */
export const allowanceHeaders = ({ limit, remaining, reset }: Allowance): Headers => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(reset),
})

/** Under what the address of a request is counted. */
export const rateLimitAddress = ({ ip }: Pick<CallRequest, 'ip'>): string => callerNetwork(ip)

const accountRates: Readonly<Record<string, RateLimitName>> = { events: 'events_by_user', uploads: 'uploads_by_user' }

/** What the reference says of a class: the default rates. */
export const describeRate = (rateClass: string): string => {
  const describe = (name: RateLimitName) =>
    defaultRateLimits[name]
      .map(({ requests, seconds }) => `${requests} calls in ${seconds} seconds (${name})`)
      .join(' and ')
  return `${describe(accountRates[rateClass] ?? 'api_by_user')}; without credentials ${describe('api_by_ip')}`
}

/** A class without a rate of its own is counted as `api`. */
export const openRateLimit =
  (allowances: RateLimiter): RateLimit =>
  ({ rateClass, realm, user_id, request }) =>
    realm === undefined || user_id === undefined
      ? allowances.count('api_by_ip', rateLimitAddress(request))
      : allowances.count(accountRates[rateClass] ?? 'api_by_user', `${realm.id}:${user_id}`)

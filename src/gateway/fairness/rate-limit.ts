/** Counts calls against rate limits: by account, or by network address for callers without credentials. */

import { defaultRateLimits, type RateLimitName } from '../../domain/limits/rate-limits.js'
import { callerNetwork } from '../../domain/net/client-address.js'
import { type Allowance, composeCallQuotaKey, type RateLimiter } from '../../store/limits/rate-limiter.js'
import { thenOrNow } from '../../store/log/maybe-promise.js'
import type { Realm } from '../../store/log/realm.js'
import type { CallRequest } from '../contract/call-request.js'
import type { Headers } from '../contract/transport.js'

/** Counts a call. @returns the allowance that is left; undefined when calls are not limited */
export type RateLimit = (call: RateLimitedCall) => Promise<Allowance | undefined> | Allowance | undefined

export interface RateLimitedCall {
  /** calls of one class are counted together */
  rateClass: string
  realm: Pick<Realm, 'id' | 'state'> | undefined
  /** undefined: a call without credentials, counted by address */
  user_id: number | undefined
  /** its address is read only when the call is counted by address, because reading it costs */
  request: Pick<CallRequest, 'ip'>
}

/** Composes the X-RateLimit headers (protocol/errors.md 8). Every answer to a counted call has them. */
export const allowanceHeaders = ({ limit, remaining, reset }: Allowance): Headers => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(reset),
})

/**
 * Returns the key by which requests from an address are counted. It is the network of the address
 * (domain/net/client-address.ts).
 */
export const rateLimitAddress = ({ ip }: Pick<CallRequest, 'ip'>): string => callerNetwork(ip)

const accountRates: Readonly<Record<string, RateLimitName>> = {
  events: 'events_by_user',
  uploads: 'uploads_by_user',
  downloads: 'downloads_by_user',
}
const addressRates: Readonly<Record<string, RateLimitName>> = {
  downloads: 'downloads_by_ip',
  failed_authentication: 'failed_authentication_by_ip',
}

/** The default rates of a class, as text for the reference page. */
export const describeRate = (rateClass: string): string => {
  const describe = (name: RateLimitName) =>
    defaultRateLimits[name]
      .map(({ requests, seconds }) => `${requests} calls in ${seconds} seconds (${name})`)
      .join(' and ')
  return `${describe(accountRates[rateClass] ?? 'api_by_user')}; without credentials ${describe(addressRates[rateClass] ?? 'api_by_ip')}`
}

/**
 * Opens the counter of calls. A class without a rate of its own is counted as `api`. The calls of all accounts of an
 * organization are counted together if the operator has set a quota for them. Polls are not: they are how clients wait.
 */
export const openRateLimit =
  (allowances: RateLimiter): RateLimit =>
  ({ rateClass, realm, user_id, request }) => {
    if (realm === undefined || user_id === undefined)
      return allowances.count(addressRates[rateClass] ?? 'api_by_ip', rateLimitAddress(request))
    const ofAccount = allowances.count(accountRates[rateClass] ?? 'api_by_user', `${realm.id}:${user_id}`)
    const { call_quota } = realm.state.realm
    if (call_quota === null || rateClass === 'events') return ofAccount
    return thenOrNow(ofAccount, (own) => {
      if (own?.retry_after !== undefined) return own
      return thenOrNow(allowances.count(...composeCallQuotaKey(realm.id, call_quota)), (ofAll) =>
        ofAll?.retry_after === undefined ? own : ofAll,
      )
    })
  }

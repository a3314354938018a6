/** Counts calls: of accounts by account, of everybody else by address. */

import { defaultRates, type RateName } from '../../domain/limits/rates.js'
import { networkOf } from '../../domain/net/addresses.js'
import type { Allowance, Allowances } from '../../store/limits/allowances.js'
import type { Realm } from '../../store/log/realm.js'
import type { CallRequest } from './endpoint.js'
import type { Headers } from './transport.js'

/** Counts a call; undefined when it is not limited. */
export type RateLimit = (call: Counted) => Promise<Allowance | undefined> | Allowance | undefined

export interface Counted {
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

/** Counts nothing. */
export const unlimited: RateLimit = () => undefined

/** Under what the address of a request is counted. */
export const addressOf = ({ ip }: Pick<CallRequest, 'ip'>): string => networkOf(ip)

const ofAccounts: Readonly<Record<string, RateName>> = { events: 'events_by_user', uploads: 'uploads_by_user' }

/** What the reference says of a class: the default rates. */
export const rateOf = (rateClass: string): string => {
  const told = (name: RateName) =>
    defaultRates[name].map(({ requests, seconds }) => `${requests} calls in ${seconds} seconds (${name})`).join(' and ')
  return `${told(ofAccounts[rateClass] ?? 'api_by_user')}; without credentials ${told('api_by_ip')}`
}

/** A class without a rate of its own is counted as `api`. */
export const rateLimit =
  (allowances: Allowances): RateLimit =>
  ({ rateClass, realm, user_id, request }) =>
    realm === undefined || user_id === undefined
      ? allowances.count('api_by_ip', addressOf(request))
      : allowances.count(ofAccounts[rateClass] ?? 'api_by_user', `${realm.id}:${user_id}`)

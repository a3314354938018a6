/** What calls need of a rate limiter: count one call, and say what is left. */
import type { Realm } from '../../store/realm.js'
import type { CallRequest } from './endpoint.js'
import type { Headers } from './transport.js'

/** Counts a call; undefined when it is not limited. */
export type RateLimit = (call: Counted) => Promise<Allowance | undefined> | Allowance | undefined

export interface Counted {
  /** calls of one class share a window */
  rateClass: string
  realm: Realm | undefined
  /** undefined: without credentials, counted by address */
  user_id: number | undefined
  /** asked for its address only when that counts, because reading it costs */
  request: Pick<CallRequest, 'ip'>
}

export interface Allowance {
  limit: number
  remaining: number
  /** UNIX seconds when the window is fully free */
  reset: number
  /** seconds to wait; present when this call was one too many */
  retry_after?: number
}

/** The headers of errors.md section 8, on every answer to a counted call. */
export const allowanceHeaders = ({ limit, remaining, reset }: Allowance): Headers => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(reset),
})

/** Counts nothing. */
export const unlimited: RateLimit = () => undefined

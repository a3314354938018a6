/**
 * Heavy calls: ones that keep the process or the database busy for tens of milliseconds. Each account, or each network
 * address without credentials, makes one of them at a time, and the next one only after a rest. So one account takes a
 * share of a gateway that leaves room for all others, however many connections it opens.
 *
 * The numbers are the row `heavy_calls` of store/fairness/fair-queues.ts.
 *
 * 1. A call is heavy when its fields are long, or when its endpoint says so of the parameters (`isHeavy`).
 * 2. A rest takes a multiple of the time of the call before it. A busier server makes the rests longer.
 * 3. The turn of a call outlives its attempts: a call that runs again on newer state does not wait again.
 */
import type { RealmState } from '../../domain/log/state.js'
import { errors } from '../../domain/protocol/errors.js'
import type { FairQueue } from '../../store/fairness/fair-queue.js'
import { openFairQueue } from '../../store/fairness/fair-queues.js'
import type { Fields } from '../contract/call-request.js'

/** `begin` throws RATE_LIMIT_HIT when too many calls of the owner wait already. Its result begins the rest. */
export type HeavyCalls = Pick<FairQueue, 'begin' | 'counts'>

/** Characters of all fields together, beyond which a call is heavy. Most messages are shorter. */
const MAX_LIGHT_CHARACTERS = 4_096
const RETRY_SECONDS = 5

/** Whether the fields of a call are so long that reading them is heavy (1). */
export const areLong = (fields: Fields): boolean => {
  let characters = 0
  for (const name in fields) {
    const value = fields[name]
    // A call over a socket can have other values. Its frame bounds them, and `isHeavy` finds the ones that matter.
    if (typeof value === 'string' || Array.isArray(value)) characters += value.length
  }
  return characters > MAX_LIGHT_CHARACTERS
}

/** Users and channels together, beyond which listing them is heavy. */
const MAX_LIGHT_ROWS = 2_000

/** Whether a realm is so large that listing its users or channels is heavy (1). */
export const isLargeRealm = (state: RealmState): boolean => state.users.size + state.channels.size > MAX_LIGHT_ROWS

/** Opens the heavy calls of a process. */
export const openHeavyCalls = (): HeavyCalls =>
  openFairQueue('heavy_calls', () => errors.rateLimitHit({ 'retry-after': RETRY_SECONDS }))

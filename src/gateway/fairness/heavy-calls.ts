/**
 * Heavy calls: ones that keep the process or the database busy for tens of milliseconds. Each account, or each network
 * address without credentials, makes one of them at a time, and the next one only after a rest. So one account takes a
 * share of a gateway that leaves room for all others, however many connections it opens.
 *
 * 1. A call is heavy when its fields are long, or when its endpoint says so of the parameters (`isHeavy`).
 * 2. A rest takes a multiple of the time of the call before it. A busier server makes the rests longer.
 * 3. The turn of a call outlives its attempts: a call that runs again on newer state does not wait again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import type { RealmState } from '../../domain/log/state.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Fields } from '../contract/call-request.js'

export interface HeavyCalls {
  /**
   * Waits for the turn of an owner. Throws RATE_LIMIT_HIT when too many calls of the owner wait already.
   * @returns ends the turn, and begins the rest
   */
  begin(owner: string): Promise<() => void>
  /** How many heavy calls run or rest now, and how many wait. */
  counts(): { running: number; waiting: number }
}

/** Characters of all fields together, beyond which a call is heavy. Most messages are shorter. */
const MAX_LIGHT_CHARACTERS = 4_096
/** How many times as long as its call a rest takes: an account gets a quarter of the time. */
const REST_FACTOR = 3
const MAX_REST_MS = 2_000
/** Of one owner. */
const MAX_WAITING = 100
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

/** Opens the turns of a process. */
export const openHeavyCalls = (): HeavyCalls => {
  const owners = new Map<string, LimitFunction>()

  const take = (owner: string, limit: LimitFunction): Promise<() => void> =>
    new Promise((begin) => {
      const turn = limit(async () => {
        const began = performance.now()
        await new Promise<void>((end) => begin(end))
        await sleep(Math.min((performance.now() - began) * REST_FACTOR, MAX_REST_MS))
      })
      void turn.then(() => {
        if (limit.activeCount + limit.pendingCount === 0) owners.delete(owner)
      })
    })

  return {
    async begin(owner) {
      const limit = owners.get(owner) ?? pLimit(1)
      owners.set(owner, limit)
      if (limit.pendingCount >= MAX_WAITING) throw errors.rateLimitHit({ 'retry-after': RETRY_SECONDS })
      return take(owner, limit)
    },

    counts() {
      let running = 0
      let waiting = 0
      for (const limit of owners.values()) {
        running += limit.activeCount
        waiting += limit.pendingCount
      }
      return { running, waiting }
    },
  }
}

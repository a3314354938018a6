/**
 * The time up to which events about new full members were sent (groups/promotions.ts): a counter of the realm, in
 * UNIX seconds. A change of the waiting period sets it, too, because that change decides who is a full member.
 */
import { composeInsert, composeUpdate, type RowChange } from '../log/row-changes.js'
import type { RealmState } from '../log/state.js'

/** The name of the counter. */
export const TOLD = 'full_members_told'

/** The row change that sets the counter to `now`. */
export const composePromotionTimeChange = (state: RealmState, now: number): RowChange | undefined => {
  const value = state.counters.get(TOLD)
  return value === undefined
    ? composeInsert('counters', { name: TOLD, value: now })
    : composeUpdate('counters', { name: TOLD, value }, { value: now })
}

/** When new members become full members, which changes groups and permissions without an entry in the log. */
import { isGuest, isModerator } from '#rules/roles.js'
import { DAY } from '#rules/time.js'
import { derivedValue } from '../log/derived-values.js'
import type { RealmState } from '../log/state.js'

/** Tables with the rows that decide who becomes a full member, and when. */
export const fullMemberTables = ['users', 'realms'] as const

/** When members become full members, in UNIX seconds, ascending. */
const findTimes = derivedValue<Float64Array>({
  name: 'full_members',
  tables: fullMemberTables,
  compute(state) {
    const wait = state.settings.waiting_period_threshold * DAY
    const members = [...state.users.values()].filter((user) => !isModerator(user) && !isGuest(user))
    return Float64Array.from(members, ({ date_joined }) => date_joined + wait).sort()
  },
})

/**
 * The number of members who are full members by now. While the rows of `fullMemberTables` are the same, equal numbers
 * mean the same full members.
 * @param now UNIX milliseconds
 */
export const countFullMembers = (state: RealmState, now: number): number =>
  countUpTo(findTimes(state), Math.floor(now / 1000))

/** How many of these ascending numbers are at most `limit`. */
const countUpTo = (ascending: Float64Array, limit: number): number => {
  let from = 0
  let to = ascending.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ascending[middle] ?? 0) <= limit) from = middle + 1
    else to = middle
  }
  return from
}

/** When new members become full members, which changes groups and permissions without an entry in the log. */
import { openDerivedValues } from '../log/derived-values.js'
import type { RealmState } from '../log/state.js'
import { DAY, isGuest, isModerator } from '../permissions/permissions.js'

const findTimes = openDerivedValues<Float64Array>()

/**
 * A text that differs between two times when the full members do.
 * @param now UNIX milliseconds
 */
export const fullMembersVersion = (state: RealmState, now: number): string => {
  const version = state.versionOf(['users', 'realms'])
  const times = findTimes(state, '', version, () => {
    const wait = state.settings.waiting_period_threshold * DAY
    const members = [...state.users.values()].filter((user) => !isModerator(user) && !isGuest(user))
    return Float64Array.from(members, ({ date_joined }) => date_joined + wait).sort()
  })
  return `${version} ${countUpTo(times, Math.floor(now / 1000))}`
}

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

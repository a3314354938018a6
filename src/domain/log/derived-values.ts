/**
 * Values that are computed from a realm's state, and kept as long as the rows that they depend on are the same.
 */
import type { RealmState } from './state.js'

interface Known<T> {
  version: number | string
  value: T
}

/** Returns the value of this name for a state. `compute` runs when there is none of this version yet. */
export type FindDerived<T> = (
  state: RealmState,
  name: string,
  version: number | string,
  compute: (former: T | undefined) => T,
) => T

/**
 * Opens a cache of derived values.
 *
 * A value is kept with the state object, so it ends with it. Names come from few possibilities: nothing removes one.
 * `compute` gets the former value, of which it can keep the parts that have not changed.
 */
export const openDerivedValues = <T>(): FindDerived<T> => {
  const states = new WeakMap<RealmState, Map<string, Known<T>>>()
  return (state, name, version, compute) => {
    let known = states.get(state)
    if (known === undefined) {
      known = new Map()
      states.set(state, known)
    }
    const former = known.get(name)
    if (former?.version === version) return former.value
    const value = compute(former?.value)
    known.set(name, { version, value })
    return value
  }
}

/**
 * A change of several steps, each of which builds on those before it.
 *
 * A step is a pure function from a state to the entries that change it. A request that renames an account and changes
 * its role and its address is three steps: the first step that throws decides the error, and either all steps are
 * committed or none.
 */
import type { NewEntry } from './entry.js'
import type { RealmState } from './state.js'

/** One step: the entries that change the state. Throws the ApiError of a refusal. */
export type Step = (state: RealmState) => readonly NewEntry[]

/** The entries of all steps, in order, and the state after them. */
export const runSteps = (state: RealmState, steps: readonly Step[]): { entries: NewEntry[]; after: RealmState } => {
  const entries: NewEntry[] = []
  let after = state
  for (const step of steps) {
    const stepEntries = step(after)
    // One by one: a step can have an entry for each account.
    for (const entry of stepEntries) entries.push(entry)
    const rows = stepEntries.flatMap((entry) => entry.rows ?? [])
    if (rows.length > 0) after = after.withChanges(rows)
  }
  return { entries, after }
}

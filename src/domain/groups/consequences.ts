/**
 * What a change of roles, groups or settings means beside itself: who is in which system group, and who sees which
 * channels.
 */
import { accessChanges, accessEntries } from '../channels/access-changes.js'
import type { RealmState } from '../log/state.js'
import { runSteps, type Step } from '../log/steps.js'
import { systemGroupChanges } from './system-group-changes.js'

/** The entries of all steps, and of what they mean for the system groups and for the access to channels. */
export const withConsequences = (state: RealmState, steps: readonly Step[]): ReturnType<typeof runSteps> => {
  const { entries, after } = runSteps(state, steps)
  const consequences = [...systemGroupChanges(state, after), ...accessEntries(after, accessChanges(state, after))]
  return { entries: [...entries, ...consequences], after }
}

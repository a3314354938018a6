/**
 * The consequences of a change of roles, groups or settings: the members of the system groups, and the channels that
 * users see.
 */
import { announceAccessChanges, compareAccess } from '../channels/access-changes.js'
import type { RealmState } from '../log/state.js'
import { runSteps, type Step } from '../log/steps.js'
import { systemGroupChanges } from './system-group-changes.js'

/**
 * Runs the steps, and adds the entries for their consequences. These are changed system groups and changed access to
 * channels.
 */
export const runStepsWithConsequences = (state: RealmState, steps: readonly Step[]): ReturnType<typeof runSteps> => {
  const { entries, after } = runSteps(state, steps)
  const consequences = [
    ...systemGroupChanges(state, after),
    ...announceAccessChanges(after, compareAccess(state, after)),
  ]
  return { entries: [...entries, ...consequences], after }
}

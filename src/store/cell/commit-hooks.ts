/**
 * What every commit does besides its change, also that of a job, a schedule or an operator.
 *
 * 1. The order is that in which the hooks run: a refusal comes before the work of the others.
 * 2. Limits and the audit log concern changes that have an actor. The system may exceed limits, and its changes have
 *    no record.
 */
import { recordAuditEvent } from '../audit/record-acts.js'
import { limitRowCounts } from '../limits/row-counts.js'
import type { CommitHook } from '../log/write-context.js'
import { followReach } from '../messages/flags/reach.js'
import { composeVisibilityConsequences } from '../users/guest-visibility.js'

/** The hooks of all processes. */
export const commitHooks: readonly CommitHook[] = [
  limitRowCounts,
  composeVisibilityConsequences,
  followReach,
  recordAuditEvent,
]

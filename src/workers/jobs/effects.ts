/**
 * Carries out the effect of a job and marks the job as done in one transaction.
 * So the effect happens once, however often and in however many processes the job runs.
 */

import { claimJob, finishJob } from '../../store/jobs/job-table.js'
import {
  type Change,
  type Committed,
  commit,
  entriesChange,
  publishCommitted,
  transaction,
} from '../../store/log/change.js'
import type { WriteContext } from '../../store/log/write-context.js'
import type { Transaction } from '../../store/sql.js'

/** The effect of a job on the database: a change, or statements that write their entries to the log by themselves. */
export type Effect = { change: Change } | { store(tx: Transaction): Promise<Committed> }

/** The effect of a job for which nothing is left to do. */
export const noEffect: Effect = { change: entriesChange([]) }

/** The job is already done, or another process has locked it. */
class NotClaimedError extends Error {}

/** Carries out the effect of a job, unless the job is already done. Throws StaleStateError. */
export const applyEffect = async (context: WriteContext, job_id: number, effect: Effect): Promise<void> => {
  const claim = async (tx: Transaction) => {
    if (!(await claimJob(tx, job_id))) throw new NotClaimedError()
  }
  try {
    if ('store' in effect) {
      const committed = await transaction(context.sql, async (tx) => {
        await claim(tx)
        const stored = await effect.store(tx)
        await finishJob(tx, job_id)
        return stored
      })
      publishCommitted(context, committed)
      return
    }
    await commit(context, async (tx) => {
      await claim(tx)
      const outcome = await effect.change(tx)
      // Sent with the entries, so that it costs no round trip of its own.
      return { ...outcome, underHeadLock: (head) => [...(outcome.underHeadLock?.(head) ?? []), finishJob(tx, job_id)] }
    })
  } catch (error) {
    if (!(error instanceof NotClaimedError)) throw error
  }
}

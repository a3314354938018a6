/**
 * The effect of a job and the mark that the job is done, in one transaction: so the effect happens once, however often
 * and in however many processes the job runs.
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

/** What a job does in the database: a change, or statements that place their entries in the log by themselves. */
export type Effect = { change: Change } | { store(tx: Transaction): Promise<Committed> }

/** The effect of a job that has nothing to do any more. */
export const noEffect: Effect = { change: entriesChange([]) }

/** The job is done already, or another process has it. */
class NotClaimedError extends Error {}

/** Carries out the effect of a job, unless it is carried out already. Throws StaleStateError. */
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
      return { ...outcome, afterHead: (head) => [...(outcome.afterHead?.(head) ?? []), finishJob(tx, job_id)] }
    })
  } catch (error) {
    if (!(error instanceof NotClaimedError)) throw error
  }
}

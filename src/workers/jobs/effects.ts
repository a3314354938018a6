/**
 * The effect of a job and the mark that it is done, in one transaction: so it happens once, however often and in
 * however many processes the job runs.
 */

import { claimJob, finishJob } from '../../store/jobs/job-table.js'
import { type Change, type Committed, commit, publishCommitted, transaction } from '../../store/log/change.js'
import type { Realm } from '../../store/log/realm.js'
import type { WriteContext } from '../../store/log/write-context.js'
import { type Send, type Stored, storeSends } from '../../store/messages/sending/combiner.js'
import { needsOwnTransaction, storeInOwnTransaction } from '../../store/messages/sending/own-transaction-sends.js'
import type { Transaction } from '../../store/sql.js'

/** What a job does: a change, or messages. A job whose occasion has passed does an empty change. */
export type Effect = { change: Change<unknown> } | { sends: readonly Send[] }

/** The job was done before, or another process has it. */
class NotOurs extends Error {}

/**
 * Carries out a job's effect, decided on the realm's state at the guard, unless it was carried out already.
 * @returns whether it was now. Throws StaleStateError.
 */
export const carryOut = async (context: WriteContext, job_id: number, effect: Effect): Promise<boolean> => {
  if ('sends' in effect && effect.sends.length > 0) return sendOnce(context, job_id, effect.sends)
  const change: Change<unknown> = 'change' in effect ? effect.change : { entries: [] }
  try {
    await commit(context, {
      ...change,
      async before(tx) {
        if (!(await claimJob(tx, job_id))) throw new NotOurs()
        return change.before?.(tx)
      },
      statements: (tx, head) => [...(change.statements?.(tx, head) ?? []), finishJob(tx, job_id)],
    })
    return true
  } catch (error) {
    if (error instanceof NotOurs) return false
    throw error
  }
}

const sendOnce = async (context: WriteContext, job_id: number, sends: readonly Send[]): Promise<boolean> => {
  const committed = await transaction(context.sql, async (tx): Promise<Committed> => {
    if (!(await claimJob(tx, job_id))) return { entries: [], jobs: [] }
    const stored = await storeAll(tx, context.realm, sends)
    await finishJob(tx, job_id)
    return stored
  })
  publishCommitted(context, committed)
  return committed.entries.length > 0
}

const storeAll = async (tx: Transaction, realm: Realm, sends: readonly Send[]): Promise<Omit<Stored, 'first'>> => {
  if (!sends.some(needsOwnTransaction)) return storeSends(tx, realm.id, sends)
  const all: Stored[] = []
  for (const send of sends) all.push(await storeInOwnTransaction(tx, realm, send))
  return { entries: all.flatMap(({ entries }) => entries), jobs: all.flatMap(({ jobs }) => jobs) }
}

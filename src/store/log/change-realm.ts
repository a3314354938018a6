/**
 * Changes a realm outside of a first attempt of a call: for jobs, for operators, and for the later parts of a request.
 *
 * 1. Each attempt has a context of its own, which is opened before the attempt reads anything: its guard covers what it
 *    reads.
 * 2. If another change was committed first, everything that was committed is applied here, and the change is attempted
 *    again. So an attempt has no effect but its commit.
 * 3. After MAX_ATTEMPTS the change fails with SERVER_NOT_READY. It never fails with StaleStateError: inside of a call,
 *    that would make the pipeline repeat the whole call.
 */
import { errors } from '../../domain/protocol/errors.js'
import { StaleStateError } from './log.js'
import type { Realm } from './realm.js'
import type { WriteContext } from './write-context.js'

/** How often a change is attempted whose state is stale each time. */
const MAX_ATTEMPTS = 50

/**
 * Attempts a change until its state is not stale. Throws what the change throws, and SERVER_NOT_READY (3).
 * @param context names the realm, the actor and the connections
 * @param change commits with the context of the attempt
 */
export const changeRealm = <T>(context: WriteContext, change: (write: WriteContext) => Promise<T>): Promise<T> =>
  retryOnStaleState(context.realm, () => change(context.reopen()))

/** Runs `attempt`, again and again while it throws StaleStateError (2). Throws SERVER_NOT_READY (3). */
export const retryOnStaleState = async <T>(
  realm: Pick<Realm, 'counts' | 'catchUp'>,
  attempt: (round: number) => Promise<T>,
): Promise<T> => {
  for (let round = 1; ; round++) {
    try {
      return await attempt(round)
    } catch (error) {
      if (!(error instanceof StaleStateError)) throw error
      realm.counts.guardRetries += 1
      if (round === MAX_ATTEMPTS) throw errors.notReady()
      await realm.catchUp()
    }
  }
}

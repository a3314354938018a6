/** The end of a second factor by someone else, because its user has lost it. */
import { runSteps } from '../../domain/log/steps.js'
import { renewKey } from '../../domain/users/accounts/account-changes.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import type { Queues } from '../register/event-queues.js'
import { composeSecondFactorMail, recordSecondFactorAct, type SecondFactorAct } from './second-factor-acts.js'
import { deleteSecondFactor } from './second-factors.js'

/**
 * Ends the second factor of an account, all its sessions and its API key. The finder of the lost device has them
 * too. The user is mailed. The caller holds the structure lock. Throws BAD_REQUEST when there is no such
 * account, and StaleStateError.
 */
export const endSecondFactor = async (
  write: WriteContext,
  queues: Pick<Queues, 'removeAll'>,
  user_id: number,
  actor: SecondFactorAct['actor'],
  realm_url: string,
): Promise<void> => {
  const { id: realm_id, state } = write.realm
  const act = { user_id, happened: 'ended', actor } as const
  const { entries } = runSteps(state, [renewKey(user_id)])
  await commit(write, async (tx) => ({
    entries,
    jobs: [composeSecondFactorMail(act, realm_url)],
    underHeadLock: () => [deleteSecondFactor(tx, realm_id, user_id), recordSecondFactorAct(tx, realm_id, act)],
  }))
  await queues.removeAll(realm_id, [user_id])
}

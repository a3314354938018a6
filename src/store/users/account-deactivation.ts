/** Writes the deactivation of an account, for callers of the API and for the operator. */

import type { UserRow } from '../../domain/log/rows.js'
import { runSteps } from '../../domain/log/steps.js'
import { deactivateAccount } from '../../domain/users/account-activation.js'
import { invitesChanged } from '../../domain/users/invitation-entries.js'
import type { JobSpec } from '../jobs/job-table.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import type { Queues } from '../register/event-queues.js'
import { loadAccount } from './account-changes.js'
import { revokeUserInvitations } from './invitations.js'

/**
 * Deactivates the account, revokes its invitations and deletes its event queues: a reactivation does not restore these.
 * @param host the organization's host name
 * @param jobs are written in the same transaction
 */
export const commitDeactivation = async (
  write: WriteContext,
  queues: Pick<Queues, 'removeAll'>,
  host: string,
  user: UserRow,
  jobs: readonly JobSpec[] = [],
): Promise<void> => {
  const { realm } = write
  const { state } = realm
  const account = await loadAccount(write, state, user, host)
  const { entries, after } = runSteps(state, deactivateAccount(state, account))
  const deactivated = [...state.users.values()].filter(
    ({ id, is_active }) => is_active && !after.users.get(id)?.is_active,
  )
  await commit(write, async (tx) => {
    const hadInvitations = await revokeUserInvitations(tx, realm.id, user.id)
    return { entries: [...entries, ...(hadInvitations ? [invitesChanged({ inviter_ids: [] })] : [])], jobs }
  })
  await queues.removeAll(
    realm.id,
    deactivated.map(({ id }) => id),
  )
}

/** Writes the deactivation and the reactivation of an account, for callers of the API and for the operator. */

import type { UserRow } from '../../domain/log/rows.js'
import { runSteps } from '../../domain/log/steps.js'
import { deactivateAccount, reactivateAccount } from '../../domain/users/accounts/account-activation.js'
import { requireUser } from '../../domain/users/accounts/account-changes.js'
import { invitesChanged } from '../../domain/users/accounts/invitation-entries.js'
import type { JobSpec } from '../jobs/job-table.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import type { Queues } from '../register/event-queues.js'
import { loadAccount } from './account-changes.js'
import { composeCredentialMails } from './credential-mails.js'
import { revokeUserInvitations } from './invitations.js'
import { removePasswords } from './passwords.js'

/** What a deactivation does beside the account itself. */
interface DeactivationOptions {
  /** are written in the same transaction */
  jobs?: readonly JobSpec[]
  /** ends the API keys of the account and its bots, the mailed links, and the password: a reactivation restores none */
  endsCredentials?: boolean
}

/**
 * Deactivates the account, revokes its invitations and deletes its event queues. A reactivation does not restore these.
 * Throws StaleStateError.
 * @param host the organization's host name
 */
export const commitDeactivation = async (
  write: WriteContext,
  queues: Pick<Queues, 'removeAll'>,
  host: string,
  user: UserRow,
  { jobs = [], endsCredentials = false }: DeactivationOptions = {},
): Promise<void> => {
  const { realm } = write
  const { state } = realm
  const account = await loadAccount(write, state, user, host)
  const { entries, after } = runSteps(state, deactivateAccount(state, account, endsCredentials))
  const deactivated = [...state.users.values()].filter(
    ({ id, is_active }) => is_active && !after.users.get(id)?.is_active,
  )
  await commit(write, async (tx) => {
    const hadInvitations = await revokeUserInvitations(tx, realm.id, user.id)
    if (endsCredentials) await removePasswords(tx, realm.id, [user.id])
    return { entries: [...entries, ...(hadInvitations ? [invitesChanged({ inviter_ids: [] })] : [])], jobs }
  })
  await queues.removeAll(
    realm.id,
    deactivated.map(({ id }) => id),
  )
}

/** What a reactivation changes beside the account itself. */
interface ReactivationOptions {
  /** the owner from now on, if the account is a bot; undefined: as before */
  bot_owner_id?: number | null
  /** ends the API key of before, the mailed links, and the password; a user whom another one reactivates is mailed */
  endsCredentials?: boolean
  actor?: UserRow
}

/**
 * Reactivates the account; does nothing to an active one. Throws BAD_REQUEST when there is no such account, and
 * StaleStateError.
 * @param host the organization's host name
 */
export const commitReactivation = async (
  write: WriteContext,
  host: string,
  user: UserRow,
  { bot_owner_id = user.bot_owner_id, endsCredentials = false, actor }: ReactivationOptions = {},
): Promise<void> => {
  const { realm } = write
  const { state } = realm
  const account = await loadAccount(write, state, user, host)
  const { entries, after } = runSteps(state, [reactivateAccount(account, bot_owner_id, endsCredentials)])
  if (entries.length === 0) return
  const present = requireUser(after, user.id)
  // A bot has no password.
  const ended = user.is_bot ? 'api_key' : 'credentials'
  const jobs = actor === undefined ? [] : composeCredentialMails(after, actor, user, present, ended)
  await commit(write, async (tx) => {
    if (endsCredentials) await removePasswords(tx, realm.id, [user.id])
    return { entries, jobs }
  })
}

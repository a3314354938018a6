/**
 * Changes accounts and groups as a directory says: a part of a run (store/log-in/directory-runs.ts).
 *
 * 1. The changes are those that an administrator makes, with their events, and are in the audit log.
 * 2. What the organization does not accept any more since the plan was made is left out: the next run plans it anew.
 * 3. The last owner stays, whatever has happened since the plan was made.
 */
import { composeAct } from '../../domain/audit/audit.js'
import { runStepsWithConsequences } from '../../domain/groups/consequences.js'
import { addMembers, removeMembers } from '../../domain/groups/group-members.js'
import type { NewEntry } from '../../domain/log/entry.js'
import type { RealmState } from '../../domain/log/state.js'
import { runSteps, type Step } from '../../domain/log/steps.js'
import type { AccountChange, GroupChange } from '../../domain/log-in/directory-synchronization.js'
import { ApiError } from '../../domain/protocol/errors.js'
import { deactivateAccount, reactivateAccount } from '../../domain/users/accounts/account-activation.js'
import { type Account, setAddress, setFullName, setRole } from '../../domain/users/accounts/account-changes.js'
import { isLastOwner } from '../../domain/users/accounts/account-rights.js'
import { invitesChanged } from '../../domain/users/accounts/invitation-entries.js'
import { composeRoleChangeEntries } from '../../domain/users/accounts/role-change-visibility.js'
import { validateFullName, validateNewEmail } from '../../domain/users/name-and-email-rules.js'
import { storeAct } from '../../store/audit/record-acts.js'
import type { JobSpec } from '../../store/jobs/job-table.js'
import { directoryActor, storeDirectoryAccount } from '../../store/log-in/directory-runs.js'
import { loadAccount } from '../../store/users/account-changes.js'
import { revokeUserInvitations } from '../../store/users/invitations.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const directoryChanges: JobHandler<'directory_changes'> = async ({ write, realm, payload, realmHost }) => {
  const { directory, accounts, groups } = payload
  const { state } = realm
  const host = realmHost(state.realm.string_id)
  const entries: NewEntry[] = []
  const jobs: JobSpec[] = []
  let after = state
  const apply = (steps: readonly Step[], run = runStepsWithConsequences): boolean => {
    try {
      const done = run(after, steps)
      entries.push(...done.entries)
      after = done.after
      return done.entries.length > 0
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return false
    }
  }
  const activity = new Map<number, boolean>()
  for (const change of accounts) {
    const user = state.users.get(change.user_id)
    if (user === undefined || user.is_bot) continue
    const account = await loadAccount(write, state, user, host)
    if (change.is_active !== undefined && apply(composeActivitySteps(after, account, change), runSteps)) {
      activity.set(user.id, change.is_active)
    }
    if (after.users.get(user.id)?.is_active !== true) continue
    const before = after
    apply(composeNameSteps(account, change))
    if (apply(composeAddressSteps(account, change))) {
      const former_email = user.delivery_email
      jobs.push({ kind: 'email_changed_mail', payload: { user_id: user.id, former_email } })
    }
    apply(composeRoleSteps(after, account, change))
    entries.push(...composeRoleChangeEntries(before, after, user.id, account.partners))
  }
  for (const group of groups) apply(composeGroupSteps(after, group))
  const deactivated = [...state.users.values()].filter(
    ({ id, is_active }) => is_active && after.users.get(id)?.is_active === false,
  )
  if (deactivated.length > 0) {
    jobs.push({ kind: 'end_queues', payload: { user_ids: deactivated.map(({ id }) => id) } })
  }
  return {
    change: async (tx) => {
      let hadInvitations = false
      for (const [user_id, is_active] of activity) {
        if (!is_active && (await revokeUserInvitations(tx, realm.id, user_id))) hadInvitations = true
        await storeDirectoryAccount(tx, realm.id, user_id, directory, { is_deactivated: !is_active })
      }
      const all = [...entries, ...(hadInvitations ? [invitesChanged({ inviter_ids: [] })] : [])]
      if (composeAct(all, null) !== undefined) await storeAct(tx, realm.id, directoryActor({ key: directory }), all)
      return { entries: all, jobs }
    },
  }
}

const composeActivitySteps = (state: RealmState, account: Account, { is_active }: AccountChange): Step[] => {
  const user = state.users.get(account.id)
  if (user === undefined || user.is_active === is_active) return []
  if (is_active === true) return [reactivateAccount(account, user.bot_owner_id)]
  return isLastOwner(state, user) ? [] : deactivateAccount(state, account, false)
}

const composeNameSteps = (account: Account, { full_name }: AccountChange): Step[] =>
  full_name === undefined
    ? []
    : [(state) => setFullName(account, validateFullName(state, full_name, account.id))(state)]

const composeAddressSteps = (account: Account, { email }: AccountChange): Step[] =>
  email === undefined ? [] : [(state) => setAddress(account, validateNewEmail(state, email, account.id))(state)]

const composeRoleSteps = (state: RealmState, account: Account, { role }: AccountChange): Step[] => {
  const user = state.users.get(account.id)
  if (role === undefined || user === undefined || isLastOwner(state, user)) return []
  return [setRole(account, role)]
}

const composeGroupSteps = (state: RealmState, { group_id, add, remove }: GroupChange): Step[] => {
  const group = state.groups.get(group_id)
  if (group === undefined || group.deactivated || group.is_system_group) return []
  const members = state.directMembers(group_id)
  const choose = (ids: readonly number[], isMember: boolean) =>
    ids.filter((id) => members.has(id) === isMember && state.users.get(id)?.is_active === true)
  const [added, removed] = [choose(add, false), choose(remove, true)]
  return [
    ...(added.length > 0 ? [addMembers(group_id, added)] : []),
    ...(removed.length > 0 ? [removeMembers(group_id, removed)] : []),
  ]
}

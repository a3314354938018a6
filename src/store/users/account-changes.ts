/**
 * The database part of changing an account: its direct conversation partners, the commit with its mails, and data that
 * settings switch off.
 */

import { runStepsWithConsequences } from '../../domain/groups/consequences.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import type { Step } from '../../domain/log/steps.js'
import type { UserSettings } from '../../domain/settings/user-settings.js'
import { type Account, requireUser } from '../../domain/users/accounts/account-changes.js'
import { composeRoleChangeEntries } from '../../domain/users/accounts/role-change-visibility.js'
import type { LastSeen } from '../../domain/users/presence/presence.js'
import { hasRestrictedGuests } from '../../domain/users/user-access.js'
import { commitEntries } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import { deleteAllDrafts } from '../messages/drafts.js'
import type { Queues } from '../register/event-queues.js'
import { loadPartnerIds } from '../register/registration-content.js'
import type { Db, Transaction } from '../sql.js'
import { composeCredentialMails } from './credential-mails.js'
import { hidePresence } from './presence.js'

/**
 * The account to be changed with this context. Its partners are read only in organizations with restricted guests.
 * There they are a precondition of the change, because a conversation that begins meanwhile changes no structure.
 */
export const loadAccount = async (
  write: WriteContext,
  state: RealmState,
  user: UserRow,
  host: string,
): Promise<Account> => {
  const partners = await loadAccountPartners(write.sql, state, user)
  if (needsPartners(state, user)) {
    write.addPrecondition(async (tx) => hasSameIds(partners, await loadAccountPartners(tx, state, user)))
  }
  return { id: user.id, host, partners }
}

/**
 * Loads the ids of the partners in the direct conversations of a human user. It loads none if no guest is restricted.
 */
export const loadAccountPartners = async (db: Db, state: RealmState, user: UserRow): Promise<number[]> =>
  needsPartners(state, user) ? loadPartnerIds(db, state.realm.id, user.id) : []

const needsPartners = (state: RealmState, user: UserRow): boolean => hasRestrictedGuests(state) && !user.is_bot

const hasSameIds = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && new Set([...a, ...b]).size === a.length

/**
 * Commits the steps, with the entries for a user whose role they change. If they change the API key or the address, the
 * user is mailed; with the key, the account's event queues end. Throws StaleStateError.
 */
export const commitAccountSteps = async (
  write: WriteContext,
  queues: Pick<Queues, 'removeAll'>,
  actor: UserRow,
  steps: readonly Step[],
  { id: user_id, partners }: Pick<Account, 'id' | 'partners'>,
): Promise<void> => {
  const { id: realm_id, state } = write.realm
  const { entries, after } = runStepsWithConsequences(state, steps)
  if (entries.length === 0) return
  const [previous, present] = [requireUser(state, user_id), requireUser(after, user_id)]
  const own = composeRoleChangeEntries(state, after, user_id, partners)
  await commitEntries(write, [...entries, ...own], composeCredentialMails(state, actor, previous, present))
  if (present.key_version !== previous.key_version) await queues.removeAll(realm_id, [user_id])
}

/** Deletes the data that the new settings of an account switch off. It deletes the drafts or hides the presence. */
export const deleteDisabledData = (
  tx: Transaction,
  realm_id: number,
  user_id: number,
  settings: Partial<UserSettings>,
  hidden: LastSeen | undefined,
): Promise<unknown>[] => [
  ...(settings.enable_drafts_synchronization === false ? [deleteAllDrafts(tx, realm_id, user_id)] : []),
  ...(hidden === undefined ? [] : [hidePresence(tx, realm_id, hidden)]),
]

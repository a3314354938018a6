/** The database part of changing an account: its direct conversation partners, and data that settings switch off. */

import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import type { UserSettings } from '../../domain/settings/user-settings.js'
import type { Account } from '../../domain/users/account-changes.js'
import type { LastSeen } from '../../domain/users/presence.js'
import { hasRestrictedGuests } from '../../domain/users/user-access.js'
import { deleteAllDrafts } from '../messages/drafts.js'
import { loadPartnerIds } from '../register/registration-content.js'
import type { Sql, Transaction } from '../sql.js'
import { hidePresence } from './presence.js'

/** The account to be changed. Its partners are read only in organizations with restricted guests, which need them. */
export const loadAccount = async (sql: Sql, state: RealmState, user: UserRow, host: string): Promise<Account> => ({
  id: user.id,
  host,
  partners: hasRestrictedGuests(state) && !user.is_bot ? await loadPartnerIds(sql, state.realm.id, user.id) : [],
})

/** Deletes the drafts or hides the presence of an account whose new settings switch them off. */
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

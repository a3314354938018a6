/** What changing an account takes beside the state in memory. */
import type { Account } from '../domain/account-changes.js'
import type { UserRow } from '../domain/rows.js'
import type { RealmState } from '../domain/state.js'
import { keepsGuestsApart } from '../domain/user-access.js'
import { partnersIn } from './snapshot.js'
import type { Sql } from './sql.js'

/** The account to be changed. Whom it talks with matters only where guests are kept apart, so only there it is asked. */
export const accountOf = async (sql: Sql, state: RealmState, user: UserRow, host: string): Promise<Account> => ({
  id: user.id,
  host,
  partners: keepsGuestsApart(state) && !user.is_bot ? await partnersIn(sql, state.realm.id, user.id) : [],
})

/**
 * Requested email changes. A mail to the new address contains a link that confirms the change.
 *
 * 1. An account has at most one open request: a new request replaces an older one, whose link becomes invalid.
 * 2. The transaction that changes the address deletes the request. A request expires after a day.
 * 3. The token in a link is derived from a secret (keys.ts), so the table does not reveal links.
 */

import type { RealmState } from '../../domain/log/state.js'
import { secondsNow } from '../../domain/permissions/permissions.js'
import type { Db, Sql, Transaction } from '../sql.js'

export interface EmailChangeRow {
  id: number
  user_id: number
  email: string
}

const LIFETIME_SECONDS = 86_400

/** Stores a request, replacing an older one (1). @returns its id */
export const requestEmailChange = async (
  tx: Transaction,
  realm_id: number,
  user_id: number,
  email: string,
): Promise<number> => {
  const now = secondsNow()
  await tx`
    delete from email_changes
    where realm_id = ${realm_id} and (user_id = ${user_id} or requested_at <= ${now - LIFETIME_SECONDS})`
  const [row] = await tx<{ id: number }[]>`
    insert into email_changes (realm_id, user_id, email, requested_at)
    values (${realm_id}, ${user_id}, ${email}, ${now})
    returning id`
  return (row as { id: number }).id
}

/** The open request with this id. */
export const loadEmailChange = async (sql: Sql, realm_id: number, id: number): Promise<EmailChangeRow | undefined> => {
  const [row] = await sql<EmailChangeRow[]>`
    select id, user_id, email from email_changes
    where realm_id = ${realm_id} and id = ${id} and requested_at > ${secondsNow() - LIFETIME_SECONDS}`
  return row
}

/** The open request to which the link with this token belongs. */
export const findEmailChangeByToken = async (
  sql: Sql,
  state: RealmState,
  token: string,
): Promise<EmailChangeRow | undefined> => {
  const { deployment, realm } = state
  const [, id, given] = /^(\d{1,15})-([0-9A-Za-z]{32})$/.exec(token) ?? []
  if (id === undefined || given === undefined) return undefined
  return deployment.keys.isEmailChangeKey(given, realm.id, Number(id))
    ? loadEmailChange(sql, realm.id, Number(id))
    : undefined
}

/** Deletes a request that is carried out. @returns false when it was used before, or replaced */
export const consumeEmailChange = async (tx: Db, realm_id: number, id: number): Promise<boolean> => {
  const used = await tx`delete from email_changes where realm_id = ${realm_id} and id = ${id}`
  return used.count > 0
}

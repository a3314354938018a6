/**
 * Requested email changes. A mail to the new address contains a link that confirms the change.
 *
 * 1. An account has at most one open request: a new request replaces an older one, whose link becomes invalid.
 * 2. The transaction that changes the address deletes the request. A request expires after a day.
 * 3. A request is open while the account has the address and the API key with which the user made it. So a user who had
 *    the account before its password, key or address changed cannot take it over with a link.
 * 4. The token in a link is derived from a secret (keys.ts), so the table does not reveal links.
 */

import { secondsNow } from '#rules/time.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { runSteps } from '../../domain/log/steps.js'
import { setAddress } from '../../domain/users/accounts/account-changes.js'
import { validateOwnEmail } from '../../domain/users/accounts/own-account.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import type { Db, Sql, Transaction } from '../sql.js'
import { loadAccount } from './account-changes.js'
import { mailedLinkExpired } from './mailed-links.js'

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
  { id: user_id, delivery_email, key_version }: Pick<UserRow, 'id' | 'delivery_email' | 'key_version'>,
  email: string,
): Promise<number> => {
  const now = secondsNow()
  await tx`
    delete from email_changes
    where realm_id = ${realm_id} and (user_id = ${user_id} or requested_at <= ${now - LIFETIME_SECONDS})`
  const [row] = await tx<{ id: number }[]>`
    insert into email_changes (realm_id, user_id, email, requested_at, key_version, former_email)
    values (${realm_id}, ${user_id}, ${email}, ${now}, ${key_version}, ${delivery_email})
    returning id`
  return (row as { id: number }).id
}

/** An open request, and the row of its account. */
export interface OpenEmailChange {
  change: EmailChangeRow
  user: UserRow
}

/** The request with this id, if it is open (2, 3). */
export const loadEmailChange = async (
  sql: Sql,
  state: RealmState,
  id: number,
): Promise<OpenEmailChange | undefined> => {
  const [change] = await sql<(EmailChangeRow & { key_version: number; former_email: string })[]>`
    select id, user_id, email, key_version, former_email from email_changes
    where realm_id = ${state.realm.id} and id = ${id} and requested_at > ${secondsNow() - LIFETIME_SECONDS}`
  const user = change && state.users.get(change.user_id)
  if (change === undefined || user?.is_active !== true) return undefined
  const isSameAccess = change.key_version === user.key_version && change.former_email === user.delivery_email
  return isSameAccess ? { change, user } : undefined
}

/** The open request to which the link with this token belongs. */
export const findEmailChangeByToken = async (
  sql: Sql,
  state: RealmState,
  token: string,
): Promise<OpenEmailChange | undefined> => {
  const { deployment, realm } = state
  const [, id, input] = /^(\d{1,15})-([0-9A-Za-z]{32})$/.exec(token) ?? []
  if (id === undefined || input === undefined) return undefined
  return deployment.keys.isEmailChangeKey(input, realm.id, Number(id))
    ? loadEmailChange(sql, state, Number(id))
    : undefined
}

/**
 * Carries out a request: changes the address of its account.
 * @param host the organization's host name
 * Throws BAD_REQUEST when the link or the address is no longer valid, and StaleStateError.
 */
export const applyEmailChange = (context: WriteContext, host: string, change_id: number): Promise<void> =>
  context.withStructureLock(async (write) => {
    const { realm } = write
    const { state } = realm
    const found = await loadEmailChange(write.sql, state, change_id)
    if (found === undefined || !state.realm.is_active) throw mailedLinkExpired()
    const { change, user } = found
    const email = validateOwnEmail(state, user, change.email)
    const account = await loadAccount(write, state, user, host)
    await commit(write, async (tx) => {
      if (!(await consumeEmailChange(tx, realm.id, change.id))) throw mailedLinkExpired()
      return {
        entries: runSteps(state, [setAddress(account, email)]).entries,
        jobs: [{ kind: 'email_changed_mail', payload: { user_id: user.id, former_email: user.delivery_email } }],
      }
    })
  })

/** Deletes a request that is carried out. @returns false when it was used before, or replaced */
const consumeEmailChange = async (tx: Db, realm_id: number, id: number): Promise<boolean> => {
  const used = await tx`delete from email_changes where realm_id = ${realm_id} and id = ${id}`
  return used.count > 0
}

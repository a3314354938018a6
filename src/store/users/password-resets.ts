/**
 * New passwords by a link in a mail.
 *
 * 1. A link is valid for a day and can be used once. Its key is derived from the password hash, the version of the API
 *    key and the address, so any change of these makes it invalid, and so does a deactivation.
 * 2. A new password replaces the API key too: an attacker who knew the former one has no access any more.
 */
import { secondsNow } from '#rules/time.js'
import type { PasswordReset } from '../../domain/deployment/api-key.js'
import type { UserRow } from '../../domain/log/rows.js'
import { runSteps } from '../../domain/log/steps.js'
import { renewKey } from '../../domain/users/accounts/account-changes.js'
import type { JobSpec } from '../jobs/job-table.js'
import { commit, commitEntries } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import type { WriteContext } from '../log/write-context.js'
import type { Sql } from '../sql.js'
import { mailedLinkExpired } from './mailed-links.js'
import { loadPasswordHash, replacePassword } from './passwords.js'

/** Whether the user can have a password. */
export const canResetPassword = (user: UserRow): boolean => user.is_active && !user.is_bot

/** Stores the job that mails the link. @param realm_url what the link begins with */
export const enqueueResetMail = (context: WriteContext, user: UserRow, realm_url: string): Promise<void> => {
  const jobs: JobSpec[] = [{ kind: 'password_reset_mail', payload: { user_id: user.id, realm_url } }]
  return context.withStructureLock((write) => commitEntries(write, [], jobs))
}

/** The password reset of a link; undefined when the link is not valid any more (1). */
export const findPasswordReset = async (
  sql: Sql,
  { id, state }: Realm,
  input: string,
): Promise<PasswordReset | undefined> => {
  const [, user_id, expires_at, key] = /^(\d{1,9})-(\d{1,12})-([0-9A-Za-z]{32})$/.exec(input) ?? []
  if (key === undefined || Number(expires_at) < secondsNow()) return undefined
  const user = state.users.get(Number(user_id))
  if (user === undefined || !canResetPassword(user)) return undefined
  const password_hash = (await loadPasswordHash(sql, id, user.id)) ?? ''
  const { key_version, delivery_email } = user
  const reset = { user_id: user.id, expires_at: Number(expires_at), password_hash, key_version, delivery_email }
  return state.deployment.keys.isPasswordResetKey(key, id, reset) ? reset : undefined
}

/**
 * Sets the new password of an account, and replaces its API key (2).
 * @param input the token of the link
 * @param realm_url what the link in the mail about it begins with
 * Throws BAD_REQUEST when the link is not valid any more, and StaleStateError.
 */
export const resetPassword = (
  context: WriteContext,
  input: string,
  password_hash: string,
  realm_url: string,
): Promise<void> =>
  context.withStructureLock(async (write) => {
    const { sql, realm } = write
    // Verified again, because the account may have changed while the password was hashed.
    const reset = await findPasswordReset(sql, realm, input)
    if (reset === undefined) throw mailedLinkExpired()
    const { user_id, password_hash: previous } = reset
    const { entries } = runSteps(realm.state, [renewKey(user_id)])
    await commit(write, async (tx) => {
      if (!(await replacePassword(tx, realm.id, user_id, previous, password_hash))) throw mailedLinkExpired()
      return { entries, jobs: [{ kind: 'password_changed_mail', payload: { user_id, realm_url } }] }
    })
  })

/**
 * Mails about credentials that another user changed: the address of an account, or its API key.
 *
 * The mail goes to the user of the account; for a bot, to its owner. A new address is reported to both addresses, so
 * that a hostile change does not stay hidden from the user.
 */
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import type { JobSpec } from '../jobs/job-table.js'

/**
 * Composes the jobs that mail what `actor` changed between two rows of an account. There are none if the account is the
 * actor's own.
 * @param ended what ended if the key differs
 */
export const composeCredentialMails = (
  state: RealmState,
  actor: UserRow,
  previous: UserRow,
  present: UserRow,
  ended: 'api_key' | 'credentials' = 'api_key',
): JobSpec[] => {
  const holder = previous.is_bot ? state.users.get(previous.bot_owner_id ?? 0) : previous
  if (holder === undefined || holder.id === actor.id) return []
  const { id: user_id, delivery_email: former_email } = previous
  const base = { user_id, actor_id: actor.id }
  const jobs: JobSpec[] = []
  if (former_email !== present.delivery_email) {
    const addresses = previous.is_bot ? [holder.delivery_email] : [former_email, present.delivery_email]
    for (const to of addresses)
      jobs.push({ kind: 'credentials_mail', payload: { ...base, to, changed: 'email', former_email } })
  }
  if (previous.key_version !== present.key_version) {
    jobs.push({ kind: 'credentials_mail', payload: { ...base, to: holder.delivery_email, changed: ended } })
  }
  return jobs
}

/**
 * Log-ins of late: an account is mailed about one that is like none of them.
 *
 * 1. Log-ins are alike that come by the same program from the same network. They are remembered for three months.
 * 2. So many are known of an account and no more, which also bounds its mails: whoever has the password cannot fill
 *    the table, or the mailbox.
 */

import type { UserRow } from '../../domain/log/rows.js'
import { callerNetwork } from '../../domain/net/client-address.js'
import { type JobPayloads, writeJobs } from '../jobs/job-table.js'
import type { WriteContext } from '../log/write-context.js'

const REMEMBERED_SECS = 90 * 86_400
const MAX_REMEMBERED = 50
/** Whoever has had an account for less than this has just made it, in seconds. */
const NEW_ACCOUNT_SECS = 60

/** Notes that somebody logged in, and has them mailed if that is news and they want to hear of it. */
export const recordLogin = async (
  { dependencies: { sql, enqueueJobs }, realm: { id: realm_id } }: WriteContext,
  user: UserRow,
  login: Omit<JobPayloads['login_mail'], 'user_id'>,
): Promise<void> => {
  const { at, client } = login
  const network = callerNetwork(login.ip)
  const jobs = await sql.begin(async (tx) => {
    await tx`
      delete from logins
      where realm_id = ${realm_id} and user_id = ${user.id} and last_at < ${at - REMEMBERED_SECS}`
    const known = await tx`
      update logins set last_at = ${at}
      where realm_id = ${realm_id} and user_id = ${user.id} and client = ${client} and network = ${network}`
    if (known.count > 0) return []
    const added = await tx`
      insert into logins (realm_id, user_id, client, network, last_at)
      select ${realm_id}, ${user.id}, ${client}, ${network}, ${at}
      where (select count(*) from logins where realm_id = ${realm_id} and user_id = ${user.id}) < ${MAX_REMEMBERED}
      on conflict do nothing`
    if (added.count === 0 || user.date_joined > at - NEW_ACCOUNT_SECS) return []
    return writeJobs(tx, realm_id, [{ kind: 'login_mail', payload: { ...login, user_id: user.id } }])
  })
  if (jobs.length > 0) enqueueJobs(jobs)
}

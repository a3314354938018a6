/**
 * Recent logins. An account is mailed about a login that resembles none of them, and password attempts from the network
 * of one of them are not refused because of wrong attempts elsewhere (gateway/api/accounts/password-attempts.ts).
 *
 * 1. Two logins are alike if client and network are the same. A login is remembered for three months.
 * 2. At most MAX_REMEMBERED logins of an account are stored, which also limits its mails: an attacker with the password
 *    can fill neither the table nor the mailbox.
 */

import { secondsNow } from '#rules/time.js'
import type { UserRow } from '../../domain/log/rows.js'
import { callerNetwork } from '../../domain/net/client-address.js'
import { type JobPayloads, writeJobs } from '../jobs/job-table.js'
import type { WriteContext } from '../log/write-context.js'
import type { Sql } from '../sql.js'

const REMEMBERED_SECS = 90 * 86_400
const MAX_REMEMBERED = 50
/** A login this soon after the account was created causes no mail, in seconds. */
const NEW_ACCOUNT_SECS = 60

/** Records a login. If it is unlike the recorded ones, adds the job that mails the user about it. */
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

/** Whether a login to the account from the network of this address is recorded (1). The address is an IP address. */
export const isKnownNetwork = async (sql: Sql, realm_id: number, user_id: number, ip: string): Promise<boolean> => {
  const since = secondsNow() - REMEMBERED_SECS
  const known = await sql`
    select from logins
    where realm_id = ${realm_id} and user_id = ${user_id} and network = ${callerNetwork(ip)} and last_at >= ${since}
    limit 1`
  return known.count > 0
}

/** What happens to the second factors of accounts: the record in the audit log, and the mail to the user. */
import { secondsNow } from '#rules/time.js'
import { type JobPayloads, type JobSpec, writeJobs } from '../jobs/job-table.js'
import type { Actor, WriteContext } from '../log/write-context.js'
import { type Db, json } from '../sql.js'

/** What happened. */
export type SecondFactorEvent = JobPayloads['second_factor_mail']['happened']

/** What happened to the second factor of an account, and who caused it. */
export interface SecondFactorAct {
  /** the account */
  readonly user_id: number
  readonly happened: SecondFactorEvent
  /** who did it; a log-in is one of the account itself, a command one of nobody */
  readonly actor: Pick<Actor, 'user_id' | 'address' | 'action'>
}

/** Records an act in the audit log. */
export const recordSecondFactorAct = async (
  db: Db,
  realm_id: number,
  { user_id, happened, actor }: SecondFactorAct,
): Promise<void> => {
  const changes = [{ table: 'second_factors', key: { user_id }, before: null, after: { result: happened } }]
  await db`
    insert into audit_log (realm_id, user_id, address, action, changes)
    values (${realm_id}, ${actor.user_id}, ${actor.address}, ${actor.action}, ${json(db, changes)})`
}

/** The job that mails the user about an act. @param realm_url what the links of the mail begin with */
export const composeSecondFactorMail = ({ user_id, happened, actor }: SecondFactorAct, realm_url: string): JobSpec => {
  const actor_id = actor.user_id === user_id ? null : actor.user_id
  return {
    kind: 'second_factor_mail',
    payload: { user_id, happened, actor_id, ip: actor.address, at: secondsNow(), realm_url },
  }
}

/**
 * Records an act, and mails the user about it unless `realm_url` is undefined.
 * @param change the statements of the act, in the same transaction. Throws what they throw.
 */
export const commitSecondFactorAct = async (
  { dependencies: { sql, enqueueJobs }, realm: { id: realm_id } }: WriteContext,
  act: SecondFactorAct,
  realm_url: string | undefined,
  change: (tx: Db) => Promise<unknown> = async () => {},
): Promise<void> => {
  const jobs = await sql.begin(async (tx) => {
    await change(tx)
    await recordSecondFactorAct(tx, realm_id, act)
    return await writeJobs(tx, realm_id, realm_url === undefined ? [] : [composeSecondFactorMail(act, realm_url)])
  })
  if (jobs.length > 0) enqueueJobs(jobs)
}

/** Log-ins with a provider in the audit log: who came in, who was refused and why, and what was linked. */
import type { AccountSource } from '../../domain/log-in/external-log-in.js'
import type { Actor } from '../log/write-context.js'
import { type Db, json } from '../sql.js'

/** The end of a log-in, whose caller has no account yet and so is no actor. */
export const END_OF_LOG_IN = 'GET /accounts/login/external/{method}/callback'

/** How a log-in ended. The reason says why it was refused, or what of the mapping was left out. */
export type LogInResult = 'entered' | 'linked' | 'created' | 'unlinked' | 'refused'

/** Records a log-in, in the name of the account if it is known. */
export const recordLogInAct = async (
  db: Db,
  realm_id: number,
  { address, action = END_OF_LOG_IN }: Pick<Actor, 'address'> & Partial<Pick<Actor, 'action'>>,
  method: Pick<AccountSource, 'key' | 'name'>,
  input: { user_id: number | null; result: LogInResult; reason?: string; email?: string },
): Promise<void> => {
  const { user_id, result, reason = '', email = '' } = input
  const after = { provider: method.name, result, reason, address: email }
  const changes = [{ table: 'log_ins', key: { method: method.key, user_id }, before: null, after }]
  await db`
    insert into audit_log (realm_id, user_id, address, action, changes)
    values (${realm_id}, ${user_id}, ${address}, ${action}, ${json(db, changes)})`
}

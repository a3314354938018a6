/**
 * The second factors of accounts in the database.
 *
 * 1. A one-time code is accepted once, whichever gateways receive it at the same moment: its time step is greater than
 *    that of the last one, and the statement that compares it stores it.
 * 2. A recovery code is accepted once: the statement that finds it deletes it.
 * 3. The secret of the codes is encrypted, and of recovery codes only hashes are stored.
 */
import type { Db, Sql, Transaction } from '../sql.js'

/** The second factor of an account. */
export interface SecondFactor {
  readonly sealed_secret: string
  /** UNIX seconds */
  readonly added_at: number
  /** how many recovery codes are left */
  readonly recovery_codes: number
}

/** The second factor of an account; undefined: it has none. Index: second_factors_pkey, recovery_codes_pkey. */
export const loadSecondFactor = async (
  sql: Sql,
  realm_id: number,
  user_id: number,
): Promise<SecondFactor | undefined> => {
  const [row] = await sql<SecondFactor[]>`
    select sealed_secret, added_at, (
      select count(*)::int from recovery_codes c where c.realm_id = f.realm_id and c.user_id = f.user_id
    ) as recovery_codes
    from second_factors f
    where realm_id = ${realm_id} and user_id = ${user_id}`
  return row
}

/**
 * Marks the time step of a code as used (1).
 * @param sealed_secret the secret with which the code was compared, encrypted anew
 * @returns false when this or a later step was used before, or the account has no second factor any more
 */
export const spendTimeStep = async (
  db: Db,
  realm_id: number,
  user_id: number,
  { step, sealed_secret, former }: { step: number; sealed_secret: string; former: string },
): Promise<boolean> => {
  const used = await db`
    update second_factors set last_step = ${step}, sealed_secret = ${sealed_secret}
    where realm_id = ${realm_id} and user_id = ${user_id} and last_step < ${step} and sealed_secret = ${former}`
  return used.count > 0
}

/** Uses up a recovery code (2). @returns false when the account has no such code */
export const spendRecoveryCode = async (
  db: Db,
  realm_id: number,
  user_id: number,
  code_hash: string,
): Promise<boolean> => {
  const used = await db`
    delete from recovery_codes where realm_id = ${realm_id} and user_id = ${user_id} and code_hash = ${code_hash}`
  return used.count > 0
}

/** Stores the second factor of an account. Throws a unique violation when it has one. */
export const insertSecondFactor = (
  tx: Transaction,
  realm_id: number,
  user_id: number,
  { sealed_secret, last_step, added_at }: { sealed_secret: string; last_step: number; added_at: number },
): Promise<unknown> => tx`
  insert into second_factors (realm_id, user_id, sealed_secret, last_step, added_at)
  values (${realm_id}, ${user_id}, ${sealed_secret}, ${last_step}, ${added_at})`

/** Removes the second factor of an account, and its recovery codes. */
export const deleteSecondFactor = (tx: Db, realm_id: number, user_id: number): Promise<unknown> => tx`
  with codes as (delete from recovery_codes where realm_id = ${realm_id} and user_id = ${user_id})
  delete from second_factors where realm_id = ${realm_id} and user_id = ${user_id}`

/** Replaces the recovery codes of an account. */
export const replaceRecoveryCodes = (
  tx: Db,
  realm_id: number,
  user_id: number,
  hashes: readonly string[],
): Promise<unknown> => tx`
  with former as (delete from recovery_codes where realm_id = ${realm_id} and user_id = ${user_id})
  insert into recovery_codes (realm_id, user_id, code_hash)
  select ${realm_id}, ${user_id}, code_hash from unnest(${hashes as string[]}::text[]) code_hash`

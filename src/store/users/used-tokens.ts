/** JSON web tokens that were used to log in: a token that someone copied logs in no second time. */
import type { Sql } from '../sql.js'

/**
 * Marks a token as used, and forgets the tokens of the realm that have expired.
 * @param expires_at UNIX seconds after which the token is refused without this record
 * @returns false when the token was used before
 */
export const markTokenUsed = async (
  sql: Sql,
  realm_id: number,
  { token_hash, expires_at }: { token_hash: Uint8Array; expires_at: number },
  now: number,
): Promise<boolean> => {
  const marked = await sql`
    with expired as (delete from used_tokens where realm_id = ${realm_id} and expires_at < ${now})
    insert into used_tokens (realm_id, token_hash, expires_at)
    values (${realm_id}, ${token_hash}, ${expires_at})
    on conflict do nothing`
  return marked.count > 0
}

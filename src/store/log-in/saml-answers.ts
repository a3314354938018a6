/**
 * Answers of SAML providers that were verified, until the browser fetches them.
 *
 * A provider sends its answer with a form of its own site, with which browsers send no cookie. So it is kept here, and
 * the browser is led on with a code, to an address at which it sends the cookie of its log-in. Only answers that a
 * provider has signed are kept, so a stranger does not fill the table.
 */
import type { Sql } from '../sql.js'

export interface StoredSamlAnswer {
  /** the key of the method */
  readonly method: string
  readonly sealed_answer: string
}

/** Stores an answer, and forgets those of the realm that have expired. @param input.expires_at UNIX seconds */
export const storeSamlAnswer = async (
  sql: Sql,
  realm_id: number,
  input: StoredSamlAnswer & { code_hash: Uint8Array; expires_at: number },
  now: number,
): Promise<void> => {
  const { code_hash, method, sealed_answer, expires_at } = input
  await sql`
    with expired as (delete from saml_answers where realm_id = ${realm_id} and expires_at < ${now})
    insert into saml_answers (realm_id, code_hash, method, sealed_answer, expires_at)
    values (${realm_id}, ${code_hash}, ${method}, ${sealed_answer}, ${expires_at})`
}

/** The answer of a code, which is then gone. It is undefined when there is none, or it has expired. */
export const takeSamlAnswer = async (
  sql: Sql,
  realm_id: number,
  code_hash: Uint8Array,
  now: number,
): Promise<StoredSamlAnswer | undefined> => {
  const [row] = await sql<(StoredSamlAnswer & { expires_at: number })[]>`
    delete from saml_answers where realm_id = ${realm_id} and code_hash = ${code_hash}
    returning method, sealed_answer, expires_at`
  return row === undefined || row.expires_at < now ? undefined : row
}

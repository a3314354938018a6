/** Which account of a provider belongs to which account (domain/log-in/external-log-in.ts). */
import type { KnownIdentities, Subject } from '../../domain/log-in/external-log-in.js'
import type { Db, Sql, Transaction } from '../sql.js'

/** An identity of an account. */
export interface IdentityRow {
  /** the key of its method */
  method: string
  issuer: string
  /** the address at the provider at the last log-in */
  email: string
  /** UNIX seconds */
  linked_at: number
  last_used_at: number
}

/**
 * What the identities say about a user of a provider. Index: identities_subject, identities_pkey.
 * @param user_id the account with the user's address; undefined: there is none
 */
export const loadKnownIdentities = async (
  sql: Sql,
  realm_id: number,
  { method, issuer, subject }: Subject,
  user_id: number | undefined,
): Promise<KnownIdentities> => {
  const rows = await sql<{ user_id: number; issuer: string; subject: string }[]>`
    select user_id, issuer, subject from identities
    where realm_id = ${realm_id} and method = ${method} and issuer = ${issuer} and subject = ${subject}
    union all
    select user_id, issuer, subject from identities
    where realm_id = ${realm_id} and user_id = ${user_id ?? 0} and method = ${method}`
  return {
    owner: rows.find((row) => row.issuer === issuer && row.subject === subject)?.user_id,
    issuerOfAddress: rows.find((row) => row.user_id === user_id)?.issuer,
  }
}

/** The methods of which an account has an identity, among these. Index: identities_pkey. */
export const findIdentityMethods = async (
  sql: Sql,
  realm_id: number,
  user_id: number,
  methods: readonly string[],
): Promise<string[]> => {
  if (methods.length === 0) return []
  const rows = await sql<{ method: string }[]>`
    select method from identities
    where realm_id = ${realm_id} and user_id = ${user_id} and method = any(${methods as string[]}::text[])`
  return rows.map(({ method }) => method)
}

/**
 * Links an identity to an account. It replaces the identity of this method that the account had. Throws a unique
 * violation when the identity belongs to another account.
 */
export const insertIdentity = (
  tx: Transaction,
  realm_id: number,
  user_id: number,
  { method, issuer, subject, email }: Subject & { email: string },
  now: number,
): Promise<unknown> => tx`
  insert into identities (realm_id, user_id, method, issuer, subject, email, linked_at, last_used_at)
  values (${realm_id}, ${user_id}, ${method}, ${issuer}, ${subject}, ${email}, ${now}, ${now})
  on conflict (realm_id, user_id, method) do update set
    issuer = excluded.issuer, subject = excluded.subject, email = excluded.email, linked_at = excluded.linked_at,
    last_used_at = excluded.last_used_at`

/** Notes that the identity logged in. */
export const markIdentityUsed = async (
  sql: Db,
  realm_id: number,
  user_id: number,
  { method, email }: { method: string; email: string },
  now: number,
): Promise<void> => {
  await sql`
    update identities set last_used_at = ${now}, email = ${email}
    where realm_id = ${realm_id} and user_id = ${user_id} and method = ${method}`
}

/** The identities of an account, the oldest first. */
export const loadIdentities = (sql: Sql, realm_id: number, user_id: number): Promise<IdentityRow[]> =>
  sql<IdentityRow[]>`
    select method, issuer, email, linked_at, last_used_at from identities
    where realm_id = ${realm_id} and user_id = ${user_id}
    order by linked_at, method`

/** Removes the identity of an account. @returns whether there was one */
export const deleteIdentity = async (
  tx: Transaction,
  realm_id: number,
  user_id: number,
  method: string,
): Promise<boolean> => {
  const deleted = await tx`
    delete from identities where realm_id = ${realm_id} and user_id = ${user_id} and method = ${method}`
  return deleted.count > 0
}

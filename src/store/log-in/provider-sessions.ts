/** The sessions that began with a provider: the provider ends them, and is told when they end. */

import type { SessionRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import type { Subject } from '../../domain/log-in/external-log-in.js'
import type { Sql, Transaction } from '../sql.js'

/** The session at the provider from which a session here began. */
export interface ProviderSession extends Subject {
  /** '' if the provider does not say */
  readonly sid: string
  readonly sealed_id_token: string | null
}

/** Stores the provider's session. The session here begins in the same transaction. */
export const insertProviderSession = (
  tx: Transaction,
  realm_id: number,
  session_id: number,
  { method, issuer, subject, sid, sealed_id_token }: ProviderSession,
): Promise<unknown> => tx`
  insert into provider_sessions (realm_id, session_id, method, issuer, subject, sid, sealed_id_token)
  values (${realm_id}, ${session_id}, ${method}, ${issuer}, ${subject}, ${sid}, ${sealed_id_token})`

/** The provider's session of a session; undefined: it began in another way. */
export const loadProviderSession = async (
  sql: Sql,
  realm_id: number,
  session_id: number,
): Promise<ProviderSession | undefined> => {
  const [row] = await sql<ProviderSession[]>`
    select method, issuer, subject, sid, sealed_id_token from provider_sessions
    where realm_id = ${realm_id} and session_id = ${session_id}`
  return row
}

/**
 * The sessions that a provider ends. They are those of a subject, of one session at the provider, or of both together.
 * Index: provider_sessions_subject.
 */
export const findProviderSessions = async (
  sql: Sql,
  state: RealmState,
  {
    method,
    issuer,
    subject,
    sid,
  }: { method: string; issuer: string; subject?: string | undefined; sid?: string | undefined },
): Promise<SessionRow[]> => {
  if (subject === undefined && (sid === undefined || sid === '')) return []
  const rows = await sql<{ session_id: number }[]>`
    select session_id from provider_sessions
    where realm_id = ${state.realm.id} and method = ${method} and issuer = ${issuer}
      ${subject === undefined ? sql`` : sql`and subject = ${subject}`}
      ${sid === undefined ? sql`` : sql`and sid = ${sid}`}`
  return rows.flatMap(({ session_id }) => state.sessions.get(session_id) ?? [])
}

/** Sessions of browsers in the database: beginning, ending, and when and from where they were used. */
import { createHash, randomBytes } from 'node:crypto'
import type { SessionRow } from '../../domain/log/rows.js'
import { runSteps, type Step } from '../../domain/log/steps.js'
import { beginSession, endSessions } from '../../domain/users/accounts/sessions.js'
import type { JobSpec } from '../jobs/job-table.js'
import { commit } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import { WriteContext, type WriteDependencies } from '../log/write-context.js'
import type { Sql, Transaction } from '../sql.js'

/** When and from where a session was used. */
export interface SessionUse {
  session_id: number
  /** UNIX seconds */
  last_used_at: number
  /** the address and the program that began the session */
  ip: string
  user_agent: string
}

/** The hash of a session's token, as it is stored. */
export const hashToken = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const TOKEN_BYTES = 32
const LONGEST_USER_AGENT = 500

/** What a log-in does in the transaction in which its session begins. */
export interface WithSession {
  /** changes before the session begins */
  readonly steps?: readonly Step[]
  readonly jobs?: readonly JobSpec[]
  /** more statements, which are sent after the row of the session */
  besides?(tx: Transaction, session_id: number): Promise<unknown>[]
}

/**
 * Begins a session of an account. The caller holds the structure lock, and has verified the credentials. Throws
 * BAD_REQUEST when there is no such account, and StaleStateError.
 * @param input.replaced the session of the browser that logs in again, which ends
 * @returns the token for the cookie: `<session id>.<secret>`
 */
export const storeSession = async (
  write: WriteContext,
  user_id: number,
  input: { now: number; ip: string; user_agent: string; replaced: number | undefined },
  { steps = [], jobs = [], besides = () => [] }: WithSession = {},
): Promise<string> => {
  const { realm } = write
  const secret = randomBytes(TOKEN_BYTES).toString('base64url')
  const { now, ip, replaced } = input
  const user_agent = input.user_agent.slice(0, LONGEST_USER_AGENT)
  const id = realm.state.nextId('sessions')
  const begin = beginSession({ user_id, token_hash: hashToken(secret), now, replaced })
  const { entries } = runSteps(realm.state, [...steps, begin])
  await commit(write, async (tx) => ({
    entries,
    jobs,
    // After the row of the session, to which it refers.
    underHeadLock: () => [
      tx`
        insert into session_uses (realm_id, session_id, last_used_at, ip, user_agent)
        values (${realm.id}, ${id}, ${now}, ${ip}, ${user_agent})`,
      ...besides(tx, id),
    ],
  }))
  return `${id}.${secret}`
}

/**
 * Ends sessions; those that have ended already are ignored. The caller holds the structure lock. Throws
 * StaleStateError.
 */
export const removeSessions = async (write: WriteContext, sessions: readonly SessionRow[]): Promise<void> => {
  const entries = endSessions(sessions)(write.realm.state)
  if (entries.length > 0) await commit(write, async () => ({ entries }))
}

/** When and from where these sessions were used. */
export const loadSessionUses = async (
  sql: Sql,
  realm_id: number,
  ids: readonly number[],
): Promise<Map<number, SessionUse>> => {
  const rows = await sql<SessionUse[]>`
    select session_id, last_used_at, ip, user_agent from session_uses
    where realm_id = ${realm_id} and session_id = any(${ids as number[]})`
  return new Map(rows.map((row) => [row.session_id, row]))
}

/** The realms that have sessions that expired before `now`. Index: sessions_expiry. */
export const findRealmsWithExpiredSessions = async (sql: Sql, now: number): Promise<number[]> => {
  const rows = await sql<{ realm_id: number }[]>`select distinct realm_id from sessions where expires_at <= ${now}`
  return rows.map(({ realm_id }) => realm_id)
}

/** Removes the rows of the realm's expired sessions, which permit nothing any more. */
export const removeExpiredSessions = async (
  dependencies: WriteDependencies,
  realm: Realm,
  now: number,
): Promise<void> => {
  await realm.barrier()
  await realm.withStructureLock(async () => {
    const expired = [...realm.state.sessions.values()].filter(({ expires_at }) => expires_at <= now)
    await removeSessions(WriteContext.open(dependencies, realm, true), expired)
  })
}

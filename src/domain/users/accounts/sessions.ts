/**
 * Sessions of browsers: an account logs in and gets a token in a cookie, instead of an API key.
 *
 * 1. A session is a structural row. So every replica knows which sessions exist, the end of a session is an entry of
 *    the log, and no write is committed on a session that has ended: its guard fails, and the call is refused when it
 *    runs again.
 * 2. A session ends when its user or another session of the account ends it, when the account is deactivated, and when
 *    the password or the API key changes: `key_version` is that of the account when the session began.
 * 3. A session that is not used expires after IDLE_SECONDS, and every session after LONGEST_SECONDS.
 * 4. An account has at most MAX_SESSIONS: a further one ends the session that would expire first.
 */
import { allocateId } from '../../log/next-id.js'
import { composeDelete, composeInsert, composeUpdate, type RowChange } from '../../log/row-changes.js'
import type { SessionRow } from '../../log/rows.js'
import { composeSilentEntry } from '../../log/silent-entry.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { requireUser } from './account-changes.js'

const DAY_SECONDS = 86_400
/** How long a session lives after its last use. */
export const IDLE_SECONDS = 14 * DAY_SECONDS
/** How long a session lives at most, and how long browsers keep its cookie. */
export const LONGEST_SECONDS = 90 * DAY_SECONDS
/** The number of sessions of an account. */
export const MAX_SESSIONS = 50

/** Whether the session permits calls of its account now. */
export const isValidSession = (state: RealmState, session: SessionRow, now: number): boolean => {
  const user = state.users.get(session.user_id)
  return user?.is_active === true && user.key_version === session.key_version && session.expires_at > now
}

/** The valid sessions of an account, the one that expires last first. */
export const validSessions = (state: RealmState, user_id: number, now: number): SessionRow[] =>
  sessionsOf(state, user_id)
    .filter((session) => isValidSession(state, session, now))
    .sort((a, b) => b.expires_at - a.expires_at || b.id - a.id)

/**
 * Begins a session with the next id, and removes old sessions of the account. Old sessions are not valid any more, or
 * beyond the limit. Throws BAD_REQUEST when there is no such account.
 * @param replaced the session of the browser that logs in again
 */
export const beginSession =
  (input: { user_id: number; token_hash: string; now: number; replaced: number | undefined }): Step =>
  (state) => {
    const { user_id, token_hash, now, replaced } = input
    const { key_version } = requireUser(state, user_id)
    const { id, rows } = allocateId(state, 'sessions')
    const session = { id, user_id, token_hash, key_version, created_at: now, expires_at: now + IDLE_SECONDS }
    const kept = new Set(
      validSessions(state, user_id, now)
        .filter((other) => other.id !== replaced)
        .slice(0, MAX_SESSIONS - 1),
    )
    const ended = [...state.sessions.values()].filter(
      (other) => other.id === replaced || (other.user_id === user_id && !kept.has(other)),
    )
    return [composeSilentEntry([...ended.map(composeEnd), composeInsert('sessions', session), ...rows])]
  }

/** Ends sessions. */
export const endSessions =
  (sessions: readonly SessionRow[]): Step =>
  (state) => {
    const present = sessions.flatMap(({ id }) => state.sessions.get(id) ?? [])
    return present.length === 0 ? [] : [composeSilentEntry(present.map(composeEnd))]
  }

/** Returns the changes that let used sessions expire later (3). Each session has at most one such change a day. */
export const renewSessions = (state: RealmState, ids: Iterable<number>, now: number): RowChange[] =>
  [...ids].flatMap((id) => {
    const session = state.sessions.get(id)
    if (session === undefined || !isValidSession(state, session, now)) return []
    const expires_at = Math.min(now + IDLE_SECONDS, session.created_at + LONGEST_SECONDS)
    if (expires_at < session.expires_at + DAY_SECONDS) return []
    return composeUpdate('sessions', session, { expires_at }) ?? []
  })

/** The changes that end all sessions of an account. */
export const composeSessionEnds = (state: RealmState, user_id: number): RowChange[] =>
  sessionsOf(state, user_id).map(composeEnd)

const composeEnd = (session: SessionRow) => composeDelete('sessions', session)

const sessionsOf = (state: RealmState, user_id: number): SessionRow[] =>
  [...state.sessions.values()].filter((session) => session.user_id === user_id)

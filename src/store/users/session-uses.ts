/**
 * Which sessions are in use: written back at intervals, so that a call costs no statement.
 *
 * A crash loses at most FLUSH_MS of it: a user then sees an older time of last use.
 */
import { composeSilentEntry } from '../../domain/log/silent-entry.js'
import { renewSessions } from '../../domain/users/accounts/sessions.js'
import { commitEntries } from '../log/change.js'
import { StaleStateError } from '../log/log.js'
import type { Realm } from '../log/realm.js'
import { WriteContext, type WriteDependencies } from '../log/write-context.js'

/** The uses of sessions in this process. */
export interface SessionUses {
  /** Notes that the session was used. @param now UNIX seconds */
  note(realm: Realm, session_id: number, now: number): void
  /** Writes the uses back, and lets the sessions expire later. */
  flush(): Promise<void>
  close(): Promise<void>
}

const FLUSH_MS = 30_000

/** Opens the uses of a gateway. @param report receives the error of a flush, which is repeated with the next one */
export const openSessionUses = (dependencies: WriteDependencies, report: (error: unknown) => void): SessionUses => {
  let used = new Map<Realm, Map<number, number>>()

  const note = (realm: Realm, session_id: number, now: number) => {
    const times = used.get(realm)
    if (times === undefined) used.set(realm, new Map([[session_id, now]]))
    else if ((times.get(session_id) ?? 0) < now) times.set(session_id, now)
  }

  const flush = async () => {
    const flushed = used
    used = new Map()
    for (const [realm, times] of flushed) {
      await writeBack(dependencies, realm, times).catch((error: unknown) => {
        for (const [session_id, at] of times) note(realm, session_id, at)
        // The structure changed meanwhile: the next flush writes on the new state.
        if (!(error instanceof StaleStateError)) report(error)
      })
    }
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)

  return {
    note,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

const writeBack = async (
  dependencies: WriteDependencies,
  realm: Realm,
  times: ReadonlyMap<number, number>,
): Promise<void> => {
  const ids = [...times.keys()]
  await dependencies.sql`
    update session_uses s set last_used_at = u.at
    from unnest(${ids}::int[], ${[...times.values()]}::bigint[]) as u (id, at)
    where s.realm_id = ${realm.id} and s.session_id = u.id and s.last_used_at < u.at`
  const write = WriteContext.open(dependencies, realm)
  const rows = renewSessions(realm.state, ids, Math.max(...times.values()))
  if (rows.length > 0) await commitEntries(write, [composeSilentEntry(rows)])
}

/** Which sessions are in use (last-uses.ts): a session that is used expires later. */
import { composeSilentEntry } from '../../domain/log/silent-entry.js'
import { renewSessions } from '../../domain/users/accounts/sessions.js'
import { commitEntries } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import { WriteContext, type WriteDependencies } from '../log/write-context.js'

/**
 * Writes back when sessions were used, and lets them expire later. Throws StaleStateError.
 * @param times the UNIX seconds of the last use by session
 */
export const writeSessionUses = async (
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

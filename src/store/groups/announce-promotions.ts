/** Announces members who became full members (domain/groups/promotions.ts). Several workers may run it at once. */

import { DAY, secondsNow } from '#rules/time.js'
import { announcePromotions } from '../../domain/groups/promotions.js'
import { Role } from '../../domain/log/rows.js'
import { TOLD } from '../../domain/realm/waiting-period.js'
import { commitEntries } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import { WriteContext, type WriteDependencies } from '../log/write-context.js'
import type { Sql } from '../sql.js'

/** Organizations with a new full member who is not announced yet. */
export const findRealmsWithNewFullMembers = async (sql: Sql, now = secondsNow()): Promise<number[]> => {
  const rows = await sql<{ id: number }[]>`
    select r.id from realms r
    where r.is_active and (r.settings->>'waiting_period_threshold')::int > 0 and exists (
      select from users u
      where u.realm_id = r.id and u.role = ${Role.member} and u.is_active and not u.is_system_bot
        and u.date_joined + (r.settings->>'waiting_period_threshold')::int * ${DAY}::bigint <= ${now}
        and u.date_joined + (r.settings->>'waiting_period_threshold')::int * ${DAY}::bigint > coalesce(
          (select value from counters c where c.realm_id = r.id and c.name = ${TOLD}), 0)
    )`
  return rows.map(({ id }) => id)
}

/** Announces the new full members of one organization. Throws StaleStateError. */
export const announceFullMembers = (dependencies: WriteDependencies, realm: Realm, now = secondsNow()): Promise<void> =>
  WriteContext.open(dependencies, realm).withStructureLock(async (locked) => {
    const entries = announcePromotions(realm.state, now)
    if (entries.length > 0) await commitEntries(locked, entries)
  })

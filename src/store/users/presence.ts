/**
 * Presence: when users were last active and connected. Unlogged Postgres tables hold it.
 *
 * Redis does not hold it, because a restart of Redis would show every user as offline. Memory does not hold it, because
 * the users who read it may be connected to another replica. A ping writes only if the row is older than clients can
 * distinguish, so a user with several clients costs one row write a minute.
 */
import type { LastSeen } from '../../domain/users/presence/presence.js'
import type { Db } from '../sql.js'

/** A row younger than this is not written again, in seconds. */
const FRESH_SECONDS = 55

const DAY = 86_400

/** Records that a user is connected, or active. @returns the presence before and now */
export const recordPresence = async (
  db: Db,
  realm_id: number,
  user: { id: number; date_joined: number },
  isActive: boolean,
  now: number,
): Promise<{ before: LastSeen | undefined; seen: LastSeen }> => {
  const user_id = user.id
  const [before] = await loadPresence(db, realm_id, [user_id])
  const active_at = isActive ? now : (before?.active_at ?? user.date_joined)
  const seen = { user_id, active_at, connected_at: now }
  const isFresh = (at: number) => now - at < FRESH_SECONDS
  if (before !== undefined && isFresh(before.connected_at) && (!isActive || isFresh(before.active_at))) {
    return { before, seen: before }
  }
  await db`
    ${nextUpdate(db, realm_id)}
    insert into presence as p (realm_id, user_id, active_at, connected_at, update_id)
    select ${realm_id}, ${user_id}, ${active_at}, ${now}, update_id from head
    on conflict (realm_id, user_id) do update set active_at = greatest(p.active_at, excluded.active_at),
      connected_at = excluded.connected_at, update_id = excluded.update_id`
  return { before, seen }
}

/** The step that takes the next update id of the realm; the statement after it reads it from `head`. */
const nextUpdate = (db: Db, realm_id: number) => db`
  with head as (
    insert into presence_heads as h (realm_id, update_id) values (${realm_id}, 1)
    on conflict (realm_id) do update set update_id = h.update_id + 1
    returning update_id
  )`

/** The presence of these users. Index: key. */
export const loadPresence = (db: Db, realm_id: number, user_ids: readonly number[]): Promise<LastSeen[]> => db<
  LastSeen[]
>`
  select user_id, active_at, connected_at from presence
  where realm_id = ${realm_id} and user_id = any(${user_ids as number[]}::int[])`

/**
 * Loads the presence that changed after the update `after`. It loads users connected within `days`, and the last
 * update's id.
 * Index: presence_updates.
 */
export const loadPresenceAfter = async (
  db: Db,
  realm_id: number,
  { after, days, now }: { after: number; days: number; now: number },
): Promise<{ seen: LastSeen[]; last_update_id: number }> => {
  const rows = await db<(LastSeen & { update_id: number })[]>`
    select user_id, active_at, connected_at, update_id from presence
    where realm_id = ${realm_id} and update_id > ${after} and connected_at >= ${now - days * DAY}`
  const last_update_id = rows.reduce((last, { update_id }) => Math.max(last, update_id), after)
  return { seen: rows.map(({ update_id: _, ...seen }) => seen), last_update_id }
}

/** Makes a user appear as offline at once. The last connection becomes `connected_at`. */
export const hidePresence = (db: Db, realm_id: number, { user_id, connected_at }: LastSeen): Promise<unknown> => db`
  ${nextUpdate(db, realm_id)}
  insert into presence as p (realm_id, user_id, active_at, connected_at, update_id)
  select ${realm_id}, ${user_id}, ${connected_at}, ${connected_at}, update_id from head
  on conflict (realm_id, user_id) do update set active_at = least(p.active_at, excluded.active_at),
    connected_at = least(p.connected_at, excluded.connected_at), update_id = excluded.update_id`

/** How much an organization is used: its messages by day, and how many accounts were active. */
import type { Sql } from '../sql.js'

const DAY = 86_400

/** What was sent on one day of UTC. */
export interface DayCount {
  /** UNIX seconds: when the day began */
  timestamp: number
  channel_messages: number
  direct_messages: number
  /** how many accounts of people sent one of them */
  senders: number
}

/**
 * Counts the stored messages of the last days. It reads each of them once, and returns the days with messages, oldest
 * first.
 * Index: key, in which the first message of the time is searched for: ids grow with the time.
 * @param days how many days, today included
 * @param now UNIX seconds
 */
export const countMessagesByDay = (
  sql: Sql,
  realm_id: number,
  { days, now }: { days: number; now: number },
): Promise<DayCount[]> => {
  const since = (Math.floor(now / DAY) - days + 1) * DAY
  return sql<DayCount[]>`
    with recursive search(low, high) as (
      select 0::int8, coalesce((select max(id) from messages where realm_id = ${realm_id}), 0) + 1
      union all
      select case when middle.is_earlier then middle.id + 1 else low end,
        case when middle.is_earlier then high else (low + high) / 2 end
      from search cross join lateral (
        select id, timestamp < ${since} as is_earlier from messages
        where realm_id = ${realm_id} and id >= (low + high) / 2 order by id limit 1
      ) as middle
      where low < high
    )
    select timestamp / ${DAY} * ${DAY} as timestamp,
      count(channel_id)::int as channel_messages, count(dm_id)::int as direct_messages,
      count(distinct sender_id) filter (where not u.is_bot)::int as senders
    from messages m join users u on u.realm_id = m.realm_id and u.id = m.sender_id
    where m.realm_id = ${realm_id} and m.id >= (select max(low) from search)
      and timestamp between ${since} and ${now + DAY}
    group by 1 order by 1`
}

/** Accounts of people that were active within the last day, 7 days and 30 days. */
export interface Activity {
  day: number
  week: number
  month: number
}

/** Counts who was active, and the bytes of uploaded files. Presence is in a table that no standby can read. */
export const loadActivity = async (sql: Sql, realm_id: number, now: number) => {
  const [totals] = await sql<(Activity & { upload_bytes: number })[]>`
    select count(*) filter (where active_at > ${now - DAY})::int as day,
      count(*) filter (where active_at > ${now - 7 * DAY})::int as week,
      count(*) filter (where active_at > ${now - 30 * DAY})::int as month,
      coalesce((select bytes from upload_usage where realm_id = ${realm_id}), 0) as upload_bytes
    from presence p join users u on u.realm_id = p.realm_id and u.id = p.user_id
    where p.realm_id = ${realm_id} and u.is_active and not u.is_bot`
  const { upload_bytes, ...active_users } = totals as Activity & { upload_bytes: number }
  return { active_users, upload_bytes }
}

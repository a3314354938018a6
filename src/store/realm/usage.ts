/** How much each organization uses of the deployment, for operators. */
import { Role } from '../../domain/log/rows.js'
import type { Sql } from '../sql.js'
import { hasOwnName } from './realm-deletion.js'

/** What an organization has, and its quotas; null: it has no such limit. */
export interface RealmUsage {
  realm: string
  name: string
  is_active: boolean
  /** active accounts of humans, and how many of them are guests */
  users: number
  guests: number
  /** active accounts of bots, without the bots of the server */
  bots: number
  channels: number
  /** the messages that are stored */
  messages: number
  messages_in_30_days: number
  /** UNIX seconds; null: there is no message */
  last_message_at: number | null
  upload_bytes: number
  user_quota: number | null
  message_quota: number | null
  call_quota: number | null
  upload_quota_mib: number | null
}

/**
 * Counts what organizations have. It reads every message of them once.
 * @param string_id of the only one that is asked for; undefined: all, by name
 */
export const loadUsage = (sql: Sql, string_id: string | undefined): Promise<RealmUsage[]> => sql<RealmUsage[]>`
  select r.string_id as realm, r.name, r.is_active, u.users, u.guests, u.bots,
    (select count(*)::int from channels c where c.realm_id = r.id and not c.is_archived) as channels,
    m.messages, m.messages_in_30_days, m.last_message_at,
    coalesce((select bytes from upload_usage f where f.realm_id = r.id), 0) as upload_bytes, r.user_quota, r.message_quota,
    r.call_quota, r.upload_quota_mib
  from realms r
  cross join lateral (
    select count(*) filter (where not is_bot)::int as users, count(*) filter (where is_bot)::int as bots,
      count(*) filter (where not is_bot and role = ${Role.guest})::int as guests
    from users where realm_id = r.id and is_active and not is_system_bot
  ) u
  cross join lateral (
    select count(*)::int8 as messages, max(timestamp) as last_message_at,
      count(*) filter (where timestamp > extract(epoch from now()) - 30 * 86400)::int8 as messages_in_30_days
    from messages where realm_id = r.id
  ) m
  where r.string_id = ${string_id ?? null} or (${string_id ?? null}::text is null and ${hasOwnName(sql)})
  order by r.string_id`

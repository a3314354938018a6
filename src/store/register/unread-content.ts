/**
 * The unread messages of a reader in the database.
 *
 * 1. Unread is a message of a subscribed channel or a conversation that lies after the reader's pointer, or carries
 *    the `unread` bit; without that bit, neither does it carry the `read` bit nor was it read by being sent
 *    (domain/messages/flags.ts).
 * 2. At most `max_unread_messages` messages after the pointers are examined, the newest ones.
 * 3. If the process has the newest messages of the realm in memory (recent-messages.ts), the database only tells what
 *    concerns the reader, and the messages that are not there.
 *
 * The limits inside the lateral joins also hold the planner to the indexes: one probe per channel, conversation or row.
 * The newest messages of a channel are those of a range of (channel_id, id), in its order, which only the index of
 * channels has. With `channel_id = …` and the order of ids, the planner may walk through the newest ids of the whole
 * realm instead, when its statistics are old: for each channel without messages it would then read all messages.
 */
import { limits } from '../../domain/limits/limits.js'
import { anyMention, everySubscriber, Flag, rowOnlyFlags, wildcardMentioned } from '../../domain/messages/flags.js'
import { isReadByMove, wasReadWhenSent } from '../messages/narrow/conditions.js'
import type { Fragment, Sql } from '../sql.js'

/** Whose content is read. */
export interface Reader {
  realm_id: number
  user_id: number
  /** false: for a client that is not told of archived channels, nothing there is unread or starred */
  archived_channels?: boolean
}

/** The messages that are in memory (3). */
export interface MessagesInMemory {
  /** all messages in channels after this id */
  floor: number
  /** ids of those that were moved from another channel */
  moved: readonly number[]
}

/** Writes bits as a literal, as in the definition of a partial index. The planner cannot match a parameter with it. */
export const inlineBits = (sql: Sql, bits: number): Fragment => sql.unsafe(String(bits))

/** Greater than every message id. */
export const noEnd = (sql: Sql): Fragment => sql.unsafe('9223372036854775807')

/** Mentions of the reader, or of a group that contains the reader. */
const byName = Flag.mentioned | Flag.group_mentioned

/** Selects the unread messages in channels, by topic. Indexes: messages_channel, then keys. */
export const selectUnreadTopics = (sql: Sql, reader: Reader): Fragment => sql`
  with ${defineOwnChannels(sql, reader)}, ${defineUnread(sql, reader, sql`channel_id`)}, ${groupByTopic(sql, reader)}
  select ${selectConversations(sql)}`

/** Messages that are not in memory are examined up to this number (3). */
const MOST_OLDER = 5_000

/**
 * Selects what memory lacks for the unread messages in channels (3). It selects from the row of the log's head.
 * Indexes: messages_channel, then keys.
 */
export const selectReaderFacts = (sql: Sql, reader: Reader, { floor, moved }: MessagesInMemory): Fragment => {
  const { realm_id, user_id } = reader
  const older = { upTo: floor, most: MOST_OLDER }
  return sql`
    with ${defineOwnChannels(sql, reader)}, ${defineUnread(sql, reader, sql`channel_id`, older)},
      ${groupByTopic(sql, reader)}
    select json_build_object(
      'last_message_id', log_heads.last_message_id,
      'channels', (select coalesce(json_agg(json_build_array(place, read_up_to, is_muted)), '[]') from own),
      'policies', (
        select coalesce(json_agg(json_build_array(t.channel_id, lower(t.topic), t.visibility_policy = 1)), '[]')
        from own join user_topics t on t.realm_id = ${realm_id} and t.user_id = ${user_id} and t.channel_id = own.place
      ),
      'flags', (
        select coalesce(json_agg(f), '[]') from (
          select flags & ${relevantFlags} as flags, json_agg(message_id) as ids from message_flags
          where realm_id = ${realm_id} and user_id = ${user_id} and flags & ${relevantFlags} <> 0
            and message_id > greatest(${floor}::bigint, (select min(read_up_to) from own))
          group by 1
        ) f
      ),
      'read_moved', (
        select coalesce(json_agg(m.id), '[]') from messages m
        where m.realm_id = ${realm_id} and m.id = any(${moved as number[]}::bigint[]) and ${isReadByMove(sql, reader)}
      ),
      'older', ${selectConversations(sql, MOST_OLDER)}
    )`
}

/** Selects the unread direct messages, by conversation. Indexes: messages_dm, then keys. */
export const selectUnreadDirect = (sql: Sql, reader: Reader): Fragment => sql`
  with own as (
    select dm_id as place, read_up_to
    from dm_members where realm_id = ${reader.realm_id} and user_id = ${reader.user_id}
  ), ${defineUnread(sql, reader, sql`dm_id`)}, grouped as (
    select to_json(c.user_ids) as user_ids, json_agg(u.id order by u.id) as ids,
      coalesce(json_agg(u.id) filter (where u.flags & ${byName} <> 0), '[]') as mentions
    from unread u join dm_conversations c on c.realm_id = ${reader.realm_id} and c.id = u.place
    group by c.id, c.user_ids
  )
  select ${selectConversations(sql)}`

/** Defines the table `own`: the channels to which the reader is subscribed. */
const defineOwnChannels = (sql: Sql, { realm_id, user_id, archived_channels = true }: Reader): Fragment => sql`
  own as (
    select s.channel_id as place, s.is_muted, r.read_up_to
    from subscriptions s join channel_reads r using (realm_id, user_id, channel_id)
    where s.realm_id = ${realm_id} and s.user_id = ${user_id} and s.active
      ${archived_channels ? sql`` : sql`and ${isInUse(sql, realm_id, sql`s.channel_id`)}`}
  )`

/** Whether the channel with this id is not archived. Subscriptions are few, and most channels are in use. */
export const isInUse = (sql: Sql, realm_id: number, channel_id: Fragment): Fragment => sql`not (
  select c.is_archived from channels c where c.realm_id = ${realm_id} and c.id = ${channel_id}
)`

/** Defines the table `grouped` of a statement that has `own` and `unread`. */
const groupByTopic = (sql: Sql, { realm_id, user_id }: Reader): Fragment => sql`
  topics as (
    select place, lower(topic) as folded, max(id) as last, json_agg(id order by id) as ids,
      coalesce(json_agg(id) filter (where flags & ${byName} <> 0), '[]') as mentions,
      coalesce(json_agg(id) filter (where flags & ${wildcardMentioned} <> 0), '[]') as wildcards
    from unread group by place, lower(topic)
  ), grouped as (
    select place as channel_id, folded, coalesce(t.visibility_policy = 1, own.is_muted) as is_muted,
      (select topic from messages where realm_id = ${realm_id} and id = topics.last) as topic,
      ids, mentions, wildcards
    from topics join own using (place)
    left join user_topics t on t.realm_id = ${realm_id} and t.user_id = ${user_id}
      and t.channel_id = place and lower(t.topic) = folded
  )`

/** Which messages after the read pointers are examined: the newest ones of those up to an id. */
interface Examined {
  /** undefined: all messages */
  upTo?: number
  /** how many at most */
  most: number
}

/**
 * Defines the table `unread` of a statement that has `own`: the reader's channels or conversations with read pointers
 * (1). A scan of ids finds the oldest message that is examined (`newest`, `edge`), and then each channel or
 * conversation with such messages is read from that id on: most have none.
 * @param place the column of messages with the id of the channel or conversation
 */
const defineUnread = (
  sql: Sql,
  { realm_id, user_id }: Reader,
  place: Fragment,
  { upTo, most }: Examined = { most: limits.max_unread_messages },
): Fragment => {
  const end = upTo === undefined ? noEnd(sql) : sql`${upTo + 1}::bigint`
  return sql`
  newest as materialized (
    select m.id, own.place
    from own cross join lateral (
      select id from messages
      where realm_id = ${realm_id} and ${place} is not null
        and (${place}, id) > (own.place, own.read_up_to) and (${place}, id) < (own.place, ${end})
      order by ${place} desc, id desc limit ${most}
    ) m
    where own.read_up_to < ${end}
    order by m.id desc limit ${most}
  ), edge as materialized (
    select min(id) as id, count(*) as ids from newest
  ), flagged as materialized (
    ${selectFlagsFromEdge(sql, { realm_id, user_id })}
  ), again as materialized (
    select f.message_id as id, f.flags from message_flags f
    where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.flags & ${inlineBits(sql, rowOnlyFlags)} <> 0
      and f.flags & ${Flag.unread} <> 0
  ), later as materialized (
    select own.place, m.id, m.topic, m.has_wildcard,
      ${wasReadWhenSent(sql, user_id)} or ${isReadByMove(sql, { realm_id, user_id })} as is_read
    from own cross join lateral (
      select id, topic, sender_id, sender_read, read_by_all, channel_id, dm_id, origin_channel_id, kept_by, lost_by,
        has_wildcard
      from messages
      where realm_id = ${realm_id} and ${place} is not null
        and (${place}, id) >= (own.place, greatest(own.read_up_to + 1, (select id from edge)))
        and (${place}, id) < (own.place, ${end})
      order by ${place}, id limit ${most}
    ) m
    where own.read_up_to < ${end} and (
      (select ids from edge) >= ${MANY} or own.place in (select place from newest limit ${MANY})
    )
  ), found as (
    select place, id, topic, has_wildcard, coalesce(flags, 0) as flags
    from later left join flagged using (id)
    where coalesce(flags, 0) & ${Flag.unread} <> 0 or (coalesce(flags, 0) & ${Flag.read} = 0 and not is_read)
    union all
    select own.place, m.id, m.topic, m.has_wildcard, again.flags
    from again cross join lateral (
      select id, ${place} as place, topic, has_wildcard from messages
      where realm_id = ${realm_id} and id = again.id limit 1
    ) m join own on own.place = m.place and m.id <= own.read_up_to
  ), unread as (
    select place, id, topic, flags | case when has_wildcard then coalesce((
      select e.flags from message_flags e
      where e.realm_id = ${realm_id} and e.user_id = ${everySubscriber} and e.message_id = found.id
    ), 0) else 0 end as flags
    from found
  )`
}

/** The flags that a registration needs of unread messages. */
const relevantFlags = Flag.read | Flag.unread | anyMention

/**
 * From this many messages on, one scan of the reader's flags since the first message is cheaper than single lookups.
 */
const MANY = 1_000

/** The reader's flags of the messages in `newest`, and maybe of others. Index: key. */
const selectFlagsFromEdge = (sql: Sql, { realm_id, user_id }: Reader): Fragment => sql`
  select f.message_id as id, f.flags from message_flags f
  where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id >= (select id from edge)
    and f.flags & ${relevantFlags} <> 0 and (select ids from edge) >= ${MANY}
  union all
  select newest.id, f.flags
  from newest cross join lateral (
    select flags from message_flags
    where realm_id = ${realm_id} and user_id = ${user_id} and message_id = newest.id limit 1
  ) f
  where (select ids from edge) < ${MANY}`

/** The result of a statement with `grouped` and `edge`. */
const selectConversations = (sql: Sql, most: number = limits.max_unread_messages): Fragment => sql`
  json_build_object(
    'conversations', coalesce((select json_agg(grouped) from grouped), '[]'),
    'examined', (select ids from edge), 'is_cut', (select ids from edge) >= ${most}
  )`

/**
 * A realm with a message history of any length, written directly to the tables, to measure plans and times of reads.
 *
 * Nothing is random: the hash of a message's number decides its channel, sender and content. So histories of different
 * lengths have the same distribution.
 *
 * 1. The regular user is subscribed to 40 of 60 channels and takes part in half of the direct conversations. They have
 *    read most channels, are behind in some, and have read nothing in muted channels.
 * 2. The newcomer is subscribed to two quiet channels, which have the same number of messages in every history.
 */

import { composeSubscription } from '../../../src/domain/channels/channels.js'
import { deriveApiKey } from '../../../src/domain/deployment/api-key.js'
import { composeInsert, type RowChange } from '../../../src/domain/log/row-changes.js'
import type { ChannelRow, UserRow } from '../../../src/domain/log/rows.js'
import { Flag } from '../../../src/domain/messages/flags.js'
import { writeRows } from '../../../src/store/log/row-tables.js'
import { indexRealm } from '../../../src/store/messages/narrow/index-messages.js'
import { createRealm } from '../../../src/store/realm/create-realm.js'
import type { Sql } from '../../../src/store/sql.js'
import { channelRow, userRow } from './rows.js'

export interface History {
  realm_id: number
  messages: number
  /** user ids */
  regular: number
  newcomer: number
  /** a sender with an average number of messages */
  writer: number
  /** the sender in both channels of the newcomer */
  friend: number
}

/** The first 40 channels are the regular user's, the last two the newcomer's, and the others have no subscribers. */
const CHANNELS = 60
const OF_REGULAR = 40
const quiet = [CHANNELS - 1, CHANNELS]
const USERS = 300
const FIRST_USER = 2
/** The number of users who send messages. */
const WRITERS = 12
const CONVERSATIONS = 6
/** Messages of both quiet channels together. */
const QUIET_MESSAGES = 600
/** Messages with the rare word. */
const RARE = 300

/** Creates the realm and its messages. */
export const makeHistory = async (sql: Sql, string_id: string, messages: number): Promise<History> => {
  const realm_id = await createRealm(sql, { string_id, name: 'History' })
  const [regular, newcomer, friend, writer] = [FIRST_USER, FIRST_USER + 1, FIRST_USER + 2, FIRST_USER + 3]
  await makeStructure(sql, realm_id, regular, newcomer)
  await makeConversations(sql, realm_id, regular)
  await makeMessages(sql, { realm_id, messages, friend })
  await makeReading(sql, { realm_id, messages, regular, newcomer })
  await sql`update log_heads set last_message_id = ${messages} where realm_id = ${realm_id}`
  await indexRealm(sql, realm_id)
  await sql`analyze`
  return { realm_id, messages, regular, newcomer, friend, writer }
}

const addressOf = (user_id: number) => `user${user_id}@history.invalid`

/** The Authorization header of a user of the history. */
export const credentialsOf = (secret: string, realm_id: number, user_id: number): string =>
  `Basic ${Buffer.from(`${addressOf(user_id)}:${deriveApiKey(secret, realm_id, user_id, 1)}`).toString('base64')}`

const makeStructure = async (sql: Sql, realm_id: number, regular: number, newcomer: number): Promise<void> => {
  const users = Array.from({ length: USERS }, (_, i) => composeInsert('users', member(FIRST_USER + i)))
  const channels = Array.from({ length: CHANNELS }, (_, i) => composeInsert('channels', channel(i + 1)))
  const joins = (user_id: number, ids: readonly number[]) =>
    ids.map((id) =>
      composeInsert('subscriptions', { ...composeSubscription(user_id, id, '#40bf65'), is_muted: isMuted(id) }),
    )
  const rows: RowChange[] = [
    ...users,
    ...channels,
    composeInsert('counters', { name: 'channels', value: CHANNELS }),
    ...joins(regular, upTo(OF_REGULAR)),
    ...joins(newcomer, quiet),
  ]
  await sql.begin(async (tx) => {
    await Promise.all(writeRows(tx, realm_id, rows))
    await tx`update counters set value = ${USERS + 1} where realm_id = ${realm_id} and name = 'users'`
  })
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)
/** Every tenth channel of the regular user: one with many messages, and some with few. */
const isMuted = (channel_id: number): boolean => channel_id <= OF_REGULAR && channel_id % 10 === 3

const makeConversations = async (sql: Sql, realm_id: number, regular: number): Promise<void> => {
  // The regular user takes part in half of them, each with another user.
  await sql`
    with pair as (
      select n, case when n % 2 = 0 then ${regular}::int else 40 + n end as one, 100 + n as other
      from generate_series(1, ${CONVERSATIONS}) as n
    ), made as (
      insert into dm_conversations (realm_id, user_ids) select ${realm_id}, array[one, other] from pair order by n
      returning id, user_ids
    )
    insert into dm_members (realm_id, user_id, dm_id) select ${realm_id}, unnest(user_ids), id from made`
}

/** A number below `below` that looks random, one per message `i` and purpose. */
const chance = (sql: Sql, purpose: number, below: number) =>
  sql`(hashint8extended(i, ${purpose}) & 1073741823) % ${below}::int`

const makeMessages = async (
  sql: Sql,
  { realm_id, messages, friend }: { realm_id: number; messages: number; friend: number },
): Promise<void> => {
  const often = Math.max(1, Math.floor(messages / QUIET_MESSAGES))
  const rarely = Math.max(1, Math.floor(messages / RARE))
  // Squared, so that the first channel has several times as many messages as the last one.
  await sql`
    with dm as (
      select array_agg(id order by id) as ids from dm_conversations where realm_id = ${realm_id}
    ), drawn as (
      select i,
        case
          when i % ${often} = 0 then ${quiet[0] ?? 0}::int + (i / ${often} % 2)::int
          when ${chance(sql, 1, 20)} = 0 then null
          else 1 + floor(${CHANNELS - quiet.length} * power(${chance(sql, 2, 1000)} / 1000.0, 2))::int
        end as channel_id,
        ${chance(sql, 3, 100)} as h, ${chance(sql, 4, WRITERS)} as who, ${chance(sql, 5, 1000)} as word,
        ${chance(sql, 6, CONVERSATIONS)} as conversation
      from generate_series(1, ${messages}::bigint) as i
    )
    insert into messages (
      realm_id, id, sender_id, channel_id, dm_id, topic, content, rendered_content, timestamp, client, is_me_message,
      sender_read, has_link, has_image, has_attachment, has_wildcard
    )
    select ${realm_id}, i,
      case when i % ${often} = 0 then ${friend}::int else ${FIRST_USER} + who end,
      channel_id, case when channel_id is null then dm.ids[1 + conversation] end,
      case when channel_id is null then '' when h = 0 then '✔ topic ' || word % 20 else 'topic ' || word % 20 end,
      text, '<p>' || text || '</p>', 1700000000 + i, 'history', false, true,
      h between 1 and 5, h = 6, h = 7, channel_id is not null and i % 997 = 0
    from drawn cross join dm cross join lateral (
      select 'Note ' || i || ' about matter' || word || ', item' || h || ' of the list'
        || case when h < 20 then ', with tea' else '' end
        || case when h = 30 then ', and some coffee' else '' end
        || case when i % ${rarely} = ${rarely} / 2 then ', and cocoa' else '' end as text
    ) words
    order by i`
}

const makeReading = async (
  sql: Sql,
  given: { realm_id: number; messages: number; regular: number; newcomer: number },
): Promise<void> => {
  const { realm_id, messages, regular, newcomer } = given
  await sql`
    insert into membership_spans (realm_id, user_id, channel_id, from_message)
    select ${realm_id}, user_id, channel_id, 0 from subscriptions where realm_id = ${realm_id}`
  // Muted channels are unread, some are 4,000 messages behind, and the others are 40 messages behind.
  await sql`
    insert into channel_reads (realm_id, user_id, channel_id, read_up_to)
    select ${realm_id}, user_id, channel_id,
      case when is_muted then 0 when channel_id % 4 = 0 then ${messages} - 4000 else ${messages} - 40 end
    from subscriptions where realm_id = ${realm_id}`
  await sql`
    update dm_members set read_up_to = ${messages} - 200 where realm_id = ${realm_id}`
  await sql`
    insert into user_topics (realm_id, user_id, channel_id, topic, visibility_policy, last_updated)
    select ${realm_id}, ${regular}, channel_id, 'topic ' || n, 1 + n % 3, 0
    from unnest(${upTo(OF_REGULAR)}::int[]) as channel_id, generate_series(1, 3) as n
    where channel_id % 5 = 0`
  const own = (flags: number, every: number) => sql`
    insert into message_flags (realm_id, user_id, message_id, flags)
    select ${realm_id}, reader.id, m.id, ${flags}
    from messages m, unnest(array[${regular}::int, ${newcomer}::int]) as reader (id)
    where m.realm_id = ${realm_id} and hashint8extended(m.id, reader.id) % ${every} = 0
      and (m.channel_id in (select channel_id from subscriptions s where s.realm_id = ${realm_id} and s.user_id = reader.id)
        or m.dm_id in (select dm_id from dm_members d where d.realm_id = ${realm_id} and d.user_id = reader.id))
    on conflict (realm_id, user_id, message_id) do update set flags = message_flags.flags | excluded.flags`
  await own(Flag.starred, 7)
  await own(Flag.mentioned, 61)
  await own(Flag.read, 71)
  await sql`
    insert into message_flags (realm_id, user_id, message_id, flags)
    select ${realm_id}, 0, id, ${Flag.stream_wildcard_mentioned} from messages
    where realm_id = ${realm_id} and has_wildcard`
  await sql`
    insert into reactions (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
    select ${realm_id}, id, ${regular}, 'unicode_emoji', '1f44d', '+1' from messages
    where realm_id = ${realm_id} and id % 23 = 0`
}

const member = (id: number): UserRow =>
  userRow(id, { email: addressOf(id), full_name: `Member ${id}`, date_joined: 1_700_000_000 })

const channel = (id: number): ChannelRow =>
  channelRow(id, {
    date_created: 1_700_000_000,
    // Some channels are private with protected history: there the membership spans decide what a user can read.
    invite_only: id % 3 === 0,
    history_public_to_subscribers: id % 3 !== 0,
  })

/**
 * From a narrow to the ids of a page of messages.
 *
 * There is no row per recipient, so "what this reader received" is put together from what each message's place says:
 * spans of membership, conversations, and rows of flags (DESIGN section 4). Each of these is a source that yields at
 * most a page in id order from an index; the page is the first of them all together. So the cost grows with the
 * reader's channels and conversations, never with other people's messages:
 *
 * 1. Ids given: those rows, each asked whether it was received.
 * 2. History (messages.md 1.6): the channels named, whoever received them.
 * 3. A flag wanted: the reader's own rows of flags, and everybody's.
 * 4. A sender wanted: that sender's messages, each asked whether it was received.
 * 5. Otherwise: every span, every conversation, and the rows of flags for what came to the reader another way.
 */
import { everybody, Flag } from '../domain/flags.js'
import { resolvedPrefix } from '../domain/messages.js'
import type { Condition, Narrow } from '../domain/narrow.js'
import { mutedChannels, readableChannels } from '../domain/reading.js'
import type { UserRow } from '../domain/rows.js'
import type { RealmState } from '../domain/state.js'
import type { Fragment, Sql } from './sql.js'

/** What is asked: a narrow, by a reader (undefined: a spectator), or those of some messages that are in it. */
export interface Query {
  state: RealmState
  reader: UserRow | undefined
  narrow: Narrow
  ids?: readonly number[]
}

/** Which part: the last `limit` ids below, or the first `limit` from an id on. */
export type Window = { below: number; limit: number } | { from: number; limit: number }

/** Ids of the messages in the narrow and the window, nearest to its edge first. */
export const pick = async (sql: Sql, query: Query, window: Window): Promise<number[]> => {
  if (window.limit <= 0 || query.narrow.conditions.some(isNever)) return []
  const form = formOf(sql, query, window)
  const sources = sourcesOf(form)
  if (sources.length === 0) return []
  const [only] = sources
  const found =
    sources.length === 1 && only !== undefined
      ? only
      : sql`
        select id from (${sources.map((source, i) => sql`${i === 0 ? sql`` : sql`union`} (${source})`)}) as found
        order by id ${form.order} limit ${window.limit}`
  const rows = await sql<{ id: number }[]>`${found}`
  return rows.map(({ id }) => id)
}

/** The conversation of nobody in particular: a list of people that is empty. */
const isNever = (condition: Condition): boolean =>
  condition.test === 'conversation' && condition.user_ids === null && !condition.negated

/** Whose messages are looked for, and with what. */
interface Context {
  sql: Sql
  realm_id: number
  user_id: number
}

interface Form extends Query, Context {
  order: Fragment
  /** the conditions on `m`, each beginning with `and` */
  where: Fragment[]
  /** the same and the window, on `m`, and the order and the limit */
  page: Fragment
  /** the channels that every message must be in; undefined: any, or none */
  channels: readonly number[] | undefined
  readable: readonly number[]
}

const formOf = (sql: Sql, query: Query, window: Window): Form => {
  const { state, reader, narrow } = query
  const realm_id = state.realm.id
  const user_id = reader?.id ?? everybody
  const down = 'below' in window
  const order = down ? sql`desc` : sql`asc`
  const context = { sql, realm_id, user_id }
  const muted = reader === undefined ? [] : mutedChannels(state, reader)
  const where = narrow.conditions.map((condition) => {
    const holds = sqlOf(context, muted, condition)
    return condition.negated ? sql`and not (${holds})` : sql`and ${holds}`
  })
  const edge = down ? sql`and m.id < ${window.below}` : sql`and m.id >= ${window.from}`
  return {
    ...query,
    sql,
    realm_id,
    user_id,
    order,
    where,
    page: sql`${edge} ${where} order by m.id ${order} limit ${window.limit}`,
    channels: commonChannels(narrow),
    readable: reader === undefined ? [] : readableChannels(state, reader),
  }
}

/** The channels that all channel conditions share. */
const commonChannels = ({ conditions }: Narrow): readonly number[] | undefined => {
  let common: readonly number[] | undefined
  for (const condition of conditions) {
    if (condition.test !== 'channel' || condition.negated) continue
    const { channel_ids } = condition
    common = common === undefined ? channel_ids : common.filter((id) => channel_ids.includes(id))
  }
  return common
}

const wants = ({ narrow }: Form, ...tests: Condition['test'][]): boolean =>
  narrow.conditions.some((condition) => !condition.negated && tests.includes(condition.test))

const sourcesOf = (form: Form): Fragment[] => {
  const { ids, narrow } = form
  if (ids !== undefined || wants(form, 'id')) return [givenIds(form)]
  if (narrow.includesHistory) return [history(form)]
  for (const condition of narrow.conditions) {
    if (condition.test === 'flag' && !condition.negated) return flagged(form, condition.flags)
  }
  if (wants(form, 'sender')) return [fromSender(form)]
  const isDirect = wants(form, 'direct', 'conversation', 'direct-with')
  const isChannel = form.channels !== undefined || wants(form, 'topic', 'resolved')
  return [...(isDirect ? [] : [fromSpans(form)]), ...(isChannel ? [] : [fromConversations(form)]), fromFlags(form)]
}

const givenIds = (form: Form): Fragment => {
  const { sql, realm_id, ids, narrow } = form
  const given = ids === undefined ? sql`` : sql`and m.id = any(${ids as number[]}::bigint[])`
  const reach = narrow.includesHistory ? sql`` : sql`and ${received(form)}`
  return sql`select m.id from messages m where m.realm_id = ${realm_id} ${given} ${reach} ${form.page}`
}

/** Indexes: messages_channel, messages_topic. */
const history = ({ sql, realm_id, channels = [], page }: Form): Fragment => {
  const [only] = channels
  if (channels.length === 1 && only !== undefined) {
    return sql`select m.id from messages m where m.realm_id = ${realm_id} and m.channel_id = ${only} ${page}`
  }
  return sql`
    select found.id from unnest(${channels as number[]}::int[]) as c (id) cross join lateral (
      select m.id from messages m where m.realm_id = ${realm_id} and m.channel_id = c.id ${page}
    ) found`
}

/** Indexes: message_flags' and messages' keys. */
const flagged = (form: Form, flags: number): Fragment[] => {
  const { sql, realm_id, user_id, page } = form
  const readable = stillReadable(form)
  const rowsOf = (owner: number, reach: Fragment) => sql`
    select m.id from message_flags f join messages m on m.realm_id = f.realm_id and m.id = f.message_id
    where f.realm_id = ${realm_id} and f.user_id = ${owner} and f.flags & ${flags} <> 0 and ${reach} ${page}`
  const own = rowsOf(user_id, readable)
  if ((flags & Flag.stream_wildcard_mentioned) === 0) return [own]
  return [own, rowsOf(everybody, sql`${readable} and ${wasRecipient(form)}`)]
}

/** Index: messages_sender. */
const fromSender = (form: Form): Fragment => {
  const { sql, realm_id, page } = form
  return sql`select m.id from messages m where m.realm_id = ${realm_id} and ${received(form)} ${page}`
}

/** Index: membership_spans' key, then messages_channel or messages_topic once per span. */
const fromSpans = (form: Form): Fragment => {
  const { sql, realm_id, user_id, page, channels, readable } = form
  const among = channels === undefined ? readable : channels.filter((id) => readable.includes(id))
  const unread = wants(form, 'unread') ? sql`and m.id > coalesce(r.read_up_to, 0)` : sql``
  return sql`
    select found.id
    from membership_spans s
      left join channel_reads r on r.realm_id = s.realm_id and r.user_id = s.user_id and r.channel_id = s.channel_id
      cross join lateral (
        select m.id from messages m
        where m.realm_id = ${realm_id} and m.channel_id = s.channel_id and m.id >= s.from_message
          and m.id < coalesce(s.to_message, ${Number.MAX_SAFE_INTEGER}) ${unread} ${page}
      ) found
    where s.realm_id = ${realm_id} and s.user_id = ${user_id} and s.channel_id = any(${among as number[]}::int[])`
}

/** Index: dm_members' key, then messages_dm once per conversation. */
const fromConversations = (form: Form): Fragment => {
  const { sql, realm_id, user_id, page, narrow } = form
  const exact = narrow.conditions.find((condition) => condition.test === 'conversation' && !condition.negated)
  const which =
    exact?.test === 'conversation'
      ? sql`and d.dm_id = (
          select id from dm_conversations where realm_id = ${realm_id} and user_ids = ${exact.user_ids as number[]}::int[]
        )`
      : sql``
  const unread = wants(form, 'unread') ? sql`and m.id > d.read_up_to` : sql``
  return sql`
    select found.id from dm_members d cross join lateral (
      select m.id from messages m where m.realm_id = ${realm_id} and m.dm_id = d.dm_id ${unread} ${page}
    ) found
    where d.realm_id = ${realm_id} and d.user_id = ${user_id} ${which}`
}

/** What came to the reader another way: gained later, or by a mention of a bot; or marked as unread again. */
const fromFlags = (form: Form): Fragment => {
  const { sql, realm_id, user_id, page } = form
  return sql`
    select m.id from message_flags f join messages m on m.realm_id = f.realm_id and m.id = f.message_id
    where f.realm_id = ${realm_id} and f.user_id = ${user_id} and ${stillReadable(form)} ${page}`
}

/** Whether the reader may still read `m`, given that they received it. */
const stillReadable = ({ sql, readable }: Form): Fragment =>
  sql`(m.dm_id is not null or m.channel_id = any(${readable as number[]}::int[]))`

/** Whether the reader received `m`, or gained it later, and may still read it. */
const received = (form: Form): Fragment => {
  const { sql, realm_id, user_id } = form
  return sql`${stillReadable(form)} and (
    ${wasRecipient(form)} or exists (
      select from message_flags f where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id = m.id
    )
  )`
}

/** Whether the reader was a participant or a subscriber when `m` was sent. */
const wasRecipient = ({ sql, realm_id, user_id }: Context): Fragment => sql`(
  exists (
    select from dm_members d where d.realm_id = ${realm_id} and d.user_id = ${user_id} and d.dm_id = m.dm_id
  ) or exists (
    select from membership_spans s
    where s.realm_id = ${realm_id} and s.user_id = ${user_id} and s.channel_id = m.channel_id
      and m.id >= s.from_message and (s.to_message is null or m.id < s.to_message)
  )
)`

/** One condition on `m`, never null. */
const sqlOf = (context: Context, muted: readonly number[], condition: Condition): Fragment => {
  const { sql, realm_id, user_id } = context
  switch (condition.test) {
    case 'channel':
      return sql`coalesce(m.channel_id = any(${condition.channel_ids as number[]}::int[]), false)`
    case 'topic':
      return sql`m.channel_id is not null and lower(m.topic) = lower(${condition.topic})`
    case 'resolved':
      return sql`m.channel_id is not null and starts_with(m.topic, ${resolvedPrefix})`
    case 'direct':
      return sql`m.dm_id is not null`
    case 'conversation':
      return sql`coalesce(m.dm_id = (
        select id from dm_conversations
        where realm_id = ${realm_id} and user_ids = ${(condition.user_ids ?? []) as number[]}::int[]
      ), false)`
    case 'direct-with':
      return sql`m.dm_id is not null and exists (
        select from dm_members d join dm_conversations c on c.realm_id = d.realm_id and c.id = d.dm_id
        where d.realm_id = ${realm_id} and d.user_id = ${condition.user_id} and d.dm_id = m.dm_id
          and cardinality(c.user_ids) > ${condition.groupsOnly ? 2 : 0}
      )`
    case 'sender':
      return sql`m.sender_id = ${condition.user_id}`
    case 'id':
      return sql`m.id = ${condition.message_id}`
    case 'flag':
      return sql`exists (
        select from message_flags f
        where f.realm_id = ${realm_id} and f.message_id = m.id and f.flags & ${condition.flags} <> 0
          and (f.user_id = ${user_id} or (f.user_id = ${everybody} and ${wasRecipient(context)}))
      )`
    case 'unread':
      return unread(context)
    case 'muted':
      return condition.inChannel ? sql`false` : sql`coalesce(m.channel_id = any(${muted as number[]}::int[]), false)`
    case 'has':
      return { link: sql`m.has_link`, image: sql`m.has_image`, attachment: sql`m.has_attachment` }[condition.what]
  }
}

/** Whether `m`, which the reader received, is unread (domain/flags.ts, 1). */
const unread = ({ sql, realm_id, user_id }: Context): Fragment => sql`
  coalesce(
    (
      select case when f.flags & ${Flag.unread} <> 0 then true when f.flags & ${Flag.read} <> 0 then false end
      from message_flags f where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id = m.id
    ),
    case when m.sender_id = ${user_id} and m.sender_read then false end,
    m.id > coalesce(
      (
        select r.read_up_to from channel_reads r
        where r.realm_id = ${realm_id} and r.user_id = ${user_id} and r.channel_id = m.channel_id
      ),
      (
        select d.read_up_to from dm_members d
        where d.realm_id = ${realm_id} and d.user_id = ${user_id} and d.dm_id = m.dm_id
      ),
      0
    )
  )`

/**
 * The ids of one page of a narrow.
 *
 * What a narrow reaches comes from sources, each of which yields ids in order from an index; the page is the first of
 * them all together. So the cost grows with the reader's own channels, conversations and flags, and never with other
 * people's messages:
 *
 * 1. Ids given: those messages, each asked whether the reader received it.
 * 2. History (messages.md 1.6): the channels named, whoever received what is in them.
 * 3. Words wanted: the messages that have them, each asked whether the reader received it, unless that does not matter.
 * 4. A flag wanted: the reader's own rows of flags, and everybody's.
 * 5. A sender wanted: that sender's messages, each asked whether the reader received it.
 * 6. Otherwise: every span of membership and every conversation, and the rows of flags for what came another way.
 */
import { apart, everybody, Flag } from '../domain/flags.js'
import { type Condition, type Narrow, searchedFor } from '../domain/narrow.js'
import { mutedChannels, readableChannels } from '../domain/reading.js'
import { allOf, conversation, hasOwnRow, keysOf, type Reading, wasRecipient } from './narrow.js'
import { hitsOf } from './search.js'
import type { Fragment, Sql } from './sql.js'

/** What is asked: a narrow, or those of some messages that are in it. */
export interface Query extends Reading {
  narrow: Narrow
  ids?: readonly number[]
}

/** Which part: the last `limit` ids below an id, or the first `limit` from one on. */
export type Window = { below: number; limit: number } | { from: number; limit: number }

/** Above every id. */
const noBound = Number.MAX_SAFE_INTEGER

/** Ids of the messages in the narrow and the window, nearest to its edge first. */
export const pick = async (query: Query, window: Window): Promise<number[]> => {
  if (window.limit <= 0 || query.narrow.conditions.some(isNever)) return []
  const { sql } = query
  const form = formOf(query, window)
  const { before = sql``, sources } = planOf(form)
  if (sources.length === 0) return []
  const union = sources.map((source) => sql`(${source})`).reduce((all, source) => sql`${all} union ${source}`)
  const rows = await sql<{ id: number }[]>`
    ${before} select id from (${union}) as found order by id ${form.order} limit ${window.limit}`
  return rows.map(({ id }) => id)
}

/** The conversation of nobody in particular. */
const isNever = (condition: Condition): boolean =>
  condition.test === 'conversation' && condition.user_ids === null && !condition.negated

interface Form extends Query {
  realm_id: number
  user_id: number
  limit: number
  order: Fragment
  /** how an id of the page compares with the edge, where there is one */
  within: Fragment
  /** the window and the conditions, each beginning with `and` */
  where: Fragment
  /** the channels in one of which every message must be; undefined: any, or none */
  channels: readonly number[] | undefined
  /** the reader may still read `m`, given that they received it */
  isReadable: Fragment
  readable: readonly number[]
}

const formOf = (query: Query, window: Window): Form => {
  const { sql, state, reader, narrow } = query
  const down = 'below' in window
  const edge = down ? sql`and m.id < ${window.below}` : sql`and m.id >= ${window.from}`
  const readable = reader === undefined ? [] : readableChannels(state, reader)
  return {
    ...query,
    ...keysOf(query),
    limit: window.limit,
    order: down ? sql`desc` : sql`asc`,
    within: down ? sql`>= coalesce((select id from edge), 0)` : sql`<= coalesce((select id from edge), ${noBound})`,
    where: sql`${edge} ${allOf(query, narrow.conditions)}`,
    channels: commonChannels(narrow),
    isReadable: sql`(m.dm_id is not null or m.channel_id = any(${readable}::int[]))`,
    readable,
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

/** Sources, and what they need before them. */
interface Plan {
  before?: Fragment
  sources: Fragment[]
}

const planOf = (form: Form): Plan => {
  const { ids, narrow, channels = [] } = form
  if (ids !== undefined || wants(form, 'id')) return { sources: [givenIds(form)] }
  const text = searchedFor(narrow)
  if (text !== undefined) return fromWords(form, text)
  if (narrow.includesHistory) return fromPlaces(form, [namedChannels(form)], channels.length > 1)
  for (const condition of narrow.conditions) {
    if (condition.test === 'flag' && !condition.negated) return { sources: flagged(form, condition.flags) }
  }
  if (wants(form, 'sender')) return { sources: [fromSender(form)] }
  const isDirect = wants(form, 'direct', 'conversation', 'direct-with')
  const isChannel = form.channels !== undefined || wants(form, 'topic', 'resolved') || excludesDirect(form)
  const places = [...(isDirect ? [] : [spans(form), moved(form)]), ...(isChannel ? [] : [conversations(form)])]
  // A direct message with a topic: there is none.
  if (places.length === 0) return { sources: [] }
  const { before, sources } = fromPlaces(form, places, channels.length === 0 && !wants(form, 'conversation'))
  return { before, sources: [...sources, fromFlags(form)] }
}

const wants = ({ narrow }: Form, ...tests: Condition['test'][]): boolean =>
  narrow.conditions.some((condition) => !condition.negated && tests.includes(condition.test))

const excludesDirect = ({ narrow }: Form): boolean =>
  narrow.conditions.some(({ test, negated }) => (test === 'direct' && negated) || (test === 'muted' && !negated))

const givenIds = (form: Form): Fragment => {
  const { sql, realm_id, ids, narrow, where, order, limit } = form
  const given = ids === undefined ? sql`` : sql`and m.id = any(${ids as number[]}::bigint[])`
  const reach = narrow.includesHistory ? sql`` : sql`and ${received(form)}`
  return sql`
    select m.id from messages m where m.realm_id = ${realm_id} ${given} ${reach} ${where}
    order by m.id ${order} limit ${limit}`
}

/** Index: message_words_words, then keys. */
const fromWords = (form: Form, text: string): Plan => {
  const { sql, realm_id, narrow, where, order, limit } = form
  const reach = narrow.includesHistory ? sql`` : sql`and ${received(form)}`
  const source = sql`
    select m.id from hits h join messages m on m.realm_id = ${realm_id} and m.id = h.id where true ${reach} ${where}
    order by m.id ${order} limit ${limit}`
  return { before: sql`with hits as materialized (${hitsOf(sql, realm_id, text)})`, sources: [source] }
}

/** Indexes: message_flags_starred, _mentioned or _alerted, then messages' key. */
const flagged = (form: Form, flags: number): Fragment[] => {
  const { sql, user_id, isReadable } = form
  const hasFlag = hasAny(sql, flags)
  const own = fromRows(form, user_id, sql`${hasFlag} and ${isReadable}`)
  if ((flags & Flag.stream_wildcard_mentioned) === 0) return [own]
  return [own, fromRows(form, everybody, sql`${hasFlag} and ${isReadable} and ${wasRecipient(form)}`)]
}

/** What places do not tell: messages gained later, or from outside, or marked as unread again. */
const fromFlags = (form: Form): Fragment => {
  const { sql, user_id, isReadable } = form
  return fromRows(form, user_id, sql`${hasAny(sql, apart)} and ${isReadable}`)
}

/** Written into the text, because a parameter would keep the planner from the partial indexes of migration 0006. */
const hasAny = (sql: Sql, flags: number): Fragment => sql`f.flags & ${sql.unsafe(String(flags))} <> 0`

const fromRows = ({ sql, realm_id, where, order, limit }: Form, owner: number, which: Fragment): Fragment => sql`
  select m.id from message_flags f join messages m on m.realm_id = f.realm_id and m.id = f.message_id
  where f.realm_id = ${realm_id} and f.user_id = ${owner} and ${which} ${where}
  order by f.message_id ${order} limit ${limit}`

/** Index: messages_sender. */
const fromSender = (form: Form): Fragment => {
  const { sql, realm_id, where, order, limit } = form
  return sql`
    select m.id from messages m where m.realm_id = ${realm_id} and ${received(form)} ${where}
    order by m.id ${order} limit ${limit}`
}

/** Whether the reader received `m`, or gained it later, and may still read it. */
const received = (form: Form): Fragment =>
  form.sql`${form.isReadable} and (${wasRecipient(form)} or ${hasOwnRow(form)})`

/** Where messages stand: rows (place, first, past), [first, past) being ids, and the column that names the place. */
interface Places {
  name: Fragment
  rows: Fragment
  column: Fragment
  /** which messages of the places, beginning with `and` */
  which?: Fragment
}

const namedChannels = ({ sql, channels = [] }: Form): Places => ({
  name: sql`named`,
  column: sql`channel_id`,
  rows: sql`
    select place, 0::bigint as first, ${noBound}::bigint as past
    from unnest(${channels as number[]}::int[]) as place`,
})

const spans = (form: Form): Places => {
  const { sql, realm_id, user_id } = form
  const among = channelsAmong(form)
  const first = wants(form, 'unread')
    ? sql`greatest(s.from_message, coalesce(r.read_up_to, 0) + 1)`
    : sql`s.from_message`
  return {
    name: sql`spans`,
    column: sql`channel_id`,
    which: sql`and m.origin_channel_id is null`,
    rows: sql`
      select s.channel_id as place, ${first} as first, coalesce(s.to_message, ${noBound}) as past
      from membership_spans s left join channel_reads r
        on r.realm_id = s.realm_id and r.user_id = s.user_id and r.channel_id = s.channel_id
      where s.realm_id = ${realm_id} and s.user_id = ${user_id} and s.channel_id = any(${among}::int[])
        ${amongMuted(form)}`,
  }
}

/** What the reader received in one channel, and is in another now (moved.ts). Index: messages_origin. */
const moved = (form: Form): Places => {
  const { sql, realm_id, user_id } = form
  return {
    name: sql`origins`,
    column: sql`origin_channel_id`,
    which: sql`and m.channel_id = any(${channelsAmong(form)}::int[])`,
    rows: sql`
      select s.channel_id as place, s.from_message as first, coalesce(s.to_message, ${noBound}) as past
      from membership_spans s where s.realm_id = ${realm_id} and s.user_id = ${user_id}`,
  }
}

/** The same for what is muted: a channel counts for which something else holds than for the whole of it, too. */
const amongMuted = ({ sql, realm_id, user_id, state, reader, narrow }: Form): Fragment => {
  if (reader === undefined) return sql``
  return narrow.conditions.reduce((before, condition) => {
    if (condition.test !== 'muted' || condition.inChannel) return before
    const isMuted = sql`s.channel_id = any(${mutedChannels(state, reader)}::int[])`
    return sql`${before} and (${condition.negated ? sql`not ${isMuted}` : isMuted} or exists (
      select from user_topics t
      where t.realm_id = ${realm_id} and t.user_id = ${user_id} and t.channel_id = s.channel_id
    ))`
  }, sql``)
}

/** The channels that the conditions leave: a channel without a match would be read from end to end. */
const channelsAmong = ({ narrow, readable }: Form): number[] => {
  let left: readonly number[] = readable
  const keep = (ids: readonly number[], negated: boolean) => {
    const named = new Set(ids)
    left = left.filter((id) => named.has(id) !== negated)
  }
  for (const condition of narrow.conditions) {
    if (condition.test === 'channel') keep(condition.channel_ids, condition.negated)
  }
  return [...left]
}

/** The same for conversations. */
const conversations = (form: Form): Places => {
  const { sql, realm_id, user_id, narrow } = form
  const which = narrow.conditions.reduce((before, condition) => {
    if (condition.negated) return before
    if (condition.test === 'conversation') {
      return sql`${before} and dm_id = (${conversation(form, condition.user_ids)})`
    }
    if (condition.test !== 'direct-with') return before
    return sql`${before} and dm_id in (
      select d.dm_id from dm_members d where d.realm_id = ${realm_id} and d.user_id = ${condition.user_id}
    )`
  }, sql``)
  const first = wants(form, 'unread') ? sql`read_up_to + 1` : sql`0::bigint`
  return {
    name: sql`conversations`,
    column: sql`dm_id`,
    rows: sql`
      select dm_id as place, ${first} as first, ${noBound}::bigint as past
      from dm_members where realm_id = ${realm_id} and user_id = ${user_id} ${which}`,
  }
}

/** Below this, a page is a few rows from each place anyway. */
const LARGE = 10

/**
 * The pages of all places. Indexes, once per place: messages_channel, messages_topic, messages_dm, messages_origin.
 *
 * With many places a page from each would read a hundred times what is wanted. So a few rows from each tell how far
 * the page can reach at most (`edge`), and then each place is read only that far.
 */
const fromPlaces = (form: Form, places: readonly Places[], areMany: boolean): Required<Plan> => {
  const { sql, realm_id, where, order, within, limit } = form
  const from = ({ name, column, which = sql`` }: Places, rest: Fragment) => sql`
    select found.id from ${name} p cross join lateral (
      select m.id from messages m
      where m.realm_id = ${realm_id} and m.${column} = p.place and m.id >= p.first and m.id < p.past
        ${which} ${where} ${rest}
    ) found`
  const lists = places
    .map(({ name, rows }) => sql`${name} as materialized (${rows})`)
    .reduce((all, list) => sql`${all}, ${list}`)
  if (!areMany || limit <= LARGE) {
    const page = sql`order by m.id ${order} limit ${limit}`
    return { before: sql`with ${lists}`, sources: places.map((one) => from(one, page)) }
  }
  const counts = places
    .map(({ name }) => sql`(select count(*) from ${name})`)
    .reduce((sum, count) => sql`${sum} + ${count}`)
  const few = sql`order by m.id ${order} limit (select few from share)`
  const heads = places.map((one) => from(one, few)).reduce((all, one) => sql`${all} union all ${one}`)
  const near = sql`and m.id ${within} order by m.id ${order} limit ${limit}`
  return {
    before: sql`
      with ${lists},
        share as materialized (select 2 + 2 * ${limit} / (1 + ${counts}) as few),
        heads as materialized (${heads}),
        edge as materialized (select id from heads order by id ${order} limit 1 offset ${limit - 1})`,
    sources: places.map((one) => from(one, near)),
  }
}

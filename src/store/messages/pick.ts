/**
 * The ids of one page of a narrow.
 *
 * What a narrow reaches comes from sources, each of which yields ids in order from an index; the page is the first of
 * them all together. So the cost grows with the reader's own channels, conversations and flags, and never with other
 * people's messages:
 *
 * 1. Ids given: those messages, each asked whether the reader received it.
 * 2. History (messages.md 1.6): the channels named, whoever received what is in them.
 * 3. Words wanted: see words.ts.
 * 4. A flag wanted: the reader's own rows of flags, and everybody's.
 * 5. Topics wanted that the reader follows or mutes: those topics, each message asked whether the reader received it.
 * 6. Otherwise: every span of membership and every conversation, in each of them the messages of one sender if that is
 *    asked, and the rows of flags for what came another way.
 *
 * How many messages a condition leaves, the planner cannot know, and a wrong guess has it read a whole history. So
 * every source is spelled as a walk along one index with a look-up per step: a lateral query with a limit of its own
 * is carried out as it is written.
 */
import { apart, everybody, Flag } from '../../domain/messages/flags.js'
import type { Condition, Narrow } from '../../domain/messages/narrow.js'
import { mutedChannels, readableChannels } from '../../domain/messages/reading.js'
import type { Fragment, Sql } from '../sql.js'
import { allOf, conversation, isIn, isReached, keysOf, type Query, type Window, wasRecipient } from './narrow.js'
import { pickWords } from './words.js'

/** Above every id. */
const noBound = Number.MAX_SAFE_INTEGER

/** Ids of the messages in the narrow and the window, nearest to its edge first. */
export const pick = (query: Query, window: Window): Promise<number[]> => {
  const { narrow, ids } = query
  const search = narrow.conditions.find((condition) => condition.test === 'search' && !condition.negated)
  return search?.test === 'search' && ids === undefined
    ? pickWords(query, window, search, fromSources)
    : fromSources(query, window)
}

const fromSources = async (query: Query, window: Window): Promise<number[]> => {
  if (window.limit <= 0 || isNever(query.narrow.conditions)) return []
  const { sql } = query
  const form = formOf(query, window)
  const { before = sql``, sources } = planOf(form)
  if (sources.length === 0) return []
  const union = sources.map((source) => sql`(${source})`).reduce((all, source) => sql`${all} union ${source}`)
  const rows = await sql<{ id: number }[]>`
    ${before} select id from (${union}) as found order by id ${form.order} limit ${window.limit}`
  return rows.map(({ id }) => id)
}

/** The conversation of nobody in particular; or what is muted and is not. */
const isNever = (conditions: readonly Condition[]): boolean =>
  conditions.some(
    (one) =>
      !one.negated &&
      ((one.test === 'conversation' && one.user_ids === null) ||
        (one.test === 'muted' && conditions.some((other) => other.test === 'muted' && other.negated))),
  )

interface Form extends Query {
  realm_id: number
  user_id: number
  limit: number
  order: Fragment
  /** how an id of the page compares with the edge, where there is one */
  within: Fragment
  /** the window and the conditions, each beginning with `and` */
  where: Fragment
  /** the window alone, for another column than messages have */
  edge(id: Fragment): Fragment
  /** the channels in one of which every message must be; undefined: any, or none */
  channels: readonly number[] | undefined
  /** the reader may still read `m`, given that they received it */
  isReadable: Fragment
  readable: readonly number[]
}

const formOf = (query: Query, window: Window): Form => {
  const { sql, state, reader, narrow } = query
  const down = 'below' in window
  const edge = (id: Fragment) => (down ? sql`and ${id} < ${window.below}` : sql`and ${id} >= ${window.from}`)
  const readable = reader === undefined ? [] : readableChannels(state, reader)
  return {
    ...query,
    ...keysOf(query),
    limit: window.limit,
    order: down ? sql`desc` : sql`asc`,
    within: down ? sql`>= coalesce((select id from edge), 0)` : sql`<= coalesce((select id from edge), ${noBound})`,
    where: sql`${edge(sql`m.id`)} ${allOf(query, narrow.conditions)}`,
    edge,
    channels: commonChannels(narrow),
    isReadable: isIn(query, readable),
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
  if (narrow.includesHistory) return fromPlaces(form, [namedChannels(form)], channels.length > 1)
  for (const condition of narrow.conditions) {
    if (condition.test === 'flag' && !condition.negated) return flagged(form, condition.flags)
  }
  if (wants(form, 'followed')) return withFlags(form, fromPlaces(form, [topics(form, FOLLOWED)], true))
  if (wants(form, 'muted')) return withFlags(form, fromPlaces(form, [topics(form, MUTED), ...mutedPlaces(form)], true))
  const isDirect = wants(form, 'direct', 'conversation', 'direct-with')
  const isChannel = form.channels !== undefined || wants(form, 'topic', 'resolved') || excludesDirect(form)
  const places = [...(isDirect ? [] : [spans(form), moved(form)]), ...(isChannel ? [] : [conversations(form)])]
  // A direct message with a topic: there is none.
  if (places.length === 0) return { sources: [] }
  return withFlags(form, fromPlaces(form, places, channels.length === 0 && !wants(form, 'conversation')))
}

/** What places do not tell: messages gained later, or from outside, or marked as unread again. */
const withFlags = (form: Form, { before, sources }: Required<Plan>): Plan => ({
  before,
  sources: [...sources, fromRows(form, form.user_id, hasAny(form.sql, apart))],
})

const wants = ({ narrow }: Form, ...tests: Condition['test'][]): boolean =>
  narrow.conditions.some((condition) => !condition.negated && tests.includes(condition.test))

const excludesDirect = ({ narrow }: Form): boolean =>
  narrow.conditions.some(({ test, negated }) => test === 'direct' && negated)

const givenIds = (form: Form): Fragment => {
  const { sql, realm_id, ids, narrow, where, order, limit } = form
  const given = ids === undefined ? sql`` : sql`and m.id = any(${ids as number[]}::bigint[])`
  const reach = narrow.includesHistory ? sql`` : sql`and ${isReached(form, form.readable)}`
  return sql`
    select m.id from messages m where m.realm_id = ${realm_id} ${given} ${reach} ${where}
    order by m.id ${order} limit ${limit}`
}

/** Indexes: message_flags_starred, _mentioned or _alerted, then messages' key. */
const flagged = (form: Form, flags: number): Plan => {
  const { sql, realm_id, user_id } = form
  const isUnread = wants(form, 'unread')
  const before = isUnread ? sql`with unread as materialized (${firstAfterPointers(form)})` : sql``
  const late = isUnread ? sql`and f.message_id >= (select id from unread)` : sql``
  const which = sql`${hasAny(sql, flags)} ${late}`
  const sources = [fromRows(form, user_id, which)]
  if ((flags & Flag.stream_wildcard_mentioned) !== 0) {
    // These are of all channels: who came late does not go through what was before them.
    const since = sql`and f.message_id >= coalesce((
      select min(s.from_message) from membership_spans s where s.realm_id = ${realm_id} and s.user_id = ${user_id}
    ), ${noBound})`
    sources.push(fromRows(form, everybody, sql`${which} ${since}`, sql`and ${wasRecipient(form)}`))
  }
  return isUnread ? withFlags(form, { before, sources }) : { before, sources }
}

/** Written into the text, because a parameter would keep the planner from the partial indexes of migration 0006. */
const hasAny = (sql: Sql, flags: number): Fragment => sql`f.flags & ${sql.unsafe(String(flags))} <> 0`

/** @param which of the owner's rows, @param more what must hold for the message, beginning with `and` */
const fromRows = (form: Form, owner: number, which: Fragment, more?: Fragment): Fragment => {
  const { sql, realm_id, where, edge, order, limit, isReadable } = form
  return sql`
    select m.id from (
      select f.message_id as id from message_flags f
      where f.realm_id = ${realm_id} and f.user_id = ${owner} and ${which} ${edge(sql`f.message_id`)}
      order by f.message_id ${order} offset 0
    ) f cross join lateral (
      select m.id from messages m
      where m.realm_id = ${realm_id} and m.id = f.id and ${isReadable} ${more ?? sql``} ${where}
      limit 1
    ) m
    order by f.id ${order} limit ${limit}`
}

/** The first message that lies after the reader's pointer in its place: what is before it is read, rows of flags apart. */
const firstAfterPointers = (form: Form): Fragment => {
  const { sql, realm_id } = form
  const first = ({ rows }: Places, column: Fragment) => sql`
    select min(found.id) from (${rows}) p cross join lateral (
      select m.id from messages m where m.realm_id = ${realm_id} and m.${column} = p.place and m.id >= p.first
      order by m.id limit 1
    ) found`
  return sql`
    select coalesce(
      least((${first(spans(form), sql`channel_id`)}), (${first(conversations(form), sql`dm_id`)})), ${noBound}
    ) as id`
}

/** Where messages stand: rows (place, first, past), [first, past) being ids. */
interface Places {
  name: Fragment
  rows: Fragment
  /** that `m` stands in the place `p`, as an index has it */
  at: Fragment
  /** which messages of the places, beginning with `and` */
  which?: Fragment
}

/** In the channel or conversation `p`. Of one sender, messages are indexed by place: a conversation's is negative. */
const atPlace = (form: Form, column: 'channel_id' | 'dm_id'): Fragment => {
  const { sql } = form
  if (!wants(form, 'sender')) return sql`m.${sql(column)} = p.place`
  return sql`coalesce(m.channel_id, -m.dm_id) = ${column === 'dm_id' ? sql`-p.place` : sql`p.place`}`
}

const namedChannels = (form: Form): Places => {
  const { sql, channels = [] } = form
  return {
    name: sql`named`,
    at: atPlace(form, 'channel_id'),
    rows: sql`
      select place, 0::bigint as first, ${noBound}::bigint as past
      from unnest(${channels as number[]}::int[]) as place`,
  }
}

const spans = (form: Form): Places => {
  const { sql } = form
  return {
    name: sql`spans`,
    at: atPlace(form, 'channel_id'),
    which: sql`and m.origin_channel_id is null`,
    rows: spansAmong(form, channelsAmong(form), amongMuted(form)),
  }
}

const spansAmong = (form: Form, among: readonly number[], more: Fragment): Fragment => {
  const { sql, realm_id, user_id } = form
  const first = wants(form, 'unread')
    ? sql`greatest(s.from_message, coalesce(r.read_up_to, 0) + 1)`
    : sql`s.from_message`
  return sql`
    select s.channel_id as place, ${first} as first, coalesce(s.to_message, ${noBound}) as past
    from membership_spans s left join channel_reads r
      on r.realm_id = s.realm_id and r.user_id = s.user_id and r.channel_id = s.channel_id
    where s.realm_id = ${realm_id} and s.user_id = ${user_id} and s.channel_id = any(${among as number[]}::int[])
      ${more}`
}

/** What the reader received in one channel, and is in another now (moved.ts). Index: messages_origin. */
const moved = (form: Form): Places => {
  const { sql, realm_id, user_id } = form
  return {
    name: sql`origins`,
    at: sql`m.origin_channel_id = p.place`,
    which: sql`and m.channel_id = any(${channelsAmong(form)}::int[])`,
    rows: sql`
      select s.channel_id as place, s.from_message as first, coalesce(s.to_message, ${noBound}) as past
      from membership_spans s where s.realm_id = ${realm_id} and s.user_id = ${user_id}`,
  }
}

/** Visibility policies of topics (messages.md 5.3). */
const [MUTED, FOLLOWED] = [1, 3]

/** Topics for which the reader has this policy. Index: messages_topic. */
const topics = (form: Form, policy: number): Places => {
  const { sql, realm_id, user_id } = form
  const first = wants(form, 'unread') ? sql`coalesce(r.read_up_to, 0) + 1` : sql`0::bigint`
  return {
    name: sql`topics`,
    at: sql`m.channel_id = p.place and lower(m.topic) = p.topic`,
    which: sql`and ${isReached(form, form.readable)}`,
    rows: sql`
      select t.channel_id as place, lower(t.topic) as topic, ${first} as first, ${noBound}::bigint as past
      from user_topics t left join channel_reads r
        on r.realm_id = t.realm_id and r.user_id = t.user_id and r.channel_id = t.channel_id
      where t.realm_id = ${realm_id} and t.user_id = ${user_id} and t.visibility_policy = ${policy}
        and t.channel_id = any(${channelsAmong(form)}::int[])`,
  }
}

/** The channels that the reader has muted as a whole. */
const mutedPlaces = (form: Form): Places[] => {
  const { state, reader, narrow } = form
  if (reader === undefined || narrow.conditions.some((one) => one.test === 'muted' && !one.negated && one.inChannel)) {
    return []
  }
  const among = new Set(channelsAmong(form))
  const muted = mutedChannels(state, reader).filter((id) => among.has(id))
  return [{ ...spans(form), rows: spansAmong(form, muted, form.sql``) }, moved(form)]
}

/** Without what is muted: a channel stays in which something else holds than for the whole of it. */
const amongMuted = ({ sql, realm_id, user_id, state, reader, narrow }: Form): Fragment => {
  if (reader === undefined) return sql``
  return narrow.conditions.reduce((before, condition) => {
    if (condition.test !== 'muted' || condition.inChannel || !condition.negated) return before
    return sql`${before} and (not s.channel_id = any(${mutedChannels(state, reader)}::int[]) or exists (
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
    at: atPlace(form, 'dm_id'),
    rows: sql`
      select dm_id as place, ${first} as first, ${noBound}::bigint as past
      from dm_members where realm_id = ${realm_id} and user_id = ${user_id} ${which}`,
  }
}

/** Below this, a page is a few rows from each place anyway. */
const LARGE = 10

/**
 * The pages of all places. Indexes, once per place: messages_channel, messages_topic, messages_dm, messages_sender_place,
 * messages_origin.
 *
 * With many places a page from each would read a hundred times what is wanted. So a few rows from each tell how far
 * the page can reach at most (`edge`), and then each place is read only that far.
 */
const fromPlaces = (form: Form, places: readonly Places[], areMany: boolean): Required<Plan> => {
  const { sql, realm_id, where, order, within, limit } = form
  const from = ({ name, at, which = sql`` }: Places, rest: Fragment) => sql`
    select found.id from ${name} p cross join lateral (
      select m.id from messages m
      where m.realm_id = ${realm_id} and ${at} and m.id >= p.first and m.id < p.past
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

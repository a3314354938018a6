/**
 * Narrow pages compared with a model of the rules: in random worlds, for random narrows and windows, the SQL finds
 * exactly the messages that a loop over all messages finds, with the same flags.
 */

import { describe, expect, test } from 'vitest'
import { hasContentAccess } from '../../rules/src/channel-access.js'
import { type NarrowedMessage, passesTest } from '../../rules/src/narrow-matching.js'
import type { UserRow } from '../../src/domain/log/rows.js'
import type { RealmState } from '../../src/domain/log/state.js'
import { mentionTag } from '../../src/domain/markdown/inline/mentions.js'
import { everySubscriber, Flag, flagNames } from '../../src/domain/messages/flags.js'
import { type Condition, type Narrow, parseNarrow, resolveNarrow } from '../../src/domain/messages/narrow/narrow.js'
import { loadState } from '../../src/store/log/row-tables.js'
import { indexRealm } from '../../src/store/messages/narrow/index-messages.js'
import { loadMessages } from '../../src/store/messages/narrow/load-messages.js'
import { searchWords } from '../../src/store/messages/narrow/search-words.js'
import { selectPageIds } from '../../src/store/messages/narrow/select-page-ids.js'
import type { Sql } from '../../src/store/sql.js'
import { testDeployment } from '../setup/realm/deployment.js'
import { newRealm, type TestRealm } from '../setup/realm/realm.js'

/** A small seeded random generator, so that a failure can be repeated. */
const createRandom = (seed: number) => {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (n: number) => Math.floor(next() * n)
  const pickOne = <T>(list: readonly T[]): T => list[below(list.length)] as T
  return { below, pickOne, chance: (p: number) => next() < p }
}
type Random = ReturnType<typeof createRandom>

interface Row {
  id: number
  sender_id: number
  channel_id: number | null
  dm_id: number | null
  topic: string
  sender_read: boolean
  read_by_all: boolean
  has_link: boolean
  has_wildcard: boolean
  content: string
}

interface World {
  sql: Sql
  state: RealmState
  messages: Row[]
  /** participants by conversation id */
  people: Map<number, number[]>
  spans: { user_id: number; channel_id: number; from_message: number; to_message: number | null }[]
  flags: Map<string, number>
  /** visibility policies by user, channel and topic */
  policies: Map<string, number>
  channelReads: Map<string, number>
  dmReads: Map<string, number>
}

const MESSAGES = 160
/**
 * Ids start after this number, so that two buckets of the word index meet in the middle of them
 * (store/messages/narrow/search-index.ts).
 */
const BASE = 2 ** 17 - MESSAGES / 2
const people = 6
const topics = ['plans', 'Plans', '✔ plans', 'other', '']
/** The first word is in most messages, the last one in few. */
const words = ['tea', 'coffee', 'cocoa']

/** Whether the text of the message mentions this user by name; the flag can come from a group, too. */
const isNamed = ({ id }: Row, user_id: number): boolean => (id + user_id) % 3 > 0

const writeMentions = (row: Row, users: readonly number[]): string =>
  users.map((id) => (isNamed(row, id) ? `${mentionTag(id)}@U</span>` : '')).join('')

/** Inserts channels of every kind, and random rows that need not come from a possible history. */
const build = async ({ realm_id, sql }: TestRealm, random: Random): Promise<World> => {
  const { below, pickOne, chance } = random
  const users = Array.from({ length: people }, (_, i) => i + 2)
  for (const id of users) {
    await sql`insert into users values (${realm_id}, ${id}, ${`u${id}@x.y`}, ${`u${id}@x.y`}, ${`U ${id}`},
      ${id === 7 ? 600 : 400}, true, false, null, null, false, 1, '', 'G', 1, 1, '{}')`
  }
  const kinds = ['public', 'web', 'shared', 'shared', 'protected', 'protected', 'archived']
  for (const [i, kind] of kinds.entries()) {
    const isPrivate = kind === 'shared' || kind === 'protected' || kind === 'archived'
    await sql`insert into channels values (${realm_id}, ${i + 1}, ${`${kind} ${i}`}, '', '', 1, 2, ${isPrivate},
      ${kind === 'web'}, ${kind !== 'protected'}, null, ${kind === 'archived'}, true, 'inherit', null,
      '1', '1', '1', '1', '3', '7', ${i === 3 ? sql`'{"direct_members":[3],"direct_subgroups":[]}'` : sql`'1'`})`
  }
  const spans: World['spans'] = []
  const channelReads = new Map<string, number>()
  for (const user_id of users) {
    for (let channel_id = 1; channel_id <= kinds.length; channel_id++) {
      if (chance(0.3)) continue
      const active = chance(0.7)
      await sql`insert into subscriptions values (${realm_id}, ${user_id}, ${channel_id}, ${active}, '#aabbcc',
        ${chance(0.3)}, false, null, null, null, null, null)`
      const edges = [0, 0, 0].map(() => BASE + below(MESSAGES)).sort((a, b) => a - b)
      const [first = 0, second = 0, third = 0] = edges
      if (first < second) spans.push({ user_id, channel_id, from_message: first, to_message: second })
      if (active) spans.push({ user_id, channel_id, from_message: third + 1, to_message: null })
      if (chance(0.8)) {
        const read_up_to = BASE + below(MESSAGES)
        channelReads.set(`${user_id} ${channel_id}`, read_up_to)
        await sql`insert into channel_reads values (${realm_id}, ${user_id}, ${channel_id}, ${read_up_to})`
      }
    }
  }
  for (const span of spans) await sql`insert into membership_spans ${sql({ realm_id, ...span })}`

  const sets = [[2], [2, 3], [2, 4], [3, 4], [2, 3, 4], [3, 4, 5], [2, 7], [5, 6]]
  const conversations = new Map<number, number[]>()
  const dmReads = new Map<string, number>()
  for (const user_ids of sets) {
    const [row] = await sql<{ id: number }[]>`
      insert into dm_conversations (realm_id, user_ids) values (${realm_id}, ${user_ids}) returning id`
    const id = row?.id as number
    conversations.set(id, user_ids)
    for (const user_id of user_ids) {
      const read_up_to = BASE + below(MESSAGES)
      dmReads.set(`${user_id} ${id}`, read_up_to)
      await sql`insert into dm_members values (${realm_id}, ${user_id}, ${id}, ${read_up_to})`
    }
  }

  const messages: Row[] = []
  for (let id = BASE + 1; id <= BASE + MESSAGES; id++) {
    if (chance(0.05)) continue
    const dm_id = chance(0.35) ? pickOne([...conversations.keys()]) : null
    messages.push({
      id,
      sender_id: dm_id === null ? pickOne(users) : pickOne(conversations.get(dm_id) ?? []),
      channel_id: dm_id === null ? 1 + below(kinds.length) : null,
      dm_id,
      topic: dm_id === null ? pickOne(topics) : '',
      sender_read: chance(0.5),
      read_by_all: chance(0.1),
      has_link: chance(0.3),
      has_wildcard: chance(0.1),
      content: words.filter((_, i) => chance(0.7 / (1 + 3 * i))).join(' and '),
    })
  }
  const rest = { timestamp: 1, client: 'test' }
  const never = { is_me_message: false, has_image: false, has_attachment: false }
  for (const row of messages)
    await sql`insert into messages
    ${sql({ realm_id, ...rest, ...never, ...row, rendered_content: `<p>${row.content}${writeMentions(row, users)}</p>` })}`
  await sql`update log_heads set last_message_id = ${BASE + MESSAGES} where realm_id = ${realm_id}`
  if (chance(0.7)) await indexRealm(sql, realm_id)

  const flags = new Map<string, number>()
  const bits = [Flag.read, Flag.starred, Flag.mentioned, Flag.unread, Flag.historical | Flag.read, Flag.has_alert_word]
  for (const row of messages) {
    const owners = row.dm_id === null ? users : (conversations.get(row.dm_id) ?? [])
    for (const user_id of owners) {
      if (!chance(0.25)) continue
      const received = spans.some((span) => span.user_id === user_id && covers(span, row))
      const own = pickOne(bits) | (chance(0.3) ? pickOne(bits) : 0)
      // A message that the user did not receive through a subscription needs `outside` (domain/messages/flags.ts, 3).
      const value = received || row.dm_id !== null ? own : own | Flag.outside
      flags.set(`${user_id} ${row.id}`, (value & Flag.unread) !== 0 ? value & ~Flag.read : value)
    }
    if (row.has_wildcard) flags.set(`${everySubscriber} ${row.id}`, Flag.stream_wildcard_mentioned)
  }
  for (const [key, value] of flags) {
    const [user_id, message_id] = key.split(' ').map(Number)
    await sql`insert into message_flags values (${realm_id}, ${user_id ?? 0}, ${message_id ?? 0}, ${value})`
  }
  const policies = new Map<string, number>()
  for (const user_id of users) {
    for (const topic of new Set(topics.map((one) => one.toLowerCase()))) {
      const channel_id = 1 + below(kinds.length)
      const policy = 1 + below(3)
      policies.set(`${user_id} ${channel_id} ${topic}`, policy)
      await sql`insert into user_topics values (${realm_id}, ${user_id}, ${channel_id}, ${topic}, ${policy}, 1)`
    }
  }
  // Without statistics on the new rows, Postgres might scan the rows of all other tests for each page.
  await sql`analyze`
  const state = (await sql.begin((tx) => loadState(tx, testDeployment(), realm_id))) as RealmState
  return { sql, state, messages, people: conversations, spans, flags, policies, channelReads, dmReads }
}

const covers = (span: World['spans'][number], row: Row) =>
  span.channel_id === row.channel_id && row.id >= span.from_message && row.id < (span.to_message ?? Infinity)

/** The state of one message for one user, following the rules of domain/messages/flags.ts. */
const messageState = (world: World, reader: UserRow, row: Row) => {
  const own = world.flags.get(`${reader.id} ${row.id}`)
  const wasRecipient =
    row.dm_id !== null
      ? (world.people.get(row.dm_id) ?? []).includes(reader.id)
      : world.spans.some((span) => span.user_id === reader.id && covers(span, row))
  const received = wasRecipient || own !== undefined
  const shared = wasRecipient ? (world.flags.get(`${everySubscriber} ${row.id}`) ?? 0) : 0
  const bits = (own ?? 0) | shared
  const pointer =
    row.dm_id !== null
      ? world.dmReads.get(`${reader.id} ${row.dm_id}`)
      : world.channelReads.get(`${reader.id} ${row.channel_id}`)
  const passed = row.id <= (pointer ?? 0) || row.read_by_all || (row.sender_id === reader.id && row.sender_read)
  const isRead = !received || ((bits & Flag.unread) === 0 && (passed || (bits & Flag.read) !== 0))
  const seen = received ? (bits & ~Flag.read) | (isRead ? Flag.read : 0) : Flag.read | Flag.historical
  const channel = row.channel_id === null ? undefined : world.state.channels.get(row.channel_id)
  const isReadable = channel === undefined || hasContentAccess(world.state, reader, channel)
  return { received: received && isReadable, flags: seen }
}

const matches = (world: World, reader: UserRow, row: Row, condition: Condition): boolean => {
  const { flags } = messageState(world, reader, row)
  switch (condition.test) {
    case 'mentions': {
      const { user_id } = condition
      return isNamed(row, user_id) && ((world.flags.get(`${user_id} ${row.id}`) ?? 0) & Flag.mentioned) !== 0
    }
    case 'flag':
      return (flags & condition.flags) !== 0
    case 'has':
      return condition.what === 'link' && row.has_link
    case 'search':
      return condition.text.split(' ').every((word) => row.content.includes(word))
    default:
      return passesTest(condition, readFacts(world, reader, row, flags))
  }
}

/** A message as the rules read it. */
const readFacts = (world: World, reader: UserRow, row: Row, flags: number): NarrowedMessage => {
  const own = world.state.userSubscriptions(reader.id).get(row.channel_id ?? 0)
  return {
    id: row.id,
    sender_id: row.sender_id,
    channel_id: row.channel_id ?? undefined,
    topic: row.topic,
    user_ids: row.dm_id === null ? [] : (world.people.get(row.dm_id) ?? []),
    flags: flagNames(flags),
    policy: world.policies.get(`${reader.id} ${row.channel_id} ${row.topic.toLowerCase()}`),
    isChannelMuted: own?.active === true && own.is_muted,
  }
}

/** Limits so small that the search tries both of its plans even on these few messages. */
const smallCandidateLimits = [
  { candidates: 3, size: 'small' },
  { candidates: 9, size: 'large' },
  { candidates: 40, size: 'all' },
] as const

const modelMessages = (world: World, reader: UserRow, narrow: Narrow): Row[] =>
  world.messages.filter(
    (row) =>
      (narrow.includesHistory || messageState(world, reader, row).received) &&
      narrow.conditions.every((condition) => matches(world, reader, row, condition) !== condition.negated),
  )

const someTerm = ({ below, pickOne, chance }: Random): unknown => {
  const negated = chance(0.2)
  const of = (operator: string, operand: unknown) => ({ operator, operand, negated })
  return pickOne([
    () => of('channel', 1 + below(7)),
    () => of('channel', 1 + below(7)),
    () => of('channels', pickOne(['public', 'web-public'])),
    () => of('topic', pickOne(topics)),
    () => of('dm', pickOne([[], [2], [3], [4], [3, 4], [5]])),
    () => of('dm-including', 2 + below(people)),
    () => of('group-pm-with', 2 + below(people)),
    () => of('sender', 2 + below(people)),
    () => of('mentions', 2 + below(people)),
    () => of('id', BASE + 1 + below(MESSAGES)),
    () => of('search', pickOne(words)),
    () => of('search', pickOne(words)),
    () => of('is', pickOne(['followed', 'muted'])),
    () => of('is', pickOne(['dm', 'starred', 'unread', 'unread', 'mentioned', 'alerted', 'resolved', 'muted'])),
    () => of('has', 'link'),
    () => of('in', 'home'),
  ])()
}

const someNarrow = (world: World, reader: UserRow, random: Random): Narrow => {
  for (;;) {
    const terms = Array.from({ length: random.below(4) }, () => someTerm(random))
    try {
      return resolveNarrow(world.state, reader, parseNarrow(terms))
    } catch {
      // The terms contradict each other: try another narrow.
    }
  }
}

describe.each([1, 2, 3])('Narrow pages in the random world %i', (seed) => {
  test('Every page has the messages and flags of the model.', { timeout: 60_000 }, async () => {
    await using realm = await newRealm()
    const random = createRandom(seed * 7_919)
    const world = await build(realm, random)
    const { sql, state } = world
    for (let round = 0; round < 150; round++) {
      const reader = state.users.get(2 + random.below(people)) as UserRow
      const narrow = someNarrow(world, reader, random)
      const all = modelMessages(world, reader, narrow)
      const edge = BASE + random.below(MESSAGES + 20)
      const limit = random.pickOne([1, 5, 12, 40, 500])
      const query = { sql, state, reader, narrow }
      const about = JSON.stringify({ seed, round, reader: reader.id, narrow, edge, limit })

      const before = await selectPageIds(query, { below: edge, limit })
      const earlier = all.filter(({ id }) => id < edge).reverse()
      expect(before, about).toEqual(earlier.slice(0, limit).map(({ id }) => id))
      const after = await selectPageIds(query, { from: edge, limit })
      const later = all.filter(({ id }) => id >= edge)
      expect(after, about).toEqual(later.slice(0, limit).map(({ id }) => id))
      const search = narrow.conditions.find((one) => one.test === 'search' && !one.negated)
      if (search?.test === 'search') {
        const down = await searchWords(query, { below: edge, limit }, search, selectPageIds, smallCandidateLimits)
        expect(down, about).toEqual(before)
        expect(
          await searchWords(query, { from: edge, limit }, search, selectPageIds, smallCandidateLimits),
          about,
        ).toEqual(after)
      }
      const some = Array.from({ length: 20 }, () => BASE + 1 + random.below(MESSAGES))
      const among = await selectPageIds({ ...query, ids: some }, { from: 0, limit: 20 })
      expect(among, about).toEqual(all.flatMap(({ id }) => (some.includes(id) ? [id] : [])))

      const rows = await loadMessages(query, before)
      for (const row of rows) {
        const found = world.messages.find(({ id }) => id === row.id) as Row
        expect(flagNames(row.flags), about).toEqual(flagNames(messageState(world, reader, found).flags))
      }
    }
  })
})

/** Unread messages that are found in memory: they equal those that the database finds at the same seq. */
import { describe, expect, test } from 'vitest'
import { type PageTopic, RecentMessages } from '../../src/domain/register/recent-messages.js'
import type { Content, UnreadTopic } from '../../src/domain/register/snapshot-request.js'
import { composeUnreadTopics, type ReaderFacts } from '../../src/domain/register/unread-topics.js'
import { openRecentMessages, type RecentMessagesOfRealm } from '../../src/store/register/recent-messages.js'
import { loadContent } from '../../src/store/register/registration-content.js'
import type { Sql } from '../../src/store/sql.js'
import { openRandom, type Random } from '../setup/random.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { call, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'

/** As in store/register/recent-messages.ts. */
const MANY = 1_000
const MANY_TOGETHER = 200_000
const FEW = 100

/** Loads the newest messages of the realm into the memory of this process. */
const load = async ({ realm, sql }: TestRealm, capacity: number): Promise<RecentMessagesOfRealm> => {
  const memory = openRecentMessages(sql, { realm: capacity, process: capacity })
  memory.noteExamined(realm, MANY)
  for (;;) {
    const recent = memory.find(realm)
    if (recent !== undefined) return recent
    await sql`select`
  }
}

const sortTopics = ({ conversations, is_cut }: Content['unread_topics']) => ({
  is_cut,
  conversations: conversations
    .map(({ channel_id, topic, is_muted, ids, mentions, wildcards }: UnreadTopic) => ({
      ...{ channel_id, topic, is_muted, ids },
      mentions: [...mentions].sort(),
      wildcards: [...wildcards].sort(),
    }))
    .sort((a, b) => a.channel_id - b.channel_id || a.topic.localeCompare(b.topic)),
})

/** The user's unread messages by the database, and by memory (undefined: memory has them not), of one snapshot. */
const findBoth = async ({ realm, sql }: TestRealm, recent: RecentMessagesOfRealm, user_id: number) => {
  const inMemory = recent.describe()
  const [all, { seq, facts }] = await sql.begin('isolation level repeatable read', async (tx) => {
    const read = (memory?: typeof inMemory) =>
      loadContent(tx as unknown as Sql, realm.id, user_id, ['unread_topics'], memory)
    return [await read(), await read(inMemory)] as const
  })
  await realm.waitForSeq(seq)
  if (inMemory === undefined || facts === undefined) throw new Error('there is nothing in memory')
  const found = await recent.composeUnread(user_id, seq, facts, inMemory)
  return { expected: sortTopics(all.content.unread_topics), found: found && sortTopics(found) }
}

interface Messages {
  people: readonly Person[]
  /** the channels by name */
  channels: ReadonlyMap<string, number>
  ids: number[]
}

const topics = ['logo', 'LOGO', 'Plan', 'plan', 'été', 'ÉTÉ']
const texts = ['hello', 'hello @**all**', 'hello @**Grace**', 'hello @**topic**']

/** One change that can make messages read or unread, or another user's. Some are refused. */
const change = async (random: Random, { people, channels, ids }: Messages): Promise<void> => {
  const person = random.pick(people)
  const [owner] = people as [Person]
  const [name, stream_id] = random.pick([...channels])
  const id = random.pick(ids)
  const flagged = { messages: ids.slice(-random.integer(1, 8)), flag: 'read' }
  const message = `/messages/${id}`
  switch (random.integer(1, 12)) {
    case 1:
      return void (await call(owner, 'PATCH', message, { content: random.pick(texts) }))
    case 2:
    case 3: {
      const propagate_mode = random.pick(['change_one', 'change_later', 'change_all'])
      const to = random.pick([{ topic: random.pick(topics) }, { stream_id }, { stream_id, topic: 'moved' }])
      return void (await call(owner, 'PATCH', message, {
        ...to,
        propagate_mode,
        send_notification_to_new_thread: false,
      }))
    }
    case 4:
      return void (await call(owner, 'DELETE', message))
    case 5:
      return void (await call(person, 'POST', '/messages/flags', { ...flagged, op: 'add' }))
    case 6:
      return void (await call(person, 'POST', '/messages/flags', { ...flagged, op: 'remove' }))
    case 7:
      return void (await call(person, 'POST', '/mark_stream_as_read', { stream_id }))
    case 8: {
      const policy = { stream_id, topic: random.pick(topics), visibility_policy: random.integer(0, 3) }
      return void (await call(person, 'POST', '/user_topics', policy))
    }
    case 9: {
      const [method, subscriptions] = random.pick([
        ['DELETE', [name]] as const,
        ['POST', [{ name }]] as const,
        ['POST', [{ name }]] as const,
      ])
      return void (await call(person, method, '/users/me/subscriptions', { subscriptions }))
    }
    default: {
      const send = { type: 'stream', to: stream_id, topic: random.pick(topics), content: random.pick(texts) }
      const { body } = await call(person, 'POST', '/messages', { ...send, read_by_sender: random.next() < 0.5 })
      if (typeof body.id === 'number') ids.push(body.id)
    }
  }
}

test('Messages are loaded when a registration examined many, or all registrations together did.', async () => {
  const { realm, ada } = await newRealmWith('Owner', 'Ada')
  await using _ = realm
  await createChannel(ada, 'design', [ada])
  await postMessage(ada, 'design', 'tea')
  const memory = openRecentMessages(realm.sql, { realm: 100, process: 100 })
  const isLoaded = async () => {
    for (let i = 0; i < 50 && memory.find(realm.realm) === undefined; i++) await realm.sql`select pg_sleep(0.002)`
    return memory.find(realm.realm) !== undefined
  }
  for (let examined = 0; examined + FEW < MANY_TOGETHER; examined += FEW) memory.noteExamined(realm.realm, FEW)
  expect(await isLoaded()).toBe(false)
  memory.noteExamined(realm.realm, FEW)
  await expect.poll(isLoaded).toBe(true)

  // Once they are forgotten, the count begins again.
  memory.drop(realm.realm)
  memory.noteExamined(realm.realm, FEW)
  expect(await isLoaded()).toBe(false)
  memory.noteExamined(realm.realm, MANY)
  await expect.poll(isLoaded).toBe(true)
})

describe('Unread messages in memory', () => {
  test('Memory finds the same unread messages as the database, while messages and readers change.', async () => {
    const { realm, owner, ada, grace } = await newRealmWith('Owner', 'Ada', 'Grace')
    await using _ = realm
    const people = [owner, ada, grace]
    const channels = new Map([
      ['design', await createChannel(owner, 'design', people)],
      ['plans', await createChannel(owner, 'plans', people)],
      [
        'board',
        await createChannel(owner, 'board', people, { invite_only: true, history_public_to_subscribers: false }),
      ],
    ])
    const ids: number[] = []
    for (let i = 0; i < 12; i++) {
      ids.push(await postMessage(owner, [...channels.values()][i % 3] as number, 'logo', texts[i % 4]))
    }
    // With this seed, messages that nobody has are moved to a channel whose subscribers then have them.
    const random = openRandom(3)
    const messages = { people, channels, ids }
    // One memory holds all messages, the other the newest ones.
    const recents = [await load(realm, 1_000), await load(realm, 6)]
    let found = 0
    for (let i = 0; i < 65; i++) {
      const { user_id } = random.pick(people)
      const changing = change(random, messages)
      for (const during of await Promise.all(recents.map((recent) => findBoth(realm, recent, user_id)))) {
        if (during.found === undefined) continue
        expect(during.found).toEqual(during.expected)
        found += 1
      }
      await changing
      await realm.realm.barrier()
      for (const recent of recents) {
        // The first registration after a change may read messages that were not known when it began.
        await findBoth(realm, recent, user_id)
        const after = await findBoth(realm, recent, user_id)
        expect(after.found).toEqual(after.expected)
      }
    }
    expect(found).toBeGreaterThan(0)
  })

  test('Of many unread messages, the newest are listed, and older ones only if the reader marked them as unread.', () => {
    const recent = new RecentMessages(10, 100_000)
    const page = (from: number, to: number) => {
      const list = Array.from({ length: to - from }, (_, i) => from + 1 + i)
      const inTopic = (channel_id: number): PageTopic => {
        const ids = list.filter((id) => id % 2 === channel_id - 1)
        const readers = ids.map(() => 0)
        return { ...{ channel_id, topic: 'Logo', folded: 'logo', ids, readers, moved: [], everyone: [] } }
      }
      recent.addPage({ seq: 1, from, to, again: [], topics: [inTopic(1), inTopic(2)] })
    }
    for (let from = 10; from < 60_000; from += 9_998) page(from, from + 9_998)
    const topic = { channel_id: 1, topic: 'logo', folded: 'logo', is_muted: false, mentions: [5], wildcards: [] }
    const facts: ReaderFacts = {
      last_message_id: 60_000 - 2,
      channels: [
        [1, 4, false],
        [2, 0, true],
      ],
      policies: [],
      flags: [],
      read_moved: [],
      older: { conversations: [{ ...topic, ids: [3, 5, 7] }], examined: 2, is_cut: false },
    }
    const { is_cut, conversations = [] } = composeUnreadTopics(recent, 1, facts) ?? {}
    expect(is_cut).toBe(true)
    const [even, odd] = conversations
    expect(even).toMatchObject({ channel_id: 1, topic: 'Logo', is_muted: false, mentions: [] })
    expect([even?.ids.slice(0, 3), even?.ids.length]).toEqual([[3, 10_000, 10_002], 25_001])
    expect(odd).toMatchObject({ channel_id: 2, is_muted: true })
    expect([odd?.ids[0], odd?.ids.at(-1), odd?.ids.length]).toEqual([9_999, 59_997, 25_000])
  })
})

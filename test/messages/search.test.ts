/**
 * Searching by words and phrases in readable messages, highlighting, and the narrows for reactions, followed and
 * muted topics.
 */
import { expect, test } from 'vitest'
import { rewriteWords } from '../../src/store/messages/narrow/english-words.js'
import { indexRealm } from '../../src/store/messages/narrow/index-messages.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { readRefusal } from '../setup/realm/refusals.js'

type Term = readonly [operator: string, operand: string | number, negated?: boolean]

const toNarrow = (terms: readonly Term[]) =>
  terms.map(([operator, operand, negated = false]) => ({ operator, operand, negated }))

interface Found {
  id: number
  match_content?: string
  match_subject?: string
}

const search = async (by: Person, ...terms: Term[]): Promise<Found[]> => {
  const asked = { anchor: 'newest', num_before: 50, narrow: toNarrow(terms) }
  return (await ok(by, 'GET', '/messages', asked)).messages
}

const idsOf = async (by: Person, ...terms: Term[]) => (await search(by, ...terms)).map(({ id }) => id)

/** Waits until every message is in the word index. */
const waitForIndex = async ({ sql, realm_id }: TestRealm) => {
  for (;;) {
    await indexRealm(sql, realm_id)
    const [mark] = await sql`
      select from search_marks s join log_heads h on h.realm_id = s.realm_id
      where s.realm_id = ${realm_id} and s.terms_up_to = h.last_message_id`
    if (mark !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('A search finds words by their stems in content and topic, before and after indexing.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  const first = await postMessage(ada, 'design', 'logo', 'the **servers** are running')
  const second = await postMessage(ada, 'design', 'a running joke', 'on one server')
  const third = await sendDirectMessage(ada, [grace], 'no server')
  for (const round of ['fresh', 'indexed']) {
    expect(await idsOf(grace, ['search', 'server run']), round).toEqual([first, second])
    expect(await idsOf(grace, ['search', 'server'], ['search', 'runs']), round).toEqual([first, second])
    expect(await idsOf(grace, ['search', 'server'], ['is', 'dm']), round).toEqual([third])
    expect(await idsOf(grace, ['channel', 'design'], ['search', 'running', true]), round).toEqual([])
    expect(await idsOf(grace, ['search', 'the servers']), round).toEqual([first, second, third])
    expect(await idsOf(grace, ['search', 'the']), round).toEqual([first])
    await waitForIndex(realm)
  }
})

test('A phrase must match literally, without regard to case.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', 'logo', 'Kernel Panic again')
  await postMessage(ada, 'design', 'logo', 'panic in the kernel')
  const topical = await postMessage(ada, 'design', 'Kernel panics', 'again')
  expect(await idsOf(ada, ['search', '"kernel panic"'])).toEqual([id, topical])
  expect(await idsOf(ada, ['search', '"kernel panic" "panic again"'])).toEqual([id])
  expect(await idsOf(ada, ['search', '"kernel panics"'])).toEqual([topical])
  expect(await idsOf(ada, ['search', '"kernel panic" again'])).toEqual([id, topical])
  expect(await idsOf(ada, ['search', '"100% _"'])).toEqual([])
})

test('Matches are highlighted in content and topic, and never inside a tag.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  await postMessage(ada, 'design', 'tests & more', 'run [Tests](https://test.example/tests) & <test>')
  const [found] = await search(ada, ['search', 'testing'])
  expect(found).toMatchObject({
    match_content:
      '<p>run <a href="https://test.example/tests"><span class="highlight">Tests</span></a> &amp; &lt;<span class="highlight">test</span>&gt;</p>',
    match_subject: '<span class="highlight">tests</span> &amp; more',
  })
  const [unsearched] = await search(ada, ['channel', 'design'])
  expect(unsearched).not.toHaveProperty('match_content')
  expect(unsearched).not.toHaveProperty('match_subject')
  await postMessage(ada, 'design', '<b> &amp; "c"', 'testing')
  const [, last] = await search(ada, ['search', 'testing'])
  expect(last?.match_subject).toBe('&lt;b&gt; &amp;amp; "c"')
})

test('A search finds only messages that the user received or can read in the channel of the narrow.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'open', [ada])
  await createChannel(ada, 'closed', [ada], { invite_only: true })
  const open = await postMessage(ada, 'open', 'x', 'needle')
  await postMessage(ada, 'closed', 'x', 'needle')
  await waitForIndex(realm)
  expect(await idsOf(grace, ['search', 'needle'])).toEqual([])
  expect(await idsOf(grace, ['channel', 'open'], ['search', 'needle'])).toEqual([open])
  expect(await idsOf(grace, ['channels', 'public'], ['search', 'needle'])).toEqual([open])
  const narrow = [
    { operator: 'channel', operand: 'closed' },
    { operator: 'search', operand: 'needle' },
  ]
  const { body } = await call(grace, 'GET', '/messages', { narrow, anchor: 'newest', num_before: 9, num_after: 0 })
  expect(body.code).toBe('BAD_NARROW')
})

test('A search follows edits, moves and deletions.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', 'logo', 'needle')
  const other = await postMessage(ada, 'design', 'logo', 'thread')
  await waitForIndex(realm)
  await ok(ada, 'PATCH', `/messages/${id}`, { content: 'pin' })
  await ok(ada, 'PATCH', `/messages/${other}`, { topic: 'haystack', send_notification_to_new_thread: false })
  expect(await idsOf(ada, ['search', 'needle'])).toEqual([])
  expect(await idsOf(ada, ['search', 'pin'])).toEqual([id])
  expect(await idsOf(ada, ['search', 'haystack thread'])).toEqual([other])
  await ok(ada, 'DELETE', `/messages/${id}`)
  expect(await idsOf(ada, ['search', 'pin'])).toEqual([])
})

test('matches_narrow returns which of the given messages match a narrow.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada])
  const here = await postMessage(ada, 'design', 'a & b', 'needle')
  const there = await postMessage(ada, 'design', 'other', 'needle')
  const asked = (...terms: Term[]) => ({ msg_ids: [here, there, 999], narrow: toNarrow(terms) })
  const path = '/messages/matches_narrow'
  expect((await ok(ada, 'GET', path, asked(['topic', 'a & b']))).messages).toEqual({
    [here]: { match_content: '<p>needle</p>', match_subject: 'a &amp; b' },
  })
  expect((await ok(ada, 'GET', path, asked(['search', 'needles'], ['topic', 'other']))).messages).toEqual({
    [there]: { match_content: '<p><span class="highlight">needle</span></p>', match_subject: 'other' },
  })
  expect((await ok(grace, 'GET', path, asked(['channel', 'design']))).messages).toEqual({})
  const empty = await postMessage(ada, 'design', '', 'no topic')
  const general = { msg_ids: [here, empty], narrow: toNarrow([['topic', 'general chat']]) }
  expect(Object.keys((await ok(ada, 'GET', path, general)).messages)).toEqual([String(empty)])
  expect((await readRefusal(call(ada, 'GET', path, asked(['with', here])))).code).toBe('BAD_NARROW')
})

test('Narrows find messages with reactions and messages in followed or muted topics.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const stream_id = await createChannel(ada, 'design', [ada])
  const loud = await createChannel(ada, 'loud', [ada])
  const [plain, followed, muted] = [
    await postMessage(ada, 'design', 'plain'),
    await postMessage(ada, 'design', 'Followed'),
    await postMessage(ada, 'design', 'muted'),
  ]
  const [inMuted, unmuted] = [await postMessage(ada, 'loud', 'x'), await postMessage(ada, 'loud', 'unmuted')]
  // is:muted depends on the user's muted topics and channels, and not on muted users.
  const fromMutedUser = await sendDirectMessage(grace, [ada])
  await ok(ada, 'POST', `/users/me/muted_users/${grace.user_id}`)
  const subscription_data = [{ stream_id: loud, property: 'is_muted', value: true }]
  await ok(ada, 'POST', '/users/me/subscriptions/properties', { subscription_data })
  const policy = (id: number, topic: string, visibility_policy: number) =>
    ok(ada, 'POST', '/user_topics', { stream_id: id, topic, visibility_policy })
  await policy(stream_id, 'followed', 3)
  await policy(stream_id, 'muted', 1)
  await policy(loud, 'unmuted', 2)
  await ok(ada, 'POST', `/messages/${plain}/reactions`, { emoji_name: 'tada' })
  expect(await idsOf(ada, ['has', 'reaction'])).toEqual([plain])
  expect(await idsOf(ada, ['is', 'followed'])).toEqual([followed])
  expect(await idsOf(ada, ['is', 'muted'])).toEqual([muted, inMuted])
  expect(await idsOf(ada, ['is', 'muted', true])).toEqual([plain, followed, unmuted, fromMutedUser])
  expect(await idsOf(ada, ['in', 'home'])).toEqual([plain, followed, unmuted, fromMutedUser])
  expect(await idsOf(ada, ['in', 'home', true])).toEqual([muted, inMuted])
  expect(await idsOf(ada, ['in', 'all'])).toEqual([plain, followed, muted, inMuted, unmuted, fromMutedUser])
  expect(await idsOf(ada, ['in', 'home'], ['channel', 'loud'])).toEqual([inMuted, unmuted])
})

test('Indexing skips large gaps in the message ids.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', [ada, grace])
  await realm.sql`
    update log_heads set last_message_id = last_message_id + 50000000 where realm_id = ${realm.realm_id}`
  const id = await postMessage(ada, 'design', 'logo', 'the servers are running')
  await waitForIndex(realm)
  expect(await idsOf(grace, ['search', 'server'])).toEqual([id])
})

/** The ids that a search finds, and those that its negation finds. */
const bothSides = async (by: Person, text: string) => [
  await idsOf(by, ['channel', 'design'], ['search', text]),
  await idsOf(by, ['channel', 'design'], ['search', text, true]),
]

test('Messages of before the upgrade are found by the index of the previous release, until they are indexed again.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const { sql, realm_id } = realm
  await createChannel(ada, 'design', [ada])
  const old = await postMessage(ada, 'design', 'logo', 'the servers are running')
  const hidden = await postMessage(ada, 'design', 'logo', 'see quince.txt')
  const changed = await postMessage(ada, 'design', 'logo', 'a quince')
  // As the previous release left it. While the marks are locked, no worker indexes the realm.
  const leaveOldIndex = () =>
    sql.begin(async (tx) => {
      await tx`
        insert into search_marks (realm_id, indexed_up_to) values (${realm_id}, 0)
        on conflict (realm_id) do update set indexed_up_to = ${changed}, terms_from = null, terms_up_to = null`
      await tx`update search_marks set indexed_up_to = ${changed} where realm_id = ${realm_id}`
      await tx`delete from message_terms where realm_id = ${realm_id}`
      await rewriteWords(tx, realm_id, [old, hidden, changed])
    })
  for (let isOld = false; !isOld; ) {
    await leaveOldIndex()
    isOld = await sql.begin(async (tx) => {
      const [mark] = await tx`select terms_up_to from search_marks where realm_id = ${realm_id} for update`
      if (mark?.terms_up_to !== null) return false
      const later = await postMessage(ada, 'design', 'logo', 'one server, and quince.txt')
      expect(await bothSides(ada, 'server')).toEqual([
        [old, later],
        [hidden, changed],
      ])
      expect(await bothSides(ada, '"quince.txt"')).toEqual([
        [hidden, later],
        [old, changed],
      ])
      expect(await bothSides(ada, 'quince')).toEqual([
        [changed, later],
        [old, hidden],
      ])
      await ok(ada, 'PATCH', `/messages/${changed}`, { content: 'a medlar' })
      expect(await bothSides(ada, 'quince')).toEqual([[later], [old, hidden, changed]])
      expect(await bothSides(ada, 'medlar')).toEqual([[changed], [old, hidden, later]])
      return true
    })
  }
  for (;;) {
    await indexRealm(sql, realm_id)
    const [mark] = await sql`select terms_from from search_marks where realm_id = ${realm_id}`
    if (mark?.terms_from === 0) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect((await bothSides(ada, 'quince'))[0]).toEqual([hidden, changed + 1])
  expect(await bothSides(ada, 'medlar')).toEqual([[changed], [old, hidden, changed + 1]])
})

test('A message that the previous release changes is right at once.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const id = await postMessage(ada, 'design', 'logo', 'needle')
  const other = await postMessage(ada, 'design', 'logo', 'thread')
  for (const content of ['quince', 'medlar']) {
    await waitForIndex(realm)
    await realm.sql`
      update messages set content = ${content}, rendered_content = ${`<p>${content}</p>`}
      where realm_id = ${realm.realm_id} and id = ${id}`
    expect(await bothSides(ada, content)).toEqual([[id], [other]])
    expect(await bothSides(ada, 'needle')).toEqual([[], [id, other]])
  }
})

test('A phrase marks the phrase, and marks are right in every script and inside formatted text.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const marked = async (text: string, content: string) => {
    const id = await postMessage(ada, 'design', 'marks', content)
    const found = (await search(ada, ['search', text])).find((message) => message.id === id)
    return found?.match_content?.replaceAll('<span class="highlight">', '[').replaceAll('</span>', ']')
  }
  expect(await marked('"kernel panic"', 'a kernel panic is no panic of a kernel')).toBe(
    '<p>a [kernel panic] is no panic of a kernel</p>',
  )
  expect(await marked('quince', 'a **qui**nce, “quince’s” *x*')).toBe(
    '<p>a <strong>[qui]</strong>[nce], “[quince]’s” <em>x</em></p>',
  )
  expect(await marked('"a quince b"', 'so a **quince** b')).toBe('<p>so [a ]<strong>[quince]</strong>[ b]</p>')
  expect(await marked('AT&T', 'from AT&T, at')).toBe('<p>from [AT&amp;T], at</p>')
  expect(await marked('北京', '我们明天去北京开会')).toBe('<p>我们明天去[北京]开会</p>')
  expect(await marked('부산', '부산에서 만나요')).toBe('<p>[부산]에서 만나요</p>')
  expect(await marked('café', 'cafe\u0301 CAFE')).toBe('<p>[cafe\u0301] [CAFE]</p>')
  expect(await marked('книга', 'мы читаем книги')).toBe('<p>мы читаем [книги]</p>')
})

test('Searches find beginnings of words, names and common phrases, before and after indexing.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  const texts = [
    'to be or not to be',
    'AT&T and it’s',
    'https://www.example.com/quince4?a=1&b=2',
    'sess.quince_medlar',
    'das Mädchen',
  ]
  const ids: number[] = []
  for (const text of texts) ids.push(await postMessage(ada, 'design', 'names', text))
  const [phrase, at, address, name, german] = ids
  const cases: [string, (number | undefined)[]][] = [
    ['"to be or not to be"', [phrase]],
    ['AT&T', [at]],
    ["it's", [at]],
    ['quin', [address, name]],
    ['qui* med', [name]],
    ['me*', [name]],
    ['www.example.com/quince4?a=1&b=2', [address]],
    ['madchen', [german]],
    ['to', [phrase]],
    ['…', []],
  ]
  for (const _round of ['fresh', 'indexed']) {
    for (const [text, expected] of cases)
      expect(await bothSides(ada, text), text).toEqual([expected, ids.filter((id) => !expected.includes(id))])
    await waitForIndex(realm)
  }
})

/** What the server suggests when a search finds little: words that the caller can find, and no others. */
import { expect, test } from 'vitest'
import { learnBatch } from '../../src/store/messages/narrow/known-words.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'

type Term = { operator: string; operand: string; negated?: boolean }

/** Waits until the words of every message are known. */
const learnAll = async ({ sql, realm_id }: TestRealm) => {
  for (;;) {
    while (await learnBatch(sql, realm_id));
    const behind = await sql`
      select from log_heads h left join known_word_marks k using (realm_id)
      where realm_id = ${realm_id} and coalesce(learnt_up_to, 0) < last_message_id`
    if (behind.count === 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const correctionsFor = async (
  by: Person,
  ...narrow: Term[]
): Promise<{ words: object[]; narrow: { operator: string; operand: unknown }[] }[]> =>
  (await ok(by, 'GET', '/messages/search_corrections', { narrow })).corrections

const meantBy = async (by: Person, text: string, ...others: Term[]): Promise<unknown[]> =>
  (await correctionsFor(by, { operator: 'search', operand: text }, ...others)).map(
    ({ narrow }) => narrow.find(({ operator }) => operator === 'search')?.operand,
  )

test('A mistyped word leads to known words that the caller finds, the nearest and most common first.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'kitchen', [ada, grace])
  await postMessage(ada, 'kitchen', 'Fruit', 'A **Quince** jelly')
  await postMessage(ada, 'kitchen', 'Fruit', 'More quince jelly, and quinoa')
  await sendDirectMessage(ada, [grace], 'The café serves medlars')
  await learnAll(realm)
  expect(await meantBy(grace, 'quinec')).toEqual(['quince'])
  expect(await meantBy(grace, 'Quimce jely')).toEqual(['quince jelly'])
  expect(await meantBy(grace, '"quince jely"')).toEqual(['"quince jelly"'])
  expect(await meantBy(grace, 'fruiit jelly')).toEqual(['fruit jelly'])
  expect(await meantBy(grace, 'medlers', { operator: 'is', operand: 'dm' })).toEqual(['medlars'])
  expect(await meantBy(grace, 'medlers', { operator: 'channel', operand: 'kitchen' })).toEqual([])
  expect(await meantBy(grace, 'xylophone')).toEqual([])
  // A search for the plural finds the same messages.
  expect(await meantBy(grace, 'quinces')).toEqual([])
  expect(await meantBy(grace, 'the 1234')).toEqual([])
  expect(await correctionsFor(grace, { operator: 'channel', operand: 'kitchen' })).toEqual([])
  const [found] = await correctionsFor(grace, { operator: 'search', operand: 'jely' })
  expect(found).toEqual({
    words: [{ typed: 'jely', meant: 'jelly' }],
    narrow: [{ operator: 'search', operand: 'jelly', negated: false }],
  })
  const refused = await call(grace, 'GET', '/messages/search_corrections', {
    narrow: [{ operator: 'x', operand: 'y' }],
  })
  expect(refused.status).toBe(400)
})

test('A word that only messages have which the caller cannot read is never suggested, nor its form or spelling.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'secret', [ada], { invite_only: true })
  await createChannel(ada, 'open', [ada, grace])
  await postMessage(ada, 'secret', 'plans', 'quince quince quince medlár tomatoes')
  await postMessage(ada, 'open', 'plans', 'medlar tomato')
  await learnAll(realm)
  expect(await meantBy(ada, 'quinec')).toEqual(['quince'])
  expect(await meantBy(grace, 'quinec')).toEqual([])
  expect(await meantBy(grace, 'quinces')).toEqual([])
  expect(await meantBy(grace, 'medlra')).toEqual(['medlar'])
  expect(await meantBy(grace, 'tomatoos')).toEqual(['tomato'])
})

test('A word that was deleted or edited is not suggested.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'open', [ada])
  const first = await postMessage(ada, 'open', 'plans', 'quince')
  const second = await postMessage(ada, 'open', 'plans', 'medlar')
  await learnAll(realm)
  await ok(ada, 'DELETE', `/messages/${first}`)
  await ok(ada, 'PATCH', `/messages/${second}`, { content: 'tomato' })
  expect(await meantBy(ada, 'quinec')).toEqual([])
  expect(await meantBy(ada, 'medlra')).toEqual([])
})

test('Topics are proposed by their beginnings, of the channels of the caller and of what they may read.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const open = Number(await createChannel(ada, 'open', [ada, grace]))
  const other = Number(await createChannel(ada, 'other', [ada]))
  const secret = { invite_only: true, history_public_to_subscribers: false }
  const late = Number(await createChannel(ada, 'late', [ada], secret))
  for (const topic of ['Quince jelly', 'quince pie', 'medlar', 'A quince']) await postMessage(ada, open, topic, 'x')
  await postMessage(ada, other, 'quince tree', 'x')
  await postMessage(ada, late, 'quince secret', 'x')
  await ok(ada, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'late' }],
    principals: [grace.user_id],
  })
  await postMessage(ada, late, 'quince news', 'x')
  const namesFor = async (by: Person, begin: string, stream_id?: number) =>
    (await ok(by, 'GET', '/messages/matching_topics', { begin, stream_id })).topics.map(
      ({ name }: { name: string }) => name,
    )
  expect(await namesFor(grace, 'QUI')).toEqual(['quince news', 'quince pie', 'Quince jelly'])
  expect(await namesFor(ada, 'quince ')).toEqual([
    'quince news',
    'quince secret',
    'quince tree',
    'quince pie',
    'Quince jelly',
  ])
  expect(await namesFor(grace, 'quince', other)).toEqual(['quince tree'])
  expect(await namesFor(grace, 'quince', late)).toEqual(['quince news'])
  expect(await namesFor(grace, 'x')).toEqual([])
  expect((await call(grace, 'GET', '/messages/matching_topics', { begin: 'q', stream_id: 999_999 })).status).toBe(400)
})

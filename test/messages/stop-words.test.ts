/** Stop words: the list for clients equals the list of the database. */
import { expect, test } from 'vitest'
import { stopWords } from '../../src/domain/messages/narrow/stop-words.js'
import { ok, type Person } from '../setup/realm.js'
import { newQuietRealm } from '../setup/realm-with-people.js'

test('Postgres ignores every word of the stop word list, and no other tested word.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const { stop_words } = await ok(ada, 'POST', '/register', {
    fetch_event_types: ['stop_words'],
  })
  expect(stop_words).toEqual(stopWords)
  const searched = await realm.sql<{ word: string }[]>`
    select word from unnest(${[...stop_words, 'engine', 'topic']}::text[]) as word
    where to_tsvector('english', word) <> ''::tsvector order by word`
  expect(searched.map(({ word }) => word)).toEqual(['engine', 'topic'])
})

/** Stop words: the list for clients is the one that searches use. */
import { expect, test } from 'vitest'
import { parseSearch } from '../../src/domain/search/query.js'
import { stopWords } from '../../src/domain/search/stop-words.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'

test('A search ignores every word of the stop word list beside another word, and no other tested word.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const { stop_words } = await ok(ada, 'POST', '/register', {
    fetch_event_types: ['stop_words'],
  })
  expect(stop_words).toEqual(stopWords)
  const countTerms = (text: string) => parseSearch(text).terms.length
  const required = [...stop_words, 'engine', 'topic'].filter((word) => countTerms(`${word} quince`) > 1)
  expect(required).toEqual(['engine', 'topic'])
  expect(stop_words.filter((word: string) => countTerms(word) !== 1)).toEqual([])
})

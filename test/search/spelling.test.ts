/** Neighbours of mistyped words. */
import { expect, test } from 'vitest'
import { findTypedWords, planAttempts, replaceWords } from '../../src/domain/search/corrections.js'
import { isKnowable, rankNeighbours, wordKeys } from '../../src/domain/search/spelling.js'

const share = (one: string, other: string) => wordKeys(7, one).some((key) => wordKeys(7, other).includes(key))
const rank = (typed: string, ...words: string[]) =>
  rankNeighbours(
    typed,
    words.map((word, i) => ({ word, rank: words.length - i })),
  )

test.each([
  ['quince', 'qunce'],
  ['quince', 'quinnce'],
  ['quince', 'quimce'],
  ['quince', 'quinec'],
  ['quince', 'uince'],
  ['deployment', 'deplyomnet'],
  ['deployment', 'deploiment'],
  ['receiving', 'recieveing'],
  ['вопрос', 'вопрсо'],
])('%j is a neighbour of %j, and they share a key.', (word, typed) => {
  expect([share(word, typed), rank(typed, word)]).toEqual([true, [word]])
})

test('The nearest word comes first, and of those the most common one that begins alike.', () => {
  expect(rank('medlra', 'pedlra', 'medlar', 'medlars')).toEqual(['medlar', 'pedlra'])
  expect(rank('planing', 'planning', 'planking', 'plan', 'planing')).toEqual(['planning', 'planking'])
  expect(rank('quin', 'quince', 'ruin')).toEqual(['ruin'])
})

test('Short and long words, numbers, and scripts without spaces are no mistakes.', () => {
  expect(findTypedWords('東京都庁で会いましょう')).toEqual([])
  expect(['the', 'v2beta', 'x'.repeat(40), 'quince', "aujourd'hui"].map(isKnowable)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
})

test('Words are replaced where they stand, quoted only outside of phrases and names.', () => {
  const replaced = [{ typed: 'quinec', meant: 'quince' }]
  expect(replaceWords('Quinec, jelly "quinec pie" a.quinec', replaced, true)).toBe(
    'quince, jelly "quince pie" a.quince',
  )
  expect(replaceWords('jelly quinec', replaced, true)).toBe('jelly "quince"')
  expect(replaceWords('jelly quinec', replaced, false)).toBe('jelly quince')
  expect(findTypedWords('ab quinec 12').map(({ word }) => word)).toEqual(['quinec'])
})

test('One word is replaced before all of them are, and each alternative is tried once.', () => {
  const others: Record<string, string[]> = { one: ['1', 'I'], two: ['2'] }
  const attempts = planAttempts(['one', 'two'], (word) => others[word] ?? [])
  expect(attempts.map((words) => words.map(({ meant }) => meant).join())).toEqual(['1', '2', '1,2', 'I'])
})

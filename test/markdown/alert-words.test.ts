/** Alert words: protocol/messages.md 6.7. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileAlertWords } from '../../src/domain/markdown/alert-words.js'

const before = [' ', '\n', '(', '"', '.', ',', "'", ';', '[', '*', '`', '>']
const after = [' ', '\n', ')', '?', ':', '.', ',', "'", ';', ']', '!', '*', '`']

/** Whether a search for these words finds one of them. */
const alertWordMatches = (content: string, words: Iterable<string>): boolean =>
  compileAlertWords(new Map([[0, words]]))(content).length > 0

describe('Alert words', () => {
  test('An alert word is found in any case, at the start, at the end and alone.', () => {
    for (const content of ['Deploy', 'DEPLOY now', 'please deploy']) {
      expect(alertWordMatches(content, ['dePloy'])).toBe(true)
    }
  })

  test.each(before)('An alert word can follow %j.', (sign) =>
    expect(alertWordMatches(`x${sign}word`, ['word'])).toBe(true),
  )
  test.each(after)('An alert word can precede %j.', (sign) =>
    expect(alertWordMatches(`word${sign}x`, ['word'])).toBe(true),
  )

  test('An alert word can neither follow nor precede any other sign.', () => {
    for (const sign of String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i))) {
      expect(alertWordMatches(`x${sign}word`, ['word']), `before: ${sign}`).toBe(before.includes(sign))
      expect(alertWordMatches(`word${sign}x`, ['word']), `after: ${sign}`).toBe(after.includes(sign))
    }
  })

  test.each(['swords', 'words', 'sword', '-word', 'word-', '/word', 'word/', '#word', '@word', '<word', 'wordé'])(
    '%j does not contain the alert word "word".',
    (content) => expect(alertWordMatches(content, ['word'])).toBe(false),
  )

  test.each([
    '“word”',
    '‘word’',
    '„word“',
    '«word»',
    'word’s',
    '「word」',
    '（word）',
    'see：word。',
    '…word…',
    'a—word—b',
    '¿word?',
    '👍word👍',
    '❤️word',
    'これはwordです',
    '这word字',
    'คำword',
    'a\u200bword\u200bb',
    'a\u3000word\u00a0b',
    '(\u200eword\u200e)',
  ])('%j contains the alert word "word".', (content) => expect(alertWordMatches(content, ['word'])).toBe(true))

  test.each([
    'éword',
    'worde\u0301',
    'word\u0301',
    'e\u0301word',
    'яword',
    'wordя',
    'wordß',
    'a\u00adword',
    'word\u200da',
    'ªword',
    '한word',
  ])('%j does not contain the alert word "word", which is a part of a word.', (content) =>
    expect(alertWordMatches(content, ['word'])).toBe(false),
  )

  test('In scripts without spaces between words, an alert word can be anywhere.', () => {
    for (const content of ['東京で会う', 'これは東京です', 'x東京y', '東京'])
      expect(alertWordMatches(content, ['東京']), content).toBe(true)
    expect(alertWordMatches('이것은 서울이다', ['서울'])).toBe(false)
    expect(alertWordMatches('скотина', ['кот'])).toBe(false)
  })

  test('An alert word is found in both forms of its accents.', () => {
    expect(alertWordMatches('un cafe\u0301!', ['caf\u00e9'])).toBe(true)
    expect(alertWordMatches('un caf\u00e9!', ['cafe\u0301'])).toBe(true)
  })

  test('An alert word that is an address is found in the addresses of pages below it.', () => {
    for (const word of ['https://e.org/docs', 'e.org/docs', 'e.org/docs/', 'e.org']) {
      for (const page of [
        'https://e.org/docs/',
        'see https://e.org/docs/a/b.',
        'https://e.org/docs?x',
        'https://e.org/docs#x',
        'https://e.org/docs, and',
      ]) {
        expect(alertWordMatches(page, [word]), `${word} in ${page}`).toBe(true)
      }
      for (const page of ['https://e.org/docsx', 'https://e.orgx/docs', 'https://xe.org/docs/a', 'x@e.org/docs']) {
        expect(alertWordMatches(page, [word]), `${word} in ${page}`).toBe(word === 'e.org' && page.endsWith('docsx'))
      }
    }
    expect(alertWordMatches('word/x /word', ['word'])).toBe(false)
  })

  test('An alert word can consist of several words and signs.', () => {
    expect(alertWordMatches('a C++ (on call) b', ['on call'])).toBe(true)
    expect(alertWordMatches('we use C++.', ['c++'])).toBe(true)
    expect(alertWordMatches('call on', ['on call', ''])).toBe(false)
  })

  test('An alert word is found in code and quotes too, because the typed content is searched.', () => {
    expect(alertWordMatches('```\nword\n```', ['word'])).toBe(true)
    expect(alertWordMatches('> `word`', ['word'])).toBe(true)
  })

  test('The search returns the users whose alert words the content contains.', () => {
    const find = compileAlertWords(
      new Map([
        [1, ['deploy', 'on call']],
        [2, ['Deploy']],
        [3, ['call']],
        [4, []],
      ]),
    )
    expect(find('Deploy!').sort()).toEqual([1, 2])
    expect(find('who is on call?').sort()).toEqual([1, 3])
    expect(find('nobody')).toEqual([])
    expect(compileAlertWords(new Map())('x')).toEqual([])
  })

  test('The search finds the same words as a comparison at every position of the content.', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '.', '(', '-', '\n'), maxLength: 30 })
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', '-'), minLength: 1, maxLength: 4 }), {
      maxLength: 4,
    })
    const slowly = (content: string, list: string[]) =>
      list
        .map((word) => word.trim().toLowerCase())
        .filter((word) => word !== '')
        .some((word) => {
          const low = content.toLowerCase()
          return [...low].some((_, at) => {
            const [left, right] = [low[at - 1], low[at + word.length]]
            const isWord = low.startsWith(word, at)
            return (
              isWord && (left === undefined || before.includes(left)) && (right === undefined || after.includes(right))
            )
          })
        })
    fc.assert(
      fc.property(text, words, (content, list) => alertWordMatches(content, list) === slowly(content, list)),
      { numRuns: 2_000 },
    )
  })
})

/** The table of emoji that messages, reactions and clients share. */
import { describe, expect, test } from 'vitest'
import { chatEmojiNames, emojiCodeToNames, emojiNames, findEmojiCode } from '../../src/domain/emoji/emoji-table.js'
import { emojiCode } from '../../src/domain/emoji/unicode-names.js'

describe('The emoji table', () => {
  test.each([
    ['smile', '1f642'],
    ['holiday_tree', '1f384'],
    ['heart', '2764'],
    ['frown', '1f641'],
    ['+1', '1f44d'],
    ['thumbs_up', '1f44d'],
    ['tada', '1f389'],
    ['octopus', '1f419'],
    ['working_on_it', '1f6e0'],
    ['hash', '0023-20e3'],
    ['flag_germany', '1f1e9-1f1ea'],
    ['transgender_flag', '1f3f3-200d-26a7'],
    ['cat', '1f408'],
    ['poop', '1f4a9'],
    ['avocado', '1f951'],
  ])('The emoji named %s has the code %s.', (name, code) => {
    expect(findEmojiCode(name)).toBe(code)
    expect(emojiNames(code)).toContain(name)
  })

  test('Every code has a name, and every name belongs to one code.', () => {
    const table = Object.entries(emojiCodeToNames())
    expect(table.length).toBeGreaterThan(1_800)
    const seen = new Set<string>()
    for (const [code, names] of table) {
      expect(code).toMatch(/^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/)
      expect(code).not.toContain('fe0f')
      expect(names.length).toBeGreaterThan(0)
      for (const name of names) {
        expect(seen.has(name), name).toBe(false)
        seen.add(name)
        expect(findEmojiCode(name)).toBe(code)
      }
    }
  })

  test('The names of chat clients come first, and each of them belongs to one emoji.', () => {
    for (const [code, row] of Object.entries(chatEmojiNames)) {
      expect(emojiNames(code).slice(0, row.split(' ').length)).toEqual(row.split(' '))
    }
  })

  test('A text that is not an emoji has no code, and an unknown code has no names.', () => {
    expect(findEmojiCode('no_such_emoji')).toBeUndefined()
    expect(findEmojiCode('constructor')).toBeUndefined()
    expect(emojiNames('0041')).toEqual([])
    expect(emojiCode('❤️')).toBe('2764')
  })
})

/** The tables of facts in src/domain/data/: their form, their sources, and what one table says of another. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '../../src/dev/root.js'

/** Entries that are separated by one space. */
const entries = z.string().regex(/^\S+(?: \S+)*$/)
const emojiNames = z.string().regex(/^[\p{L}\p{M}\p{N}_+-]+(?: [\p{L}\p{M}\p{N}_+-]+)*$/u)
/** A class of Pygments, or several that one token has, or none. */
const tokenClass = z.string().regex(/^(?:[a-z]+\d?(?: [a-z]+\d?-\w+(?:-\w+)*)*)?$/)
const head = {
  about: z.string().min(1),
  sources: z.record(z.string(), z.string().regex(/^\d+\.\d+\.\d+$/)),
}

const schemas = {
  'emoji-names.json': z.strictObject({
    ...head,
    names: z.record(z.string().regex(/^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/), emojiNames),
    older_codes: z.record(z.string(), z.string()),
  }),
  'languages.json': z.strictObject({
    ...head,
    languages: z.record(z.string(), z.strictObject({ aliases: entries, grammar: z.string().optional() })),
  }),
  'letters.json': z.strictObject({
    ...head,
    licence: z.record(z.string(), z.string().min(1)),
    letters: z.record(z.string().regex(/^[0-9a-f]{1,5}$/), z.string().regex(/^M[MLHVQCZ0-9. -]+$/)),
  }),
  'token-classes.json': z.strictObject({
    ...head,
    languages: z.record(
      z.string(),
      z.strictObject({
        is_caseless: z.literal(true).optional(),
        keys: z.record(tokenClass, entries).optional(),
        words: z.record(tokenClass, entries).optional(),
      }),
    ),
  }),
}

const read = <N extends keyof typeof schemas>(name: N) =>
  schemas[name].parse(JSON.parse(readFileSync(join(root, 'src/domain/data', name), 'utf8'))) as z.infer<
    (typeof schemas)[N]
  >

const split = (rows: Record<string, string> = {}) => Object.values(rows).flatMap((row) => row.split(' '))
const findDoubles = (all: readonly string[]) => all.filter((one, i) => all.indexOf(one) !== i)

test('Every data file has a schema here.', () => {
  expect(readdirSync(join(root, 'src/domain/data')).sort()).toEqual(Object.keys(schemas).sort())
})

test.each(Object.keys(schemas) as (keyof typeof schemas)[])(
  '%s fits its schema, and is made of the installed packages.',
  (name) => {
    const { sources } = read(name)
    for (const [source, version] of Object.entries(sources)) {
      if (!['prismjs', 'gemoji'].includes(source)) continue
      const installed = JSON.parse(readFileSync(join(root, 'node_modules', source, 'package.json'), 'utf8')).version
      expect(version, `${name} was made with another version of ${source}: run npm run data`).toBe(installed)
    }
  },
)

describe('languages.json', () => {
  const { languages } = read('languages.json')

  test('Every alias belongs to one language.', () => {
    const aliases = Object.values(languages).flatMap((row) => row.aliases.toLowerCase().split(' '))
    expect(findDoubles(aliases)).toEqual([])
  })

  test('The languages whose tokens have classes are languages with a grammar.', () => {
    const { '*': general, ...others } = read('token-classes.json').languages
    expect(general).toBeDefined()
    expect(Object.keys(others).filter((name) => languages[name]?.grammar === undefined)).toEqual([])
  })
})

test('In token-classes.json, a key or a word of a language has one class.', () => {
  for (const [language, { keys, words }] of Object.entries(read('token-classes.json').languages)) {
    expect({ language, keys: findDoubles(split(keys)), words: findDoubles(split(words)) }).toEqual({
      language,
      keys: [],
      words: [],
    })
  }
})

test('In emoji-names.json, every name belongs to one emoji, and an older code has another name today.', () => {
  const { names, older_codes } = read('emoji-names.json')
  expect(findDoubles(split(names))).toEqual([])
  for (const [name, code] of Object.entries(older_codes)) expect(names[code]?.split(' ') ?? []).not.toContain(name)
})

/**
 * The catalogues of translations: each has every text of the sources, and each translation fits its text. `npm run
 * languages` adds the texts that are missing, and removes those that no source has any more.
 */
import { readFileSync } from 'node:fs'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { describe, expect, test } from 'vitest'
import { languages, sourceLanguage } from '#rules/languages.js'
// @ts-expect-error A script, without types.
import { catalogues, extract } from '../../scripts/languages/extract.mjs'

interface FoundText {
  file: string
  message: string
  name: string
  /** undefined: they are not written out in the call */
  values: string[] | undefined
  tags: string[] | undefined
}

interface Found {
  found: FoundText[]
  composed: { file: string; text: string }[]
}

/** What a text shows: its values, its tags, and the categories of each of its plurals. */
interface Content {
  values: Set<string>
  tags: Set<string>
  plurals: Set<string>[]
}

const root = new URL('../../', import.meta.url)
const translated = Object.keys(languages).filter((code) => code !== sourceLanguage)

const collect = (elements: readonly MessageFormatElement[], content: Content): Content => {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue
    if (element.type === TYPE.tag) {
      content.tags.add(element.value)
      collect(element.children, content)
      continue
    }
    content.values.add(element.value)
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue
    const { options } = element
    if (element.type === TYPE.plural && element.pluralType === 'cardinal') {
      content.plurals.push(new Set(Object.keys(options)))
    }
    for (const { value } of Object.values(options)) collect(value, content)
  }
  return content
}

/** The content of a text. Tags are read only where the call builds elements of them. */
const readContent = (message: string, hasTags: boolean): Content =>
  collect(parse(message, { ignoreTag: !hasTags }), { values: new Set(), tags: new Set(), plurals: [] })

const listFaults = (messages: Iterable<string>, findFault: (message: string) => string | undefined): string[] =>
  [...messages].flatMap((message) => {
    try {
      const fault = findFault(message)
      return fault === undefined ? [] : [`${message}: ${fault}`]
    } catch (error) {
      return [`${message}: ${(error as Error).message}`]
    }
  })

describe.each(catalogues as { folder: string }[])('The texts of $folder', (catalogue) => {
  const { found, composed } = extract(catalogue) as Found
  const messages = new Set(found.map(({ message }) => message))
  const withTags = new Set(found.filter(({ name }) => name === 't.rich').map(({ message }) => message))
  /** The texts that are read as ICU: a text without values is shown as it stands. */
  const withValues = new Set(
    found
      .filter(({ name, values, message }) => withTags.has(message) || values?.length !== 0 || name === 'msg')
      .map(({ message }) => message)
      .filter((message) => withTags.has(message) || /[{']/.test(message)),
  )

  test('are literals, so that the catalogues can have them.', () => {
    expect(composed).toEqual([])
    expect(messages.size).toBeGreaterThan(100)
  })

  test('are messages of ICU, with every plural category of English.', () => {
    expect(listFaults(withValues, (message) => findPluralFault(message, sourceLanguage, withTags))).toEqual([])
  })

  test('get a value for each name in braces, and an element for each tag.', () => {
    const faults = found.flatMap(({ file, message, name, values, tags }) => {
      if (values === undefined || !withValues.has(message)) return []
      const content = readContent(message, name === 't.rich')
      const missing = [...content.values].filter((value) => !values.includes(value))
      const untagged = tags === undefined ? [] : [...content.tags].filter((tag) => !tags.includes(tag))
      return [...missing, ...untagged].map((one) => `${file}: ${message}: ${one}`)
    })
    expect(faults).toEqual([])
  })

  describe.each(translated)('in the language %s', (code) => {
    const path = new URL(`${catalogue.folder}/${code}.json`, root)
    const translations: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'))

    test('are all in the catalogue, which has no other texts.', () => {
      expect([...messages].filter((message) => !Object.hasOwn(translations, message))).toEqual([])
      expect(Object.keys(translations).filter((message) => !messages.has(message))).toEqual([])
    })

    test('have a translation.', () => {
      expect(Object.keys(translations).filter((message) => translations[message]?.trim() === '')).toEqual([])
    })

    const known = [...withValues].filter((message) => (translations[message] ?? '') !== '')

    test('have translations that show the same values and tags.', () => {
      const faults = listFaults(known, (message) => {
        const [original, translation] = [message, translations[message] as string].map((text) =>
          readContent(text, withTags.has(message)),
        ) as [Content, Content]
        const [wanted, shown] = [original, translation].map(({ values, tags }) =>
          [...values, ...[...tags].map((tag) => `<${tag}>`)].sort().join(' '),
        )
        return wanted === shown ? undefined : `${translations[message]} shows ${shown}, not ${wanted}`
      })
      expect(faults).toEqual([])
    })

    test('have translations with every plural category of the language.', () => {
      const faults = listFaults(known, (message) =>
        findPluralFault(translations[message] as string, code, withTags.has(message)),
      )
      expect(faults).toEqual([])
    })

    test('have translations without braces where no value is given.', () => {
      const plain = Object.keys(translations).filter((message) => messages.has(message) && !withValues.has(message))
      expect(plain.filter((message) => /[{}]/.test(translations[message] as string) && !/[{}]/.test(message))).toEqual(
        [],
      )
    })
  })
})

/** The categories of the language that a plural does not have. Those of exact numbers, such as `=0`, are additional. */
const findPluralFault = (text: string, code: string, tags: boolean | ReadonlySet<string>): string | undefined => {
  const hasTags = typeof tags === 'boolean' ? tags : tags.has(text)
  const wanted = new Intl.PluralRules(code).resolvedOptions().pluralCategories
  for (const plural of readContent(text, hasTags).plurals) {
    const missing = wanted.filter((category) => !plural.has(category))
    // `other` stands for all.
    if (missing.length > 0 && plural.size > 1) return `no ${missing.join(', ')}`
    if (!plural.has('other')) return 'no other'
  }
  return undefined
}

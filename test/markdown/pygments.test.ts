/**
 * The highlighter against Pygments itself: the names and aliases of all languages, the classes of the tokens of samples
 * in many languages, and the classes of known words.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import languages from '../../src/domain/data/languages.json' with { type: 'json' }
import tokenClasses from '../../src/domain/data/token-classes.json' with { type: 'json' }
import { findLanguage } from '../../src/domain/markdown/code/language-names.js'
import { splitCode } from '../../src/domain/markdown/code/prism.js'
import { type ClassifiedText, classifyTokens } from '../../src/domain/markdown/code/token-classes.js'
import { findPython } from '../clients/python.js'
import { codeSamples } from './code-samples.js'

/** The least part of the tokens of all samples that must have the text and the class that Pygments gives them. */
const LEAST_AGREEMENT = 0.93

/** The least part of the known words that Pygments gives the same class when they stand alone. */
const LEAST_WORDS = 0.92

interface PygmentsOutput {
  languages: [name: string, aliases: string[]][]
  samples: ClassifiedText[][]
}

const { '*': _, ...ofLanguages } = tokenClasses.languages
type Rows = Readonly<Record<string, string>>
const classRows: Readonly<Record<string, { keys?: Rows; words?: Rows; is_caseless?: boolean }>> = ofLanguages

const python = await findPython(['Pygments==2.21.0'])

const askPygments = (samples: readonly { alias: string; code: string }[]): PygmentsOutput =>
  JSON.parse(
    execFileSync(join(python.bin, 'python'), [join(import.meta.dirname, 'pygments_tokens.py')], {
      input: JSON.stringify(samples.map(({ alias, code }) => [alias, code])),
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    }),
  )

/** Returns the spans that clients see: their position, class and text, without line ends. */
const spans = (texts: readonly ClassifiedText[]): string[] => {
  const found: string[] = []
  let at = 0
  let open: { start: number; token_class: string; text: string } | undefined
  for (const [token_class, text] of texts) {
    for (const character of text) {
      if (character === '\n' || token_class !== open?.token_class) {
        if (open !== undefined) found.push(`${open.start} ${open.token_class} ${open.text}`)
        open = character === '\n' ? undefined : { start: at, token_class, text: '' }
      }
      if (open !== undefined) open.text += character
      at += character.length
    }
  }
  if (open !== undefined) found.push(`${open.start} ${open.token_class} ${open.text}`)
  return found
}

describe.skipIf(python.missing !== undefined)(`Pygments${python.missing ? `: skipped, ${python.missing}` : ''}`, () => {
  test('Every alias of Pygments has the name of its language.', () => {
    for (const [name, aliases] of askPygments([]).languages) {
      for (const alias of aliases) expect(findLanguage(alias)?.name, alias).toBe(name)
    }
  })

  test('Tokens have the classes that Pygments gives them.', () => {
    const { samples } = askPygments(codeSamples)
    let [total, equal] = [0, 0]
    const agreements = codeSamples.map(({ alias, code }, i) => {
      const { name = '', grammar = '' } = findLanguage(alias) ?? {}
      const ours = new Set(spans(classifyTokens(splitCode(code, grammar), name)))
      const theirs = spans(samples[i] ?? [])
      const found = theirs.filter((span) => ours.has(span)).length
      total += theirs.length
      equal += found
      return { alias, agreement: Math.round((100 * found) / theirs.length) }
    })
    const least = agreements.sort((a, b) => a.agreement - b.agreement).slice(0, 10)
    expect(equal / total, JSON.stringify(least)).toBeGreaterThan(LEAST_AGREEMENT)
  })

  test('Most known words have the class that Pygments gives them when they stand alone.', { timeout: 60_000 }, () => {
    const aliases = new Map(Object.entries(languages.languages).map(([name, row]) => [name, row.aliases.split(' ')[0]]))
    const words = Object.entries(classRows).flatMap(([language, { words: row = {} }]) =>
      Object.entries(row).flatMap(([token_class, list]) =>
        list.split(' ').map((code) => ({ alias: aliases.get(language) ?? '', code, token_class })),
      ),
    )
    const { samples } = askPygments(words)
    const isSame = (
      { code, token_class }: { code: string; token_class: string },
      tokens: readonly ClassifiedText[],
    ) => {
      const [first, ...others] = tokens.filter(([, text]) => text.trim() !== '')
      return others.length === 0 && first?.[0] === token_class && first[1].trim() === code
    }
    const equal = words.filter((word, i) => isSame(word, samples[i] ?? []))
    expect(equal.length / words.length).toBeGreaterThan(LEAST_WORDS)
  })
})

/**
 * Gives tokens of code the short class names of Pygments, for which clients have styles.
 *
 * Prism says of a token what it is (`keyword`, `string`). Pygments often says more (`import` is a keyword of a
 * namespace, `"` begins another kind of string than `'`), and has classes for names and spaces too. So a token is split
 * into parts, and the class of a part is looked up by a key that says what it is and where:
 *
 * - `scope^'`: a token of this scope whose text begins so
 * - `scope~kind`: a part of this kind in a token of this scope; a sign is its own kind
 * - `outer/scope`: a token inside another one, alone or with the kind of the part
 * - `scope`; and `~kind`, whatever the scope
 *
 * domain/data/token-classes.json has the keys and the known words of each language. It is loaded when code is first
 * rendered, and the rows of a language are indexed when code in it is.
 */
import { createRequire } from 'node:module'
import type { CodeToken } from './prism.js'

const require = createRequire(import.meta.url)

/** A Pygments class, empty for none, and the characters that have it. */
export type ClassifiedText = readonly [token_class: string, text: string]

/** The kinds of parts but signs, with what they look like. The first that matches is the kind. */
const parts: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['word', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['space', /[^\S\n]+/y],
  ['hex', /0[xX][\dA-Fa-f_]+/y],
  ['binary', /0[bB][01_]+/y],
  ['octal', /0[oO][0-7_]+/y],
  ['float', /\d[\d_]*(?:\.\d[\d_]*(?:[eE][+-]?\d+)?|[eE][+-]?\d+)/y],
  ['integer', /\d[\d_]*/y],
  ['escape', /\\(?:x[\dA-Fa-f]{2}|u\{?[\dA-Fa-f]{1,8}\}?|\S)/uy],
]

/** In strings: also letters before the opening quote, and a placeholder such as `%d`. */
const stringParts: typeof parts = [
  ['prefix', /(?<![\s\S])[A-Za-z]{1,2}(?=["'])/y],
  ...parts.filter(([kind]) => ['word', 'space', 'escape'].includes(kind)),
  ['integer', /\d+/y],
  ['format', /%[-+#0]*\d*(?:\.\d+)?[A-Za-z]/y],
]

const begin = /^(?:[A-Za-z]{1,2}(?=["']))?(#!|\/\*\*?|\/\/[/!]?|--|"""|'''|[^\w\s])/

/** The words after which the next name is declared or imported. */
const leads = new Set(
  'import from package namespace use using module open class struct interface trait enum type def fn func function proc sub extends implements include require'.split(
    ' ',
  ),
)

/** A part of a token, with what decides its class. */
export interface PlacedPart {
  text: string
  /** as in `parts`; a sign is its own kind */
  kind: string
  /** a more specific kind: a capitalized word, a word after a dot, a word or a space after one of `leads` */
  narrow: string
  scope: string
  outer: string
  /** how the text of the token begins; empty: with a letter, a digit or a space */
  begins: string
}

/** What precedes a part. */
interface Surroundings {
  /** the last word or sign */
  before: string
  /** the word of `leads` whose name the part can belong to; empty: none */
  lead: string
}

/** Splits a token into words, numbers, spaces and signs. */
export function* splitToken({ text, scope, outer }: CodeToken, around: Surroundings): Generator<PlacedPart> {
  const begins = beginOf(text)
  const patterns = scope.includes('string') ? stringParts : parts
  for (let at = 0; at < text.length; ) {
    const { kind, piece } = readPart(text, at, patterns)
    at += piece.length
    yield { text: piece, kind, narrow: narrowKind(piece, kind, around), scope, outer, begins }
    moveOn(piece, kind, around)
  }
}

const plainSign = /[!-/:-@[^`{-~\n]/

const readPart = (text: string, at: number, patterns: typeof parts): { kind: string; piece: string } => {
  const sign = text[at] as string
  if (plainSign.test(sign) && sign !== '%') return { kind: sign, piece: sign }
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    if (pattern.test(text)) return { kind, piece: text.slice(at, pattern.lastIndex) }
  }
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  return { kind: character, piece: character }
}

const beginOf = (text: string): string => begin.exec(text)?.[1] ?? ''

const narrowKind = (piece: string, kind: string, { before, lead }: Surroundings): string => {
  if (kind === 'space') return lead === '' ? kind : `space-${lead}`
  if (kind !== 'word') return kind
  if (lead !== '') return `after-${lead}`
  if (before === '.') return 'member'
  return /^\p{Lu}/u.test(piece) ? 'Word' : 'word'
}

/** Changes what precedes the next part. A lead holds for one name, whose words can be joined by dots and such. */
const moveOn = (piece: string, kind: string, around: Surroundings): void => {
  if (kind === 'space') {
    if (!leads.has(around.before)) around.lead = ''
    return
  }
  around.before = piece
  if (kind === 'word' && leads.has(piece)) around.lead = piece
  else if (kind !== 'word' && !/^[.:\\/]$/.test(piece)) around.lead = ''
}

interface ClassTable {
  keys: ReadonlyMap<string, string>
  words: ReadonlyMap<string, string>
  /** the scopes with keys for the kinds of their parts */
  split_scopes: ReadonlySet<string>
  /** the classes that were looked up, by all that decides them */
  found: Map<string, string>
  /** the words are in lower case, and hold for words of any case */
  is_caseless: boolean
}

const findWord = (word: string, { words, is_caseless }: ClassTable): string | undefined =>
  words.get(is_caseless ? word.toLowerCase() : word)

/** Returns the text of the tokens with the class of each part. */
export const classifyTokens = (tokens: readonly CodeToken[], language: string): ClassifiedText[] => {
  const table = findTable(language)
  const { keys, split_scopes } = table
  const classified: ClassifiedText[] = []
  const around: Surroundings = { before: '', lead: '' }
  for (const token of tokens) {
    const { text, scope, outer } = token
    if (around.lead === '' && keys.has(scope) && !split_scopes.has(scope) && !leads.has(text)) {
      const found = keys.get(`${scope}^${beginOf(text)}`) ?? keys.get(`${outer}/${scope}`) ?? keys.get(scope)
      classified.push([findWord(text, table) ?? found ?? '', text])
      around.before = text.at(-1) ?? ''
    } else {
      for (const placed of splitToken(token, around)) classified.push([findClass(placed, table), placed.text])
    }
  }
  return classified
}

const findClass = (placed: PlacedPart, table: ClassTable): string => {
  if (placed.kind === 'word' && !isVerbatim(placed.scope)) {
    const found = findWord(placed.text, table)
    if (found !== undefined) return found
  }
  const { kind, narrow, scope, outer, begins } = placed
  const cacheKey = `${outer}/${scope}^${begins}~${kind}~${narrow}`
  let found = table.found.get(cacheKey)
  if (found === undefined) {
    found = lookUp(placed, table)
    if (table.found.size < MAX_FOUND) table.found.set(cacheKey, found)
  }
  return found
}

/** The classes that a table remembers. Ordinary code has a few hundred places. */
const MAX_FOUND = 2_000

const lookUp = (placed: PlacedPart, { keys }: ClassTable): string => {
  for (const key of keysOf(placed)) {
    const found = keys.get(key)
    if (found !== undefined) return found
  }
  return ''
}

/** Whether the words in a token are no words of the language. */
const isVerbatim = (scope: string): boolean => /string|comment|selector|property|url|title/.test(scope)

/** Yields the keys of a part, from the most to the least specific. */
export function* keysOf({ kind, narrow, scope, outer, begins }: PlacedPart): Generator<string> {
  if (scope !== '') {
    yield `${outer}/${scope}~${narrow}`
    yield `${outer}/${scope}~${kind}`
    if (kind === 'escape' || kind === 'format' || kind === 'prefix') yield `${scope}~${kind}`
    if (begins !== '') yield `${scope}^${begins}`
    yield `${scope}~${narrow}`
    yield `${scope}~${kind}`
    yield `${outer}/${scope}`
    yield scope
  }
  yield `~${narrow}`
  yield `~${kind}`
}

/** By class, empty for none: the keys, and the known words, separated by spaces. */
interface ClassRows {
  keys?: Readonly<Record<string, string>>
  words?: Readonly<Record<string, string>>
  is_caseless?: boolean
}

/** The data file. `*` has the rows that hold for every language. */
interface TokenClasses {
  languages: Readonly<Record<string, ClassRows>>
}

const tables = new Map<string, ClassTable>()

const findTable = (language: string): ClassTable => {
  let found = tables.get(language)
  if (found === undefined) {
    const { languages }: TokenClasses = require('../../data/token-classes.json')
    found = buildTable(languages['*'] ?? {}, languages[language] ?? {})
    tables.set(language, found)
  }
  return found
}

/** Indexes the rows that hold for every language, and those of one language on top. */
const buildTable = (general: ClassRows, { keys: ownKeys, words: ownWords, is_caseless = false }: ClassRows) => {
  const keys = indexRows(ownKeys, indexRows(general.keys))
  const words = indexRows(ownWords, indexRows(general.words))
  const split_scopes = new Set<string>()
  for (const key of keys.keys()) {
    const [, scope] = /^(?:.*\/)?(.+?)~./s.exec(key) ?? []
    if (scope !== undefined) split_scopes.add(scope)
  }
  return { keys, words, split_scopes, found: new Map<string, string>(), is_caseless }
}

const indexRows = (rows: Readonly<Record<string, string>> = {}, index = new Map<string, string>()) => {
  for (const [token_class, entries] of Object.entries(rows)) {
    for (const entry of entries.split(' ')) index.set(entry, token_class)
  }
  return index
}

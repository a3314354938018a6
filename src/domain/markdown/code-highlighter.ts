/**
 * Highlights code: it writes spans with the short class names of Pygments, for which clients have styles.
 *
 * This scanner is written for Parley for two reasons. Clients expect the classes of Pygments (names, operators,
 * punctuation and white space all have classes), and no JavaScript highlighter gives them. And scanning must take
 * linear time: highlight.js took up to a second for ten thousand letters in a row (39 of its 193 languages took over
 * 150 ms). One loop reads the table in code-grammars.ts: each step takes one token and moves forward.
 * Source: messages.md 6.2.
 */

import { appendHtml, empty, escapeCode, type Html, html, openTag } from '../html/html.js'
import { type Grammar, grammars, type StringLiteral } from './code-grammars.js'
import { type CodeToken, scanDiff, scanMarkup, scanTex } from './markup-scanners.js'
import { scanIni, scanYaml } from './settings-scanners.js'

type Scanner = (code: string) => Iterable<CodeToken>

const otherScanners: Readonly<Record<string, Scanner>> = {
  Diff: scanDiff,
  HTML: scanMarkup,
  XML: scanMarkup,
  SVG: scanMarkup,
  TeX: scanTex,
  YAML: scanYaml,
  INI: scanIni,
}

/** Returns the HTML of code in a language; escaped only, without spans, if the language has no grammar. */
export const highlightCode = (code: string, language: string): Html => {
  const grammar = grammars[language]
  const scanner = grammar === undefined ? otherScanners[language] : (text: string) => scan(text, grammar)
  return scanner === undefined ? escapeCode(code) : writeSpans(scanner(code))
}

/** Writes tokens as spans. Adjacent tokens of one class share a span; no span contains a line end. */
const writeSpans = (tokens: Iterable<CodeToken>): Html => {
  let written = empty
  let open = ''
  const add = (kind: string, text: string): void => {
    if (kind !== open) {
      if (open !== '') written = appendHtml(written, spanEnd)
      if (kind !== '') written = appendHtml(written, spanStart(kind))
      open = kind
    }
    written = appendHtml(written, escapeCode(text))
  }
  for (const [kind, text] of tokens) {
    const lines = text.split('\n')
    for (const [i, line] of lines.entries()) {
      if (i > 0) add('', '\n')
      if (line !== '') add(kind, line)
    }
  }
  add('', '')
  return written
}

const spanStarts = new Map<string, Html>()

/** Returns the start tag of a class. Each is written once, because code has many. */
const spanStart = (kind: string): Html => {
  let start = spanStarts.get(kind)
  if (start === undefined) {
    start = openTag('span', { class: kind })
    spanStarts.set(kind, start)
  }
  return start
}

const spanEnd = html`</span>`

interface ScanState {
  readonly code: string
  readonly grammar: Grammar
  /** the class of each known word */
  readonly classes: ReadonlyMap<string, string>
  readonly word: RegExp
  at: number
  /** the class that the next name gets because of the word before it, such as `class` */
  next_name_class: string | undefined
}

/** Returns the token at the current position if it is of the rule's kind. */
type Rule = (scan: ScanState) => CodeToken | undefined

function* scan(code: string, grammar: Grammar): Generator<CodeToken> {
  const state: ScanState = { code, grammar, ...wordTable(grammar), at: 0, next_name_class: undefined }
  while (state.at < code.length) {
    let token: CodeToken | undefined
    for (const rule of rules) {
      token = rule(state)
      if (token !== undefined) break
    }
    token ??= readSymbol(state)
    yield token
    state.at += token[1].length
  }
}

/** Returns what a sticky pattern matches at the current position plus `ahead`; empty: no match. */
const matchAhead = (pattern: RegExp, { code, at }: ScanState, ahead = 0): string => {
  pattern.lastIndex = at + ahead
  return pattern.exec(code)?.[0] ?? ''
}

const createToken = (kind: string, text: string): CodeToken | undefined => (text === '' ? undefined : [kind, text])

const lineEnd: Rule = (scan) => {
  if (scan.code[scan.at] !== '\n') return undefined
  scan.next_name_class = undefined
  return ['', '\n']
}

const spaces: Rule = (scan) => createToken(scan.grammar.marksSpace ? 'w' : '', matchAhead(/[^\S\n]+/y, scan))

const restOfLine = /[^\n]*/y

const lineComment: Rule = (scan) => {
  const { code, at, grammar } = scan
  if (at === 0 && code.startsWith('#!')) return ['ch', matchAhead(restOfLine, scan)]
  if (grammar.directiveClass !== undefined && code[at] === '#' && (at === 0 || code[at - 1] === '\n')) {
    return [grammar.directiveClass, matchAhead(restOfLine, scan)]
  }
  return grammar.lineComments.some((open) => code.startsWith(open, at))
    ? ['c1', matchAhead(restOfLine, scan)]
    : undefined
}

const blockComment: Rule = ({ code, at, grammar }) => {
  for (const [open, close] of grammar.blockComments) {
    if (!code.startsWith(open, at)) continue
    const end = code.indexOf(close, at + open.length)
    return ['cm', code.slice(at, end === -1 ? code.length : end + close.length)]
  }
  return undefined
}

const decorator: Rule = (scan) => {
  const { code, at, grammar } = scan
  if (grammar.decoratorClass === undefined || code[at] !== '@') return undefined
  const name = matchAhead(scan.word, scan, 1)
  return name === '' ? undefined : [grammar.decoratorClass, `@${name}`]
}

const word: Rule = (scan) => {
  const { grammar, classes, next_name_class: named } = scan
  const text = matchAhead(scan.word, scan)
  if (text === '') return undefined
  scan.next_name_class = grammar.classAfter[text]
  return [classes.get(grammar.isCaseless ? text.toLowerCase() : text) ?? named ?? grammar.nameClass, text]
}

const number: Rule = (scan) => {
  const text = matchAhead(/0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?/y, scan)
  if (/^0[xX]/.test(text)) return ['mh', text]
  if (/^0[bB]/.test(text)) return ['mb', text]
  if (/^0[oO]/.test(text)) return ['mo', text]
  return createToken(/[.eE]/.test(text) ? 'mf' : 'mi', text)
}

const string: Rule = ({ code, at, grammar }) => {
  const literal = grammar.strings.find(({ open }) => code.startsWith(open, at))
  if (literal === undefined) return undefined
  const text = readString(code, at, literal)
  const end = at + text.length
  const isKey = grammar.keyClass !== undefined && /^\s{0,20}:/.test(code.slice(end, end + 21))
  return [isKey ? (grammar.keyClass as string) : literal.kind, text]
}

const rules: readonly Rule[] = [lineEnd, spaces, lineComment, blockComment, decorator, word, number, string]

const readSymbol = ({ code, at, grammar }: ScanState): CodeToken => {
  const character = code[at] as string
  if (grammar.punctuation.includes(character)) return ['p', character]
  return [/[!-/:-@[-`{-~]/.test(character) ? 'o' : '', character]
}

/** Returns the string literal at a position; if nothing closes it, up to the end of the line or of the code. */
const readString = (
  code: string,
  at: number,
  { open, close, isMultiline: multiline, isRaw: raw }: StringLiteral,
): string => {
  let i = at + open.length
  for (; i < code.length; i++) {
    if (code.startsWith(close, i)) return code.slice(at, i + close.length)
    if (code[i] === '\n' && multiline !== true) break
    if (code[i] === '\\' && raw !== true && code[i + 1] !== '\n') i++
  }
  return code.slice(at, i)
}

type WordTable = Pick<ScanState, 'classes' | 'word'>

const wordTables = new WeakMap<Grammar, WordTable>()

/** Returns a grammar's word table. It is built when the language is first used. */
const wordTable = (grammar: Grammar): WordTable => {
  let words = wordTables.get(grammar)
  if (words === undefined) {
    words = { classes: buildWordClasses(grammar), word: buildWordPattern(grammar.nameCharacters ?? '') }
    wordTables.set(grammar, words)
  }
  return words
}

const buildWordClasses = (grammar: Grammar): Map<string, string> => {
  const classes = new Map<string, string>()
  for (const [kind, row] of Object.entries(grammar.words)) for (const word of row.split(' ')) classes.set(word, kind)
  return classes
}

/** A name begins with a letter, or with `$` or `@` if names can contain them. */
const buildWordPattern = (more: string): RegExp =>
  new RegExp(`[\\p{L}_${more.replace(/[^$@]/g, '')}][\\p{L}\\p{N}_${more.replace('-', '\\-')}]*`, 'yu')

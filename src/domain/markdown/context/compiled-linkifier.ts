/**
 * Compiles linkifiers and finds their matches. A linkifier is a pattern and a URL template that administrators of an
 * organization write; each match of the pattern becomes a link.
 *
 * Patterns are RE2 (named groups as in Python). re2js runs them, and no pattern makes it take exponential time. But a
 * search can read to the end of the line for every match, so a budget limits how many characters are searched. URL
 * templates follow RFC 6570, over the pattern's groups. Source: protocol/messages.md 6.3; protocol/endpoints.md 1.20
 * (the refusals).
 */

import { RE2JS } from 're2js'
import { parseTemplate } from 'url-template'
import { type Sentence, sentence, toEnglish } from '../../languages/texts.js'
import { separatorsInRe2, unspacedInRe2 } from '../../text/characters.js'

export interface CompiledLinkifier {
  id: number
  pattern: string
  url_template: string
  /** also matches the characters before and after the match; group 1 is the match itself */
  regexp: RE2JS
  groups: readonly string[]
  /** a character that every match contains; empty: unknown */
  required_character: string
  expand(groups: Record<string, string>): string
}

/** Why a linkifier is invalid: a sentence for the administrator who wrote it. */
export class LinkifierError extends Error {
  constructor(
    readonly field: 'pattern' | 'url_template',
    readonly sentence: Sentence,
  ) {
    super(toEnglish(sentence))
    this.name = 'LinkifierError'
  }
}

/** Instructions of a compiled pattern. A larger program takes milliseconds per line. Usual patterns have up to 100. */
const MAX_PROGRAM_SIZE = 1_000

/** Characters of a pattern. Compiling a longer one takes seconds, only to find that its program is too large. */
const MAX_PATTERN_LENGTH = 10_000

/** Characters that all linkifiers together can search in one message. */
export const LINKIFIER_BUDGET = 128_000

/** What each search takes from the budget in addition, in characters. */
const MATCH_COST = 64

/** Half a surrogate pair, which no address can have. */
const halfPair = /\p{Surrogate}/u
const halfPairs = new RegExp(halfPair, 'gu')

/** The approximate length of a chunk. Text is searched line by line, and a longer line in several chunks. */
const CHUNK_LENGTH = 256

/**
 * Checks and compiles a linkifier. Throws LinkifierError if the pattern or the URL template is invalid.
 */
export const compileLinkifier = (row: { id: number; pattern: string; url_template: string }): CompiledLinkifier => {
  const { id, pattern, url_template } = row
  const regexp = compilePattern(pattern)
  const groups = Object.keys(regexp.namedGroups())
  const variables = parseTemplateVariables(url_template)
  for (const name of variables) {
    if (groups.includes(name)) continue
    throw new LinkifierError(
      'url_template',
      sentence('Group “{name}” in URL template is not present in linkifier pattern.', { name }),
    )
  }
  for (const name of groups) {
    if (variables.has(name)) continue
    throw new LinkifierError(
      'url_template',
      sentence('Group “{name}” in linkifier pattern is not present in URL template.', { name }),
    )
  }
  const template = parseTemplate(url_template)
  const expand = (values: Record<string, string>): string => template.expand(values)
  return { id, pattern, url_template, regexp, groups, required_character: findRequiredCharacter(pattern), expand }
}

const compilePattern = (pattern: string): RE2JS => {
  const tooLarge = () => new LinkifierError('pattern', sentence('Bad regular expression: it is too large.'))
  if (pattern.trim() === '') throw new LinkifierError('pattern', sentence('This must not be blank.'))
  if (pattern.length > MAX_PATTERN_LENGTH) throw tooLarge()
  try {
    // First without the surrounding parentheses: `a)(b` alone is invalid, but valid between them.
    RE2JS.compile(pattern)
    const regexp = RE2JS.compile(`${precedingText}(${pattern})${followingText}`)
    if (regexp.programSize() > MAX_PROGRAM_SIZE) throw tooLarge()
    return regexp
  } catch (error) {
    if (error instanceof LinkifierError) throw error
    // The library explains in English only.
    const reason = error instanceof Error ? error.message : String(error)
    throw new LinkifierError('pattern', sentence('Bad regular expression: {reason}', { reason }))
  }
}

/** Scripts without spaces between words have no other place where a match could begin or end. */
const precedingText = String.raw`(?:^|[\s'"(,:<]|${separatorsInRe2})`
const followingText = String.raw`(?:$|[^\pL\pN]|${unspacedInRe2})`

const expression = /\{[+#./;?&]?([\w.,:*%]+)\}/g

/**
 * Returns the names of a URL template's variables. Throws LinkifierError if the template does not follow RFC 6570,
 * section 2.
 */
export const parseTemplateVariables = (template: string): Set<string> => {
  const templateError = () => new LinkifierError('url_template', sentence('This is no URL template: see RFC 6570.'))
  if (template.trim() === '') throw new LinkifierError('url_template', sentence('This must not be blank.'))
  if (/[{}\s<>"\\^`|]/.test(template.replace(expression, ''))) throw templateError()
  const names = new Set<string>()
  for (const [, list = ''] of template.matchAll(expression)) {
    for (const variable of list.split(',')) {
      const name = /^((?:\w|%[0-9a-f]{2})(?:\.?(?:\w|%[0-9a-f]{2}))*)(?:\*|:[1-9]\d{0,3})?$/i.exec(variable)?.[1]
      if (name === undefined) throw templateError()
      names.add(name)
    }
  }
  return names
}

/** Returns the literal character at the start of a pattern, if there is one. A text without it needs no search. */
const findRequiredCharacter = (pattern: string): string => {
  const [, escaped, plain] = /^(?:\\([^\p{L}\p{N}])|([^\\^$.|?*+()[\]{}]))(?![?*{])/u.exec(pattern) ?? []
  // With an alternative, or with a flag such as case-insensitivity, a match need not contain the character.
  return /\||\(\?(?!P<)/.test(pattern) ? '' : (escaped ?? plain ?? '')
}

/** Whether a text has a match. Takes a tenth of the time of finding the match. */
export const hasMatch = ({ regexp, required_character: mark }: CompiledLinkifier, text: string): boolean =>
  (mark === '' || text.includes(mark)) && regexp.test(text)

export interface LinkifierMatch {
  start: number
  end: number
  url: string
}

/**
 * Yields the matches in a text, from left to right.
 * @param budget how many characters can still be searched; it is reduced by what each search reads
 */
export function* findLinkifierMatches(
  linkifier: CompiledLinkifier,
  text: string,
  budget: { linkifier_budget: number },
): Generator<LinkifierMatch> {
  for (let start = 0; start < text.length; ) {
    const end = findChunkEnd(text, start)
    yield* findChunkMatches(linkifier, text.slice(start, end), start, budget)
    start = end
  }
}

/** Finds the end of a chunk. In chunks, a pattern that reads to the end does not read the whole message per match. */
const findChunkEnd = (text: string, start: number): number => {
  const newline = text.indexOf('\n', start)
  const lineEnd = newline === -1 ? text.length : newline + 1
  if (lineEnd - start <= CHUNK_LENGTH) return lineEnd
  const space = text.lastIndexOf(' ', start + CHUNK_LENGTH)
  if (space > start) return space
  const next = text.indexOf(' ', start + CHUNK_LENGTH)
  return next === -1 ? lineEnd : Math.min(next, lineEnd)
}

function* findChunkMatches(
  { regexp, groups, expand }: CompiledLinkifier,
  text: string,
  offset: number,
  budget: { linkifier_budget: number },
): Generator<LinkifierMatch> {
  const matcher = regexp.matcher(text)
  for (let from = 0; from < text.length && budget.linkifier_budget > 0; ) {
    budget.linkifier_budget -= MATCH_COST + text.length - from
    if (!matcher.find(from)) return
    const [start, end] = [matcher.start(1), matcher.end(1)]
    // The character after this match can be the character that must precede the next match.
    from = Math.max(end, from + 1)
    if (start === end) continue
    // A group can be called `__proto__`.
    const values: Record<string, string> = Object.create(null)
    for (const name of groups) {
      const value = matcher.group(name)
      if (value !== null) values[name] = halfPair.test(value) ? value.replace(halfPairs, '\ufffd') : value
    }
    yield { start: offset + start, end: offset + end, url: expand(values) }
  }
}

/**
 * A linkifier: a pattern of the organization's administrators and the address that its matches lead to.
 *
 * Patterns are RE2 (named groups as in Python) and are run by re2js, whose time does not explode whatever the pattern;
 * what it still costs, a search that reads to the end of the line for every match, is bounded by a budget. Addresses
 * are RFC 6570 templates over the pattern's groups. Source: messages.md 6.3; endpoints.md 1.20 (the refusals).
 */
import { RE2JS } from 're2js'
import { parseTemplate } from 'url-template'

export interface CompiledLinkifier {
  id: number
  pattern: string
  url_template: string
  /** matches between their neighbours; group 1 is the match */
  regexp: RE2JS
  groups: readonly string[]
  /** a character that every match contains; empty: not known */
  required_character: string
  expand(groups: Record<string, string>): string
}

/** Why a linkifier cannot be: for the person who wrote it. */
export class LinkifierError extends Error {
  constructor(
    readonly field: 'pattern' | 'url_template',
    message: string,
  ) {
    super(message)
    this.name = 'LinkifierError'
  }
}

/** Instructions of a compiled pattern; more would take milliseconds per line. People's patterns have up to a hundred. */
const MAX_PROGRAM_SIZE = 1_000

/** Characters of a pattern; compiling a longer one, only to refuse it, would take seconds. */
const MAX_PATTERN_LENGTH = 10_000

/** Characters that one message may have read while looking for the ends of matches, all linkifiers together. */
export const LINKIFIER_BUDGET = 128_000

/** What a match costs besides, in characters. */
const MATCH_COST = 64

/** Text is searched in lines and, where they are longer, in pieces of about this length. */
const CHUNK_LENGTH = 256

/**
 * Makes a linkifier ready for use.
 * @throws LinkifierError with the sentence for the administrator
 */
export const compileLinkifier = (row: { id: number; pattern: string; url_template: string }): CompiledLinkifier => {
  const { id, pattern, url_template } = row
  const regexp = compilePattern(pattern)
  const groups = Object.keys(regexp.namedGroups())
  const variables = parseTemplateVariables(url_template)
  for (const name of variables) {
    if (groups.includes(name)) continue
    throw new LinkifierError('url_template', `Group '${name}' in URL template is not present in linkifier pattern.`)
  }
  for (const name of groups) {
    if (variables.has(name)) continue
    throw new LinkifierError('url_template', `Group '${name}' in linkifier pattern is not present in URL template.`)
  }
  const template = parseTemplate(url_template)
  const expand = (values: Record<string, string>): string => template.expand(values)
  return { id, pattern, url_template, regexp, groups, required_character: findRequiredCharacter(pattern), expand }
}

const compilePattern = (pattern: string): RE2JS => {
  const bad = (why: string) => new LinkifierError('pattern', `Bad regular expression: ${why}`)
  if (pattern.trim() === '') throw new LinkifierError('pattern', 'This must not be blank.')
  if (pattern.length > MAX_PATTERN_LENGTH) throw bad('it is too large.')
  try {
    // alone first: `a)(b` is complete only between our own parentheses
    RE2JS.compile(pattern)
    const regexp = RE2JS.compile(String.raw`(?:^|[\s\x{85}\pZ'"(,:<])(${pattern})(?:$|[^\pL\pN])`)
    if (regexp.programSize() > MAX_PROGRAM_SIZE) throw bad('it is too large.')
    return regexp
  } catch (error) {
    if (error instanceof LinkifierError) throw error
    throw bad(error instanceof Error ? error.message : String(error))
  }
}

const expression = /\{[+#./;?&]?([\w.,:*%]+)\}/g

/** The names of a template's variables; what RFC 6570 section 2 does not allow is refused. */
export const parseTemplateVariables = (template: string): Set<string> => {
  const invalid = () => new LinkifierError('url_template', 'This is no URL template: see RFC 6570.')
  if (template.trim() === '') throw new LinkifierError('url_template', 'This must not be blank.')
  if (/[{}\s<>"\\^`|]/.test(template.replace(expression, ''))) throw invalid()
  const names = new Set<string>()
  for (const [, list = ''] of template.matchAll(expression)) {
    for (const variable of list.split(',')) {
      const name = /^((?:\w|%[0-9a-f]{2})(?:\.?(?:\w|%[0-9a-f]{2}))*)(?:\*|:[1-9]\d{0,3})?$/i.exec(variable)?.[1]
      if (name === undefined) throw invalid()
      names.add(name)
    }
  }
  return names
}

/** A literal that opens the pattern must be in the text: most texts need no search at all. */
const findRequiredCharacter = (pattern: string): string => {
  const [, escaped, plain] = /^(?:\\([^\p{L}\p{N}])|([^\\^$.|?*+()[\]{}]))(?![?*{])/u.exec(pattern) ?? []
  // an alternative, or letters that match in either case, would make it optional
  return /\||\(\?(?!P<)/.test(pattern) ? '' : (escaped ?? plain ?? '')
}

/** Whether a text has a match at all, which costs a tenth of finding it. */
export const hasMatch = ({ regexp, required_character: mark }: CompiledLinkifier, text: string): boolean =>
  (mark === '' || text.includes(mark)) && regexp.test(text)

export interface LinkifierMatch {
  start: number
  end: number
  url: string
}

/**
 * The matches in a text, from left to right.
 * @param budget how many characters may still be searched; what is used is taken off
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

/** Pieces, so that a pattern that reads on to the end does not read the whole message for each of its matches. */
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
    // its last character may be what the next match needs before it
    from = Math.max(end, from + 1)
    if (start === end) continue
    const values: Record<string, string> = {}
    for (const name of groups) {
      const value = matcher.group(name)
      if (value !== null) values[name] = value
    }
    yield { start: offset + start, end: offset + end, url: expand(values) }
  }
}

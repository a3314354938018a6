/**
 * Finds and links addresses that are typed without brackets: `https://e.org/a_(b)`, `e.org`, `a@e.org`.
 *
 * An address begins at the start of a word, after one of `' " ( , : <` within the word, or after punctuation or a
 * letter of another script. Only punctuation may follow it up to the next space, or to a bracket or stop of a script
 * without spaces. So each part of a word is decided by itself: first its trailing punctuation is found, then an address
 * is tried at each position where one can begin. The end of a path is searched at most MAX_ATTEMPTS times per part.
 * Source: protocol/messages.md 6.3.
 */
import { createRequire } from 'node:module'
import { escapeText } from '../../html/html.js'
import { canBegin, closesText, kindOfCharacter, signs } from '../../text/characters.js'
import { type InlinePass, insertPlaceholder, STX, TextRewriter } from '../context/placeholders.js'
import { completeSafeHref } from './link-urls.js'
import { recordLink, writeAnchor } from './links.js'

const topLevelDomains: ReadonlySet<string> = new Set<string>(createRequire(import.meta.url)('tlds'))

/** Endings of file names that are also top-level domains. In chat they rarely mean a domain. */
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip'])

const isTopLevelDomain = (label: string): boolean => topLevelDomains.has(label) && !fileEndings.has(label)

/** Paths whose end is searched per word. A word with more of them is an attempt to use up processor time. */
const MAX_ATTEMPTS = 20
const MAX_NESTING = 6

const trailing = signs('!:;?),.\'">')
const startsAfter = signs('\'"(,:<')

const bitcoin = /^bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}$/
const schemeAndHost = /^https?:\/\/[\p{L}\p{N}_.:@-]+/u
/** The host is an IPv6 address, such as `[::1]`. */
const schemeAndAddress = /^https?:\/\/(?:[\p{L}\p{N}_.:-]*@)?\[(?=[^\]]*:[^\]]*:)[0-9a-fA-F:.]+\](?::\d+)?/u
const host = /^[\p{L}\p{N}_.-]+/u
/** The last label of the domain of a mail address is a name: `core-js@2.6.11` and `core-js@2.x` are versions. */
const emailAddress = /^[\p{L}\p{N}_.+-]+@(?!v?[\p{N}.]+\.\p{L}$)(?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}_]*$/u

interface Autolink {
  start: number
  end: number
  href: string
}

/** Renders every address in the text as a link. */
export const renderAutolinks: InlinePass = (text, inline) => {
  if (!/[.:]/.test(text)) return text
  const rewrite = new TextRewriter(text)
  for (const { start, end, href: typed } of findAddresses(text)) {
    const href = completeSafeHref(typed, inline.context.realm_url)
    if (href === undefined) continue
    recordLink(inline, href, undefined)
    const address = text.slice(start, end)
    rewrite.replace(start, end, insertPlaceholder(inline, writeAnchor(href, escapeText(address)), address))
  }
  return rewrite.result()
}

/** Yields the addresses in a text from left to right. `href` begins with a scheme. */
export function* findAddresses(text: string): Generator<Autolink> {
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (!mayBeAddress.test(word)) continue
    for (const { start, text: part } of splitWord(word)) {
      const found = findInWord(part)
      if (found === undefined) continue
      yield { start: index + start + found.start, end: index + start + found.end, href: found.href }
    }
  }
}

const mayBeAddress = /https?:\/\/|[\p{L}\p{N}_-]\.[\p{L}\p{N}_-]|bitcoin:/u

const beyondAscii = /\P{ASCII}/u
const openingBracket = /[\p{Ps}\p{Pi}]/u
const closingBracket = /[\p{Pe}\p{Pf}]/u

/**
 * Yields the parts of a word between the brackets, quotation marks and stops of scripts without spaces, as in
 * `「https://e.org」と「https://e.org/x」`. Each part can contain an address. Brackets of a path stay in it.
 */
function* splitWord(word: string): Generator<{ start: number; text: string }> {
  let start = 0
  if (beyondAscii.test(word)) {
    const open: number[] = []
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at)
      if (code <= 0x7f) continue
      if (openingBracket.test(word[at] as string)) open.push(at)
      else if (closesText(code) && !belongsToAddress(word, at, start, open)) {
        yield { start, text: word.slice(start, at + 1) }
        start = at + 1
      }
    }
  }
  if (start < word.length) yield { start, text: start === 0 ? word : word.slice(start) }
}

/** Whether a closing sign is a part of an address: it closes a bracket of the path, or is an apostrophe. */
const belongsToAddress = (word: string, at: number, start: number, open: number[]): boolean => {
  if (!closingBracket.test(word[at] as string)) return false
  // In Unicode a closing bracket follows its opening one.
  const isPair = open.length > 0 && word.charCodeAt(open.at(-1) as number) === word.charCodeAt(at) - 1
  if (!isPair) return word[at] === APOSTROPHE
  const opening = open.pop() as number
  const path = word.indexOf('/', start)
  return path !== -1 && path < opening
}

const APOSTROPHE = '\u2019'

/** Finds the address in a part of a word. It has at most one, because an address reaches the end of its part. */
const findInWord = (word: string): Autolink | undefined => {
  const last = findEnd(word)
  // No address contains STX or `"`. An address ends after `last - 1`, so it begins at or after the last of them.
  const barrier = Math.max(word.lastIndexOf(STX, last - 1), word.lastIndexOf('"', last - 1))
  const budget = { attempts: MAX_ATTEMPTS }
  for (let start = Math.max(0, barrier); start < last && budget.attempts > 0; start++) {
    if (!canStart(word, start)) continue
    const found = matchAddress(word.slice(start), last - start, budget)
    if (found !== undefined) return { start, end: start + found.length, href: found.href }
  }
  return undefined
}

/** Returns the position after the last character of a word that does not close a bracket, a quotation or a sentence. */
const findEnd = (word: string): number => {
  const path = word.indexOf('/')
  let last = word.length
  for (; last > 0; last--) {
    const code = word.charCodeAt(last - 1)
    if (!trailing.has(code) && !closesText(code)) break
    if (path !== -1 && word.length - last < MAX_NESTING && closesBracket(word, last - 1, path)) break
  }
  return last
}

/** Whether a bracket beyond ASCII closes one of the path, as in `https://e.org/（x）`. */
const closesBracket = (word: string, at: number, path: number): boolean => {
  const code = word.charCodeAt(at)
  // In Unicode a closing bracket follows its opening one.
  return (
    code > 0x7f && closingBracket.test(word[at] ?? '') && word.lastIndexOf(String.fromCharCode(code - 1), at) > path
  )
}

/**
 * Whether an address can begin at a position of a word. A host can contain letters of every script, a scheme cannot.
 */
const canStart = (word: string, at: number): boolean => {
  const code = word.charCodeAt(at)
  if (at === 0) return !startsAfter.has(code) && word[0] !== STX
  if (word[at] === STX || startsAfter.has(code) || !canBegin(word, at, startsAfter)) return false
  const before = word.charCodeAt(at - 1)
  if (before <= 0x7f || word.startsWith('http', at)) return true
  const kind = kindOfCharacter(before)
  return kind !== 'letter' && kind !== 'unspaced'
}

/** Matches the shortest address at the start of `rest` that is at least `least` long: only punctuation follows it. */
const matchAddress = (
  rest: string,
  least: number,
  budget: { attempts: number },
): { length: number; href: string } | undefined => {
  const full = ((rest.includes('[') ? schemeAndAddress.exec(rest) : null) ?? schemeAndHost.exec(rest))?.[0]
  if (full !== undefined) {
    const length = findPathEnd(rest, full.length, least, budget)
    if (length !== undefined) return { length, href: rest.slice(0, length) }
    return undefined
  }
  const address = rest.slice(0, least)
  const domain = host.exec(address)?.[0]
  if (domain !== undefined && isDomain(domain)) {
    const length =
      rest[domain.length] === '/' || domain.length === least
        ? findPathEnd(rest, domain.length, least, budget)
        : undefined
    if (length !== undefined) return { length, href: `http://${rest.slice(0, length)}` }
  }
  if (emailAddress.test(address)) return { length: least, href: `mailto:${address}` }
  return bitcoin.test(address) ? { length: least, href: address } : undefined
}

const isDomain = (domain: string): boolean => {
  const labels = domain.split('.')
  const last = labels.pop() ?? ''
  return labels.length > 0 && !labels.includes('') && isTopLevelDomain(last.toLowerCase())
}

/**
 * Finds the end of the path that begins at `from`: `least`, or later if a parenthesis is still open there.
 * @returns undefined if its parentheses do not match, or nest deeper than MAX_NESTING
 */
const findPathEnd = (rest: string, from: number, least: number, budget: { attempts: number }): number | undefined => {
  if (from >= least) return least
  if (!/[/?#]/.test(rest[from] ?? '')) return undefined
  budget.attempts--
  let depth = 0
  for (let i = from; i < rest.length; i++) {
    if (i >= least && depth === 0) return i
    if (rest[i] === '(') depth++
    else if (rest[i] === ')') depth--
    else if (rest[i] === '"') return undefined
    if (depth < 0 || depth > MAX_NESTING) return undefined
  }
  return depth === 0 ? rest.length : undefined
}

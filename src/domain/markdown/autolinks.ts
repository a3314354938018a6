/**
 * Finds and links addresses that are typed without brackets: `https://e.org/a_(b)`, `e.org`, `a@e.org`.
 *
 * An address begins at the start of a word or after one of `' " ( , : <` within the word. Only punctuation may follow
 * it up to the next space. So each word is decided by itself: first its trailing punctuation is found, then an address
 * is tried at each position where one can begin, at most MAX_ATTEMPTS times. Source: messages.md 6.3.
 */
import { createRequire } from 'node:module'
import { escapeCode } from '../html/html.js'
import { completeSafeHref } from './link-urls.js'
import { recordLink, writeAnchor } from './links.js'
import { type InlinePass, insertPlaceholder, STX, TextRewriter } from './placeholders.js'

const topLevelDomains: ReadonlySet<string> = new Set<string>(createRequire(import.meta.url)('tlds'))

/** Endings of file names that are also top-level domains. In chat they rarely mean a domain. */
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip'])

const isTopLevelDomain = (label: string): boolean => topLevelDomains.has(label) && !fileEndings.has(label)

/** Possible starts that are tried per word. A word with more of them is an attempt to use up processor time. */
const MAX_ATTEMPTS = 20
const MAX_NESTING = 6

const trailing = new Set('!:;?),.\'">')
const startsAfter = new Set('\'"(,:<')

const bitcoin = /^bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}$/
const schemeAndHost = /^https?:\/\/[\p{L}\p{N}_.:@-]+/u
const host = /^[\p{L}\p{N}_.-]+/u
const emailAddress = /^[\p{L}\p{N}_.-]+@[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+$/u

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
    rewrite.replace(start, end, insertPlaceholder(inline, writeAnchor(href, escapeCode(address)), address))
  }
  return rewrite.result()
}

/** Yields the addresses in a text from left to right. `href` begins with a scheme. */
export function* findAddresses(text: string): Generator<Autolink> {
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (!mayBeAddress.test(word)) continue
    const found = findInWord(word)
    if (found !== undefined) yield { start: index + found.start, end: index + found.end, href: found.href }
  }
}

const mayBeAddress = /https?:\/\/|[\p{L}\p{N}_-]\.[\p{L}\p{N}_-]|bitcoin:/u

/** Finds the address in a word. A word has at most one, because an address reaches the end of its word. */
const findInWord = (word: string): Autolink | undefined => {
  let last = word.length
  while (last > 0 && trailing.has(word[last - 1] ?? '')) last--
  // No address contains STX or `"`. An address ends after `last - 1`, so it begins at or after the last of them.
  const barrier = Math.max(word.lastIndexOf(STX, last - 1), word.lastIndexOf('"', last - 1))
  let attempts = 0
  for (let start = Math.max(0, barrier); start < last && attempts < MAX_ATTEMPTS; start++) {
    if (start > 0 && !startsAfter.has(word[start - 1] ?? '')) continue
    if (word[start] === STX || startsAfter.has(word[start] ?? '')) continue
    attempts++
    const found = matchAddress(word.slice(start), last - start)
    if (found !== undefined) return { start, end: start + found.length, href: found.href }
  }
  return undefined
}

/** Matches the shortest address at the start of `rest` that is at least `least` long: only punctuation follows it. */
const matchAddress = (rest: string, least: number): { length: number; href: string } | undefined => {
  const full = schemeAndHost.exec(rest)?.[0]
  if (full !== undefined) {
    const length = findPathEnd(rest, full.length, least)
    if (length !== undefined) return { length, href: rest.slice(0, length) }
    return undefined
  }
  const address = rest.slice(0, least)
  const domain = host.exec(address)?.[0]
  if (domain !== undefined && isDomain(domain)) {
    const length =
      rest[domain.length] === '/' || domain.length === least ? findPathEnd(rest, domain.length, least) : undefined
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
const findPathEnd = (rest: string, from: number, least: number): number | undefined => {
  if (from >= least) return least
  if (!/[/?#]/.test(rest[from] ?? '')) return undefined
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

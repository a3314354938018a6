/**
 * Text to blocks: paragraphs, headings, rules, quotes, indented code; lists and tables have their own files.
 *
 * Written by hand, not on a Markdown library, because libraries speak CommonMark and this dialect does not. Blank
 * lines cut the text into chunks; a chunk is tried as one construct after the other, and what a construct leaves is
 * tried again; lists nest by two spaces and find their parent in the tree built so far. On a library every block rule
 * would have to be replaced, and its writer too.
 *
 * 1. Each construct takes at least one line, and finds the next heading, rule and quote in indices made once per
 *    chunk: a chunk costs its length, however many constructs it holds.
 * 2. Nothing nests deeper than MAX_DEPTH: what would is a paragraph. So text is copied at most that often, and the
 *    stack is safe.
 *
 * Source: messages.md 6.2.
 */

import { type Block, type Element, type InsertionPoint, newElement, type ParseLines } from './block-tree.js'
import type { Segment } from './fences.js'
import { isListItem, parseIndentedChunk, parseListChunk, separateLists } from './lists.js'
import { parseTable } from './tables.js'

const MAX_DEPTH = 40

/** The blocks of a message. */
export const parseSegments = (segments: readonly Segment[]): Block[] => {
  const root = newElement('')
  for (const segment of segments) {
    if (segment.kind === 'text') {
      parseChunks(separateLists(expandTabs(segment.text)), { into: root, surroundings: 'open', depth: 0 })
    } else {
      root.children.push(parseFence(segment))
    }
  }
  return root.children
}

const parseFence = (segment: Exclude<Segment, { kind: 'text' }>): Block => {
  if (segment.kind === 'code') return { ...segment, is_indented: false }
  if (segment.kind === 'math') return { kind: 'formulas', tex: segment.text }
  const content = parseSegments(segment.segments)
  if (segment.kind === 'quote') return { ...newElement('blockquote'), children: content }
  return { kind: 'spoiler', header: parseSegments([{ kind: 'text', text: segment.header }]), content }
}

/** Parses a text whose chunks are parted by blank lines. */
const parseChunks = (text: string, place: InsertionPoint): void => {
  let chunk: string[] = []
  for (const line of text.split('\n')) {
    if (line.trim() !== '') {
      chunk.push(line)
      continue
    }
    parseLines(chunk, place)
    chunk = []
  }
  parseLines(chunk, place)
}

const parseLines: ParseLines = (lines, place) => {
  if (place.depth < MAX_DEPTH) parseRange(indexLines(lines), 0, lines.length, place)
  else addParagraph(lines, place)
}

/** The lines of a chunk, and for each the first at or after it that is of a kind; Infinity when there is none. */
interface LineIndex {
  lines: readonly string[]
  parseHeading: number[]
  rule: number[]
  quote: number[]
}

/** What comes first here wins: the order is part of the dialect. */
const parseRange = (index: LineIndex, start: number, to: number, place: InsertionPoint): void => {
  const { lines } = index
  let from = start
  while (from < to) {
    const line = lines[from] as string
    if (line.startsWith('  ') && parseIndentedChunk(lines, from, to, place, parseLines)) return
    const codeEnd = findCodeEnd(lines, from, to)
    if (codeEnd > from) {
      addCode(lines.slice(from, codeEnd), place)
      from = codeEnd
      continue
    }
    const table = parseTable(lines, from, to)
    if (table !== undefined) {
      place.into.children.push(table)
      return
    }
    const isHeading = (index.parseHeading[from] as number) < to
    const special = (isHeading ? index.parseHeading[from] : index.rule[from]) as number
    if (special >= to) break
    parseRange(index, from, special, place)
    place.into.children.push(isHeading ? heading(lines[special] as string) : newElement('hr'))
    from = special + 1
  }
  if (from < to) parseRest(index, from, to, place)
}

/** Lines without headings and rules: what begins now takes all of them. */
const parseRest = (index: LineIndex, from: number, to: number, place: InsertionPoint): void => {
  const lines = index.lines.slice(from, to)
  if (isListItem(lines[0] ?? '')) {
    parseListChunk(lines, place, parseLines)
    return
  }
  const quote = Math.min(index.quote[from] as number, to) - from
  if (quote === lines.length) {
    addParagraph(lines, place)
  } else {
    parseRange(index, from, from + quote, place)
    addQuote(lines.slice(quote), place)
  }
}

const headingLine = /^#{1,6} /
const ruleLine = /^ {0,3}(?:(?:- {0,2}){3,}|(?:\* {0,2}){3,}|(?:_ {0,2}){3,}) *$/
const quoteLine = /^ {0,3}> ?/
const emptyQuoteLine = /^ {0,3}> *$/

const indexLines = (lines: readonly string[]): LineIndex => {
  const index: LineIndex = { lines, parseHeading: [], rule: [], quote: [] }
  let [heading, rule, quote] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // signs of a quote with nothing after them, up to the end, are text
  let hasQuoted = false
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i] as string
    if (headingLine.test(line)) heading = i
    if (ruleLine.test(line)) rule = i
    hasQuoted ||= !emptyQuoteLine.test(line)
    if (hasQuoted && quoteLine.test(line)) quote = i
    index.parseHeading[i] = heading
    index.rule[i] = rule
    index.quote[i] = quote
  }
  return index
}

/** Closing signs are for the eye. */
const heading = (line: string): Element => {
  const level = line.indexOf(' ')
  let end = line.length
  while (end > level + 1 && line[end - 1] === '#') end--
  return newElement(`h${level}`, line.slice(level + 1, end).trim())
}

const addParagraph = (lines: readonly string[], { into, surroundings }: InsertionPoint): void => {
  const text = lines.join('\n').trimStart()
  if (text === '') return
  if (surroundings === 'tight' && into.text === '' && into.children.length === 0) into.text = text
  else into.children.push(newElement('p', text))
}

/** Every line belongs to the quote, with its sign or without. */
const addQuote = (lines: readonly string[], place: InsertionPoint): void => {
  const quote = newElement('blockquote')
  place.into.children.push(quote)
  const text = lines.map((line) => line.replace(quoteLine, '')).join('\n')
  parseChunks(text, { into: quote, surroundings: 'open', depth: place.depth + 1 })
}

const findCodeEnd = (lines: readonly string[], from: number, to: number): number => {
  let end = from
  while (end < to && lines[end]?.startsWith('    ')) end++
  return end
}

/** Indented code goes on over blank lines. */
const addCode = (lines: readonly string[], { into: { children } }: InsertionPoint): void => {
  const text = lines.map((line) => line.slice(4)).join('\n')
  const last = children.at(-1)
  if (last?.kind === 'code' && last.is_indented) last.text += `\n\n${text}`
  else children.push({ kind: 'code', text, language: '', is_indented: true })
}

/** Tabs reach to the next multiple of four. */
const expandTabs = (text: string): string => {
  if (!text.includes('\t')) return text
  return text
    .split('\n')
    .map((line) => {
      const [first = '', ...rest] = line.split('\t')
      return rest.reduce((done, part) => `${done}${' '.repeat(4 - (done.length % 4))}${part}`, first)
    })
    .join('\n')
}

/**
 * Parses text into blocks: paragraphs, headings, rules, quotes and indented code.
 * Lists and tables have their own files.
 *
 * This parser does not use a Markdown library, because libraries implement CommonMark and this dialect differs from it.
 * Blank lines separate the text into chunks. The parser tries each construct on a chunk in a fixed order, and then
 * parses the rest of the chunk the same way. Lists nest by two spaces, and a nested list finds its parent in the tree
 * built so far. With a library, every block rule and the writer would have to be replaced.
 *
 * 1. Each construct takes at least one line, and finds the next heading, rule and quote in a LineIndex that is built
 *    once per chunk. So the time for a chunk grows with its length, and not with its number of constructs.
 * 2. Blocks nest at most MAX_DEPTH deep: a deeper one becomes a paragraph. So each text is copied at most MAX_DEPTH
 *    times, and recursion cannot overflow the stack.
 *
 * Source: protocol/messages.md 6.2.
 */

import { type Block, createElement, type Element, type InsertionPoint, type ParseLines } from './block-tree.js'
import { type Segment, splitFences } from './fences.js'
import { isListItem, parseIndentedChunk, parseListChunk, separateLists } from './lists.js'
import { parseTable } from './tables.js'

const MAX_DEPTH = 40

/** Parses the segments of a message, as splitFences returns them, into blocks. */
export const parseSegments = (segments: readonly Segment[], depth = 0): Block[] => {
  const root = createElement('div')
  addSegments(segments, { into: root, surroundings: 'open', depth })
  return root.children
}

const addSegments = (segments: readonly Segment[], insertion: InsertionPoint): void => {
  for (const segment of segments) {
    if (segment.kind === 'text') parseChunks(separateLists(segment.text), insertion)
    else insertion.into.children.push(parseFence(segment, insertion.depth + 1))
  }
}

const parseFence = (segment: Exclude<Segment, { kind: 'text' }>, depth: number): Block => {
  if (segment.kind === 'code') return { ...segment, is_indented: false }
  if (segment.kind === 'math') return { kind: 'formulas', tex: segment.text }
  const content = parseSegments(segment.segments, depth)
  if (segment.kind === 'quote') return { ...createElement('blockquote'), children: content }
  return { kind: 'spoiler', header: parseSegments([{ kind: 'text', text: segment.header }], depth), content }
}

/** Parses a text whose chunks are separated by blank lines. */
const parseChunks = (text: string, insertion: InsertionPoint): void => {
  let chunk: string[] = []
  for (const line of text.split('\n')) {
    if (line.trim() !== '') {
      chunk.push(line)
      continue
    }
    parseLines(chunk, insertion)
    chunk = []
  }
  parseLines(chunk, insertion)
}

const parseLines: ParseLines = (lines, insertion) => {
  if (insertion.depth < MAX_DEPTH) parseRange(indexLines(lines), 0, lines.length, insertion)
  else addParagraph(lines, insertion)
}

/**
 * The lines of a chunk. For each line, the index of the first heading, rule and quote at or after it; Infinity:
 * there is none.
 */
interface LineIndex {
  lines: readonly string[]
  heading: number[]
  rule: number[]
  quote: number[]
}

/** Parses a range of lines. The order in which constructs are tried is part of the dialect. */
const parseRange = (index: LineIndex, start: number, to: number, insertion: InsertionPoint): void => {
  const { lines } = index
  let from = start
  while (from < to) {
    const line = lines[from] as string
    if (line.startsWith('  ') && parseIndentedChunk(lines, from, to, insertion, parseLines)) return
    const codeEnd = findCodeEnd(lines, from, to)
    if (codeEnd > from) {
      addCode(lines.slice(from, codeEnd), insertion)
      from = codeEnd
      continue
    }
    const table = parseTable(lines, from, to)
    if (table !== undefined) {
      insertion.into.children.push(table)
      return
    }
    const isHeading = (index.heading[from] as number) < to
    const special = (isHeading ? index.heading[from] : index.rule[from]) as number
    if (special >= to) break
    parseRange(index, from, special, insertion)
    insertion.into.children.push(isHeading ? parseHeading(lines[special] as string) : createElement('hr'))
    from = special + 1
  }
  if (from < to) parseRest(index, from, to, insertion)
}

/** Parses lines without headings and rules: the construct that begins here takes all of them. */
const parseRest = (index: LineIndex, from: number, to: number, insertion: InsertionPoint): void => {
  const lines = index.lines.slice(from, to)
  if (isListItem(lines[0] ?? '')) {
    parseListChunk(lines, insertion, parseLines)
    return
  }
  const quote = Math.min(index.quote[from] as number, to) - from
  if (quote === lines.length) {
    addParagraph(lines, insertion)
  } else {
    parseRange(index, from, from + quote, insertion)
    addQuote(lines.slice(quote), insertion)
  }
}

const headingLine = /^#{1,6} /
const ruleLine = /^ {0,3}(?:(?:- {0,2}){3,}|(?:\* {0,2}){3,}|(?:_ {0,2}){3,}) *$/
const quoteLine = /^ {0,3}> ?/
const emptyQuoteLine = /^ {0,3}> *$/

const indexLines = (lines: readonly string[]): LineIndex => {
  const index: LineIndex = { lines, heading: [], rule: [], quote: [] }
  let [heading, rule, quote] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // Quote signs at the end of a chunk, with no text after them, are text.
  let hasQuoted = false
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i] as string
    if (headingLine.test(line)) heading = i
    if (ruleLine.test(line)) rule = i
    hasQuoted ||= !emptyQuoteLine.test(line)
    if (hasQuoted && quoteLine.test(line)) quote = i
    index.heading[i] = heading
    index.rule[i] = rule
    index.quote[i] = quote
  }
  return index
}

/** Parses a heading. Number signs at its end are not part of its text. */
const parseHeading = (line: string): Element => {
  const level = line.indexOf(' ') as 1 | 2 | 3 | 4 | 5 | 6
  let end = line.length
  while (end > level + 1 && line[end - 1] === '#') end--
  return createElement(`h${level}`, line.slice(level + 1, end).trim())
}

const addParagraph = (lines: readonly string[], { into, surroundings }: InsertionPoint): void => {
  const text = lines.join('\n').trimStart()
  if (text === '') return
  if (surroundings === 'tight' && into.text === '' && into.children.length === 0) into.text = text
  else into.children.push(createElement('p', text))
}

/** Adds a quote. Every line belongs to it, with or without a quote sign. It contains what a message can contain. */
const addQuote = (lines: readonly string[], insertion: InsertionPoint): void => {
  const quote = createElement('blockquote')
  const text = lines.map((line) => line.replace(quoteLine, '')).join('\n')
  addSegments(splitFences(text), { into: quote, surroundings: 'open', depth: insertion.depth + 1 })
  if (quote.children.length > 0) insertion.into.children.push(quote)
}

const findCodeEnd = (lines: readonly string[], from: number, to: number): number => {
  let end = from
  while (end < to && lines[end]?.startsWith('    ')) end++
  return end
}

/** Adds indented code. After blank lines it continues the code block before it. */
const addCode = (lines: readonly string[], { into: { children } }: InsertionPoint): void => {
  const text = lines.map((line) => line.slice(4)).join('\n')
  const last = children.at(-1)
  if (last?.kind === 'code' && last.is_indented) last.text += `\n\n${text}`
  else children.push({ kind: 'code', text, language: '', is_indented: true })
}

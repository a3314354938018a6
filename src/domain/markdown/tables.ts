/** Tables: a row of headers, a row of dashes, and rows. Source: messages.md 6.2. */
import { type Element, element } from './block-tree.js'

/** Missing cells are added, so a few characters could ask for millions of them. */
const MAX_CELLS = 5_000

const separator = /^[|:\- ]+$/

/** The table that begins at `from`, with everything to the end of the chunk; undefined when it is none. */
export const tableChunk = (lines: readonly string[], from: number, to: number): Element | undefined => {
  const [first = '', second = ''] = [lines[from], lines[from + 1]]
  if (to - from < 2 || !first.includes('|') || !separator.test(second.trim())) return undefined
  const header = splitRow(first)
  const alignments = splitRow(second).map(alignment)
  const rows = lines.slice(from + 2, to)
  if (header.length !== alignments.length || header.length * (rows.length + 1) > MAX_CELLS) return undefined
  if (header.length === 1 && !rows.every(hasPipeAtEnd)) return undefined

  const body = rows.length === 0 ? [''] : rows
  const head = parent('thead', [tableRow(header, 'th', alignments)])
  return parent('table', [
    head,
    parent(
      'tbody',
      body.map((row) => tableRow(splitRow(row), 'td', alignments)),
    ),
  ])
}

/** What makes the lines of a table with one column. */
const hasPipeAtEnd = (line: string): boolean => /^\||\|$/.test(line.trim())

const parent = (tag: string, children: Element[]): Element => ({ ...element(tag), children })

const tableRow = (cells: string[], tag: string, alignments: string[]): Element =>
  parent(
    'tr',
    alignments.map((style, i) => element(tag, (cells[i] ?? '').trim(), style)),
  )

const alignment = (dashes: string): string => {
  const text = dashes.trim()
  const [left, right] = [text.startsWith(':'), text.endsWith(':')]
  if (left && right) return ' style="text-align: center;"'
  if (left) return ' style="text-align: left;"'
  return right ? ' style="text-align: right;"' : ''
}

/** Cells between pipes; a pipe in code is none. */
const splitRow = (line: string): string[] => {
  const row = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  const cells: string[] = []
  let start = 0
  for (let i = 0; i < row.length; i++) {
    if (row[i] === '`') i = endOfCode(row, i) - 1
    else if (row[i] === '|') {
      cells.push(row.slice(start, i))
      start = i + 1
    }
  }
  cells.push(row.slice(start))
  return cells
}

/** Behind the code that begins here or, when nothing closes it, behind its backticks. */
const endOfCode = (row: string, start: number): number => {
  let open = start
  while (row[open] === '`') open++
  const ticks = row.slice(start, open)
  for (let at = row.indexOf(ticks, open); at !== -1; ) {
    let end = at
    while (row[end] === '`') end++
    if (end - at === ticks.length) return end
    at = row.indexOf(ticks, end)
  }
  return open
}

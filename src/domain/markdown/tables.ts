/** Parses tables: a row of headers, a row of dashes, and rows. Source: messages.md 6.2. */
import { type Attributes, plain, type Tag, textAlign } from '../html/html.js'
import { createElement, type Element } from './block-tree.js'

/** Missing cells are added to every row, so without a limit a short message could have millions of cells. */
const MAX_CELLS = 5_000

const separator = /^[|:\- ]+$/

/** Parses the table that begins at `from` and takes the rest of the chunk; undefined: no table begins there. */
export const parseTable = (lines: readonly string[], from: number, to: number): Element | undefined => {
  const [first = '', second = ''] = [lines[from], lines[from + 1]]
  if (to - from < 2 || !first.includes('|') || !separator.test(second.trim())) return undefined
  const header = splitCells(first)
  const alignments = splitCells(second).map(cellAttributes)
  const rows = lines.slice(from + 2, to)
  if (header.length !== alignments.length || header.length * (rows.length + 1) > MAX_CELLS) return undefined
  if (header.length === 1 && !rows.every(hasPipeAtEnd)) return undefined

  const body = rows.length === 0 ? [''] : rows
  const head = newParent('thead', [createRow(header, 'th', alignments)])
  return newParent('table', [
    head,
    newParent(
      'tbody',
      body.map((row) => createRow(splitCells(row), 'td', alignments)),
    ),
  ])
}

/** Whether a line is a row of a table with one column. */
const hasPipeAtEnd = (line: string): boolean => /^\||\|$/.test(line.trim())

const newParent = (tag: Tag, children: Element[]): Element => ({ ...createElement(tag), children })

const createRow = (cells: string[], tag: 'th' | 'td', alignments: Attributes[]): Element =>
  newParent(
    'tr',
    alignments.map((attributes, i) => createElement(tag, (cells[i] ?? '').trim(), attributes)),
  )

const cellAttributes = (dashes: string): Attributes => {
  const text = dashes.trim()
  const [left, right] = [text.startsWith(':'), text.endsWith(':')]
  if (left && right) return { style: textAlign('center') }
  if (left) return { style: textAlign('left') }
  return right ? { style: textAlign('right') } : plain
}

/** Splits a row into its cells at each pipe that is not inside code. */
const splitCells = (line: string): string[] => {
  const row = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  const cells: string[] = []
  let start = 0
  for (let i = 0; i < row.length; i++) {
    if (row[i] === '`') i = findCodeEnd(row, i) - 1
    else if (row[i] === '|') {
      cells.push(row.slice(start, i))
      start = i + 1
    }
  }
  cells.push(row.slice(start))
  return cells
}

/**
 * Returns the position after the code that begins at `start`; if no backticks close it, after its opening backticks.
 */
const findCodeEnd = (row: string, start: number): number => {
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

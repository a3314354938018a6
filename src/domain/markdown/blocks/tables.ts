/** Parses tables: a row of headers, a row of dashes, and rows. Source: protocol/messages.md 6.2. */
import { type Attributes, plain, type Tag, textAlign } from '../../html/html.js'
import { createElement, type Element } from './block-tree.js'

/** Missing cells are added to every row, so without a limit a short message could have millions of cells. */
const MAX_CELLS = 5_000

interface Cell {
  text: string
  /** the text follows its pipe without a space */
  touches_pipe: boolean
}

const noCell: Cell = { text: '', touches_pipe: false }

const separator = /^[|:\- ]+$/

/**
 * Parses the table that begins at `from` and takes the rest of the chunk. Returns undefined if no table begins there.
 */
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

const createRow = (cells: readonly Cell[], tag: 'th' | 'td', alignments: Attributes[]): Element =>
  newParent(
    'tr',
    alignments.map((attributes, i) => {
      const { text, touches_pipe } = cells[i] ?? noCell
      return { kind: 'element', tag, attributes, text, children: [], touches_pipe }
    }),
  )

const cellAttributes = ({ text }: Cell): Attributes => {
  const [left, right] = [text.startsWith(':'), text.endsWith(':')]
  if (left && right) return { style: textAlign('center') }
  if (left) return { style: textAlign('left') }
  return right ? { style: textAlign('right') } : plain
}

/** Splits a row into its cells at each pipe that is neither inside code nor after a backslash. */
const splitCells = (line: string): Cell[] => {
  const typed = line.trim()
  const row = typed.replace(/^\|/, '')
  const cells: Cell[] = []
  let start = 0
  let isAfterPipe = row !== typed
  const addCell = (end: number): void => {
    const cell = row.slice(start, end)
    cells.push({ text: cell.trim(), touches_pipe: isAfterPipe && !cell.startsWith(' ') })
  }
  for (let i = 0; i < row.length; i++) {
    if (row[i] === '\\') i = findEscapeEnd(row, i) - 1
    else if (row[i] === '`') i = findCodeEnd(row, i) - 1
    else if (row[i] === '|') {
      addCell(i)
      start = i + 1
      isAfterPipe = true
    }
  }
  if (start < row.length || cells.length === 0) addCell(row.length)
  return cells
}

/** Returns the position after a backslash and what it escapes: a backslash, a pipe, or backticks that begin no code. */
const findEscapeEnd = (row: string, start: number): number => {
  let end = start + 1
  if (row[end] === '\\' || row[end] === '|') return end + 1
  while (row[end] === '`') end++
  return end
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

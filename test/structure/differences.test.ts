/** docs/differences.md: each line of its tables names a test that exists. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const columns = ['what', 'the document / the existing server', 'Parley', 'reason', 'test']

/** The cells of a line of a table. A `\|` belongs to the text of a cell. */
const splitCells = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

/** What is wrong with the tables, a sentence for each fault. */
const findFaults = (page: string, readTest: (path: string) => string | undefined): string[] => {
  const lines = page.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
  return lines.flatMap((line) => {
    const cells = splitCells(line)
    if (cells.length !== columns.length) return [`This line has ${cells.length} cells: ${line}`]
    if (cells[0] === 'what') return cells.join() === columns.join() ? [] : [`These are other columns: ${line}`]
    const empty = columns.filter((_, i) => cells[i] === '')
    if (empty.length > 0) return [`“${cells[0]}” has an empty cell: ${empty.join(', ')}`]
    const [, path = '', name = ''] = /^`(test\/[^`]+\.test\.ts)`: (.+)$/.exec(cells[4] ?? '') ?? []
    if (path === '') return [`“${cells[0]}” must name its test as \`test/…test.ts\`: The name of the test`]
    const text = readTest(path)
    if (text === undefined) return [`“${cells[0]}” names the file ${path}, which does not exist`]
    return text.includes(name.replaceAll('\\|', '|')) ? [] : [`${path} has no test “${name}”`]
  })
}

const read = (path: string): string | undefined =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8').replaceAll("\\'", "'") : undefined

test('Every difference that the docs name has a test.', () => {
  const page = read('docs/differences.md') ?? ''
  expect(page.split('\n').filter((line) => line.startsWith('| what')).length).toBeGreaterThan(0)
  expect(findFaults(page, read)).toEqual([])
})

test('The search for differences without a test finds each of these.', () => {
  const tests = new Map([['test/a.test.ts', "test('It works | well.', …)"]])
  const faults = (line: string) => findFaults(line, (path) => tests.get(path)).length
  expect(faults('| a | b | c | d | `test/a.test.ts`: It works |')).toBe(0)
  expect(faults('| a | b | c | d | `test/a.test.ts`: It works \\| well. |')).toBe(0)
  expect(faults(`| ${columns.join(' | ')} |`)).toBe(0)
  for (const line of [
    '| a | b | c | d | `test/a.test.ts`: It fails |',
    '| a | b | c | d | `test/b.test.ts`: It works |',
    '| a | b | c | d | It works |',
    '| a | b | c | | `test/a.test.ts`: It works |',
    '| a | b | c | `test/a.test.ts`: It works |',
    '| what | where | Parley | reason | test |',
  ]) {
    expect(faults(line), line).toBe(1)
  }
})

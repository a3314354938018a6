/** How long the functions of the client library are: a closure has to be read as a whole. */
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { readText, sources } from './sources.js'

const MAX_LINES = 60

/** Functions that may be longer. A section is its stores, and a handler for each type of event. */
const exceptions = ['client/src/realm/unread.ts createUnread']

const functions: ReadonlySet<string> = new Set(['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'])

interface Node {
  type: string
  start: number
  end: number
}

/** Calls `visit` with each node of a syntax tree, and with the name to which it is assigned. */
const walk = (value: unknown, visit: (node: Node, name: string) => void, name = 'function'): void => {
  if (Array.isArray(value)) for (const one of value) walk(one, visit, name)
  else if (typeof value === 'object' && value !== null) {
    const { id, key } = value as { id?: { name?: string }; key?: { name?: string } }
    const own = id?.name ?? key?.name ?? name
    if ('type' in value) visit(value as Node, own)
    for (const child of Object.values(value)) walk(child, visit, own)
  }
}

/** The functions with more than so many lines, each with its name. */
const findLong = (file: string, text: string): string[] => {
  const long: string[] = []
  walk(parseSync(file, text).program, ({ type, start, end }, name) => {
    if (functions.has(type) && text.slice(start, end).split('\n').length > MAX_LINES) long.push(`${file} ${name}`)
  })
  return long
}

test('No function of the client library has more than 60 lines.', () => {
  const files = sources.filter((file) => file.startsWith('client/src/'))
  expect(files.flatMap((file) => findLong(file, readText(file)))).toEqual(exceptions)
})

test.each([
  ['export const open = () => {\n', '}\n'],
  ['export const open = async (one: number): Promise<void> => {\n', '}\n'],
  ['export function open() {\n', '}\n'],
  ['const all = {\n  open() {\n', '  },\n}\n'],
])('The search for long functions finds %j.', (begin, end) => {
  const build = (lines: number) => `${begin}${'  call()\n'.repeat(lines)}${end}`
  expect(findLong('a.ts', build(MAX_LINES))).toEqual(['a.ts open'])
  expect(findLong('a.ts', build(MAX_LINES - 4))).toEqual([])
})

/**
 * Docstrings and comments: every exported function and class says what it does, and no line of a comment is longer
 * than a line of code. The formatter breaks only code.
 */
import { expect, test } from 'vitest'
import { readText, sources } from './sources.js'

interface Source {
  /** the path from the root of the repository */
  path: string
  text: string
}

/** All sources that people write. Those of types alone have no function. */
const written: readonly Source[] = sources
  .filter((path) => path !== 'client/src/kernel/api-types.ts')
  .map((path) => ({ path, text: readText(path) }))

const declaration = /^export (?:default )?(?:async )?(?:function\*?|(?:abstract )?class|const) (\w+)/gm
/** An initializer that is a function: `(`, `async (`, `<T>(`, after an optional type. */
const functionConstant = /^export const \w+(?::[^=]+(?:=>[^=]+)?)? =\s+(?:async )?(?:<[^(]+>)?(?:\(|\w+ =>)/
/** A job handler, in a file whose header describes the job. */
const describedHandler = /^export const \w+: JobHandler</

const hasHeader = (text: string): boolean => text.startsWith('/**')

/**
 * The exported functions and classes without a docstring, as `path:line name`. Endpoints, kinds of entries and register
 * sections are constants, which need none: each of them has a summary, a description or a table that describes it. The
 * forms of an overloaded function share the docstring of the first one.
 */
const findUndocumented = ({ path, text }: Source): string[] => {
  const declarations = [...text.matchAll(declaration)]
  return declarations.flatMap(({ index, 0: head, 1: name }, i) => {
    const rest = text.slice(index)
    const needsDocstring = !head.includes(' const ') || functionConstant.test(rest)
    const isDescribed = describedHandler.test(rest) && hasHeader(text)
    const isOverload = declarations[i - 1]?.[1] === name
    const line = text.slice(0, index).split('\n').length
    const hasDocstring = text.slice(0, index).endsWith('*/\n')
    return !needsDocstring || isDescribed || isOverload || hasDocstring ? [] : [`${path}:${line} ${name}`]
  })
}

test('Every exported function and class has a docstring on the line above it.', () => {
  const undocumented = written.flatMap(findUndocumented)
  expect(undocumented, 'Write a docstring that says what the name and the type do not say').toEqual([])
})

test.each([
  'export const add = (a: number, b: number): number => a + b\n',
  'export const load = async (id: number) => id\n',
  'export const first = <T>(all: T[]) => all[0]\n',
  'export const render: Pass = (text) => text\n',
  'export const rename =\n  (name: string): Step =>\n  () => []\n',
  'export async function migrate() {}\n',
  'export class Hub {}\n',
  'export const mail: JobHandler<"mail"> = async (job) => job\n',
])('The search for missing docstrings finds %j, and not with a docstring.', (text) => {
  expect(findUndocumented({ path: 'a.ts', text })).toHaveLength(1)
  expect(findUndocumented({ path: 'a.ts', text: `/** Says it. */\n${text}` })).toEqual([])
})

test.each([
  'export const getUser = endpoint({\n',
  "export const userAdd = entry<{ user_id: number }>({ kind: 'user/add' })\n",
  'export const LIMIT = 3\n',
  '/** Mails. */\n\nexport const mail: JobHandler<"mail"> = async (job) => job\n',
])('The search for missing docstrings accepts %j.', (text) => {
  expect(findUndocumented({ path: 'a.ts', text })).toEqual([])
})

/** Characters of the first sentence of a docstring: editors show it in lists. */
const FIRST_SENTENCE = 80
const docstringOfExport =
  /\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\nexport (?:default )?(?:async )?(?:const|function|(?:abstract )?class)\b/g

/** The docstrings of exports whose first sentence is too long, as `path:line`. */
const findLongSentences = ({ path, text }: Source): string[] =>
  [...text.matchAll(docstringOfExport)].flatMap(({ index, 1: comment = '' }) => {
    const said = comment.replaceAll(/\n\s*\* ?/g, ' ').trim()
    const [first = said] = /^.*?[.?!](?=\s|$)/.exec(said) ?? []
    return first.length > FIRST_SENTENCE ? [`${path}:${text.slice(0, index).split('\n').length}`] : []
  })

test('The first sentence of a docstring has at most 80 characters.', () => {
  const long = written.flatMap(findLongSentences)
  expect(long, 'Say in a short sentence what it does, and the rest in further ones').toEqual([])
})

test('The search for long sentences finds one over two lines, and not two short ones.', () => {
  const long = `/**\n * Adds ${'one and '.repeat(5)}\n * ${'two and '.repeat(5)}three.\n */\nexport const add = 1\n`
  expect(findLongSentences({ path: 'a.ts', text: long })).toEqual(['a.ts:1'])
  expect(findLongSentences({ path: 'a.ts', text: long.replace('\n * two', '.\n * Two') })).toEqual([])
})

/** The `lineWidth` of biome.json, in characters. */
const LINE_WIDTH = 120

/** The lines that consist of a comment and are too long, as `path:line`. */
const findLongComments = ({ path, text }: Source): string[] =>
  text.split('\n').flatMap((line, i) => {
    // The linter reads the reason of an exception in one line.
    const isComment = /^\s*(\*|\/\/|\/\*)/.test(line) && !line.includes('biome-ignore')
    return isComment && [...line].length > LINE_WIDTH ? [`${path}:${i + 1}`] : []
  })

test('No line of a comment is longer than 120 characters.', () => {
  const long = written.flatMap(findLongComments)
  expect(long, 'Break these lines at 120 characters').toEqual([])
})

test('The search for long lines of comments counts characters, and reads comments only.', () => {
  const text = ['a'.repeat(118), 'a'.repeat(117), '🎄'.repeat(117)].map((words) => `// ${words}\n`).join('')
  expect(findLongComments({ path: 'a.ts', text: `${text}const text = '${'a'.repeat(200)}'\n` })).toEqual(['a.ts:1'])
})

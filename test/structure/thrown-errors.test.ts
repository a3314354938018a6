/** Docstrings name the errors that are thrown: a caller learns them without reading the code. */
import { expect, test } from 'vitest'
import { readText, sources } from './sources.js'
import { findUnknownCodes, findUnnamedErrors } from './thrown-errors.js'

/** The sources of the product that people write. */
const written = sources
  .filter((path) => /^(?:(?:client|rules|web)\/)?src\//.test(path) && path !== 'client/src/kernel/api-types.ts')
  .map((path) => ({ path, text: readText(path) }))

/** Errors that are never thrown, because of the arguments of the call that could throw them. */
const exceptions = ['removeClaims throws StaleStateError']

// It parses all sources, which takes seconds on a busy machine.
test('The docstrings of exported functions name the errors that they throw.', { timeout: 60_000 }, () => {
  const unnamed = findUnnamedErrors(written).filter((found) => !exceptions.some((one) => found.endsWith(one)))
  expect(unnamed, 'Write a sentence that begins with Throws: the code or the class of the error, and when').toEqual([])
})

test('The codes that docstrings name are in the catalogue.', () => {
  expect(written.flatMap(findUnknownCodes)).toEqual([])
  const text = '/** Adds. Throws BAD_REQUEST or BAD_SUM, and SumError. */\n'
  expect(findUnknownCodes({ path: 'a.ts', text })).toEqual(['a.ts:1 BAD_SUM'])
})

test('Docstrings say in a sentence what is thrown, and not in a tag.', () => {
  expect(written.filter(({ text }) => text.includes('@throws')).map(({ path }) => path)).toEqual([])
})

const findIn = (text: string): string[] => findUnnamedErrors([{ path: 'a.ts', text }])

const refuse = "throw errors.badRequest('No.')"
const fail = 'throw new SumError()'
const rethrow = 'if (!(e instanceof SumError)) throw e'

test.each([
  ['BAD_REQUEST', `export const add = () => {\n  ${refuse}\n}\n`],
  ['BAD_REQUEST', `export const add = (): Step => () => {\n  ${refuse}.asFinal()\n}\n`],
  ['BAD_REQUEST', `export const add = () =>\n  commit(async () => {\n    ${refuse}\n  })\n`],
  ['Error', "export const add = () => {\n  throw new Error('No.')\n}\n"],
  ['SumError', `export async function add() {\n  if (isFull) ${fail}\n}\n`],
  ['SumError', `export class Sum {\n  add() {\n    ${fail}\n  }\n}\n`],
  ['SumError', `const check = () => {\n  ${fail}\n}\nexport const add = () => check()\n`],
  ['SumError', `export const add = () => {\n  const check = () => {\n    ${fail}\n  }\n  all.map(check)\n}\n`],
  ['tooLarge', 'const tooLarge = () => new SumError()\nexport const add = () => {\n  throw tooLarge()\n}\n'],
])('The search finds %s in %j, unless a docstring names it.', (error, text) => {
  expect(findIn(text)).toEqual([expect.stringMatching(new RegExp(`^a\\.ts:\\d add throws ${error}$`))])
  const declaration = /^(?:export (?:const|async)| {2}add)\b/m
  const misnamed = findIn(text.replace(declaration, '/** Adds. Throws ZeroError. */\n$&'))
  expect(misnamed).toHaveLength(error === 'Error' ? 0 : 1)
  expect(findIn(text.replace(declaration, `/** Adds. Throws ${error}. */\n$&`))).toEqual([])
})

test('The search reads the docstrings of the fields and of the types that a function returns.', () => {
  const open = `export const open = (): Sum => ({\n  add() {\n    ${fail}\n  },\n})\n`
  expect(findIn(open)).toEqual(['a.ts:1 open, add throws SumError'])
  expect(findIn(`${open}interface Sum {\n  /** Adds. Throws SumError. */\n  add(): void\n}\n`)).toEqual([])
  expect(findIn(`${open}/** Throws SumError. */\ntype Sum = { add(): void }\n`)).toEqual([])
})

test.each([
  `export const add = () => {\n  try {\n    ${fail}\n  } catch {}\n}\n`,
  `export const add = () => {\n  try {\n    ${fail}\n  } catch (e) {\n    ${rethrow}\n  }\n}\n`,
  `export const add = endpoint({\n  handle() {\n    ${refuse}\n  },\n})\n`,
  "const check = () => {\n  throw new Error('No.')\n}\nexport const add = () => check()\n",
  `/** Adds. Throws the errors of protocol/errors.md 4. */\nexport const add = () => {\n  ${refuse}\n}\n`,
])('The search accepts %j.', (text) => {
  expect(findIn(text)).toEqual([])
})

/**
 * Finds the texts that need translations: the literals that the sources pass to the functions below. The English text
 * is the key (rules/src/texts.ts).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'

const root = new URL('../../', import.meta.url).pathname

/** The catalogues, and the folders with the texts of each. The command line is English. */
export const catalogues = [
  { folder: 'web/src/languages/catalogues', sources: ['web/src'], except: [] },
  { folder: 'src/domain/languages/catalogues', sources: ['src'], except: ['src/administration/', 'src/commands/'] },
]

/** The functions that take a text, and the position of the text among their arguments. */
const takers = {
  t: 0,
  't.rich': 0,
  msg: 0,
  sentence: 0,
  'errors.badRequest': 0,
  'errors.invalidField': 1,
  'errors.invitationFailed': 0,
  error: 1,
  refusal: 0,
  unauthorized: 0,
  failedAuthentication: 1,
}

/** The files that define these functions pass texts on. `error` and its like are functions of the error table only. */
const definitions = ['rules/src/texts.ts', 'src/domain/languages/texts.ts', 'web/src/languages/t.ts']
const errorTable = 'src/domain/protocol/errors.ts'
const ofErrorTable = ['error', 'refusal', 'unauthorized', 'failedAuthentication']

const listSources = (folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length))

const nameOf = (node) => {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression' && !node.computed && node.object.type === 'Identifier') {
    return `${node.object.name}.${node.property.name}`
  }
  return undefined
}

const propertyOf = (object, name) => object.properties.find(({ key }) => key?.name === name)?.value

/**
 * The texts of an argument: of a literal, of the branches of a condition, of the `msg` of a row. `isComposed`: a part
 * of it is made while the program runs, so that no catalogue can have it. A value of a table is not: `msg` marks its
 * text.
 */
const readTexts = (node) => {
  switch (node?.type) {
    case 'Literal':
      return { texts: [node.value], isComposed: typeof node.value !== 'string' }
    case 'ConditionalExpression':
    case 'LogicalExpression': {
      const sides = node.type === 'LogicalExpression' ? [node.left, node.right] : [node.consequent, node.alternate]
      const read = sides.map(readTexts)
      return { texts: read.flatMap(({ texts }) => texts), isComposed: read.some(({ isComposed }) => isComposed) }
    }
    case 'ObjectExpression': {
      // A row of the error table, or a sentence whose text is of a table.
      const isMatched = propertyOf(node, 'isMatched') !== undefined
      return isMatched
        ? { texts: [], isComposed: false }
        : readTexts(propertyOf(node, 'msg') ?? propertyOf(node, 'text'))
    }
    case 'CallExpression':
      return { texts: [], isComposed: !Object.hasOwn(takers, nameOf(node.callee) ?? '') }
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
      return readTexts(node.expression)
    case 'Identifier':
    case 'MemberExpression':
      return { texts: [], isComposed: false }
    default:
      return { texts: [], isComposed: true }
  }
}

/** The names of the values in an object, or undefined where they are not written out. */
const namesOf = (node) => {
  if (node === undefined) return []
  if (node.type !== 'ObjectExpression' || node.properties.some(({ type }) => type === 'SpreadElement')) return undefined
  return node.properties.map(({ key }) => key.name ?? key.value)
}

const walk = (value, visit) => {
  if (Array.isArray(value)) for (const one of value) walk(one, visit)
  else if (typeof value === 'object' && value !== null) {
    if (value.type === 'CallExpression') visit(value)
    for (const child of Object.values(value)) walk(child, visit)
  }
}

/** The names of the values that a call gives, and undefined where they are given elsewhere or not written out. */
const readValues = (name, args, position) => {
  if (name === 'msg' || ofErrorTable.includes(name) || name === 'errors.invitationFailed') return undefined
  return namesOf(args[name === 't.rich' ? 2 : position + 1])
}

/**
 * Finds the texts of a catalogue. Each has its file, the function that takes it, and the names of the values and tags
 * that the call gives; undefined: they are not written out there. `composed` are calls whose text no catalogue has.
 */
export const extract = ({ sources, except }) => {
  const found = []
  const composed = []
  for (const file of sources.flatMap(listSources)) {
    if (definitions.includes(file) || except.some((folder) => file.startsWith(folder))) continue
    const source = readFileSync(`${root}${file}`, 'utf8')
    walk(parseSync(file, source).program, (call) => {
      const name = nameOf(call.callee)
      if (name === undefined || !Object.hasOwn(takers, name)) return
      if (ofErrorTable.includes(name) && (file !== errorTable || call.arguments[0]?.type === 'Identifier')) return
      const position = takers[name]
      const { texts, isComposed } = readTexts(call.arguments[position])
      if (isComposed) composed.push({ file, text: source.slice(call.start, call.end) })
      const values = readValues(name, call.arguments, position)
      const tags = name === 't.rich' ? namesOf(call.arguments[1]) : []
      for (const message of texts) found.push({ file, message, name, values, tags })
    })
  }
  return { found, composed }
}

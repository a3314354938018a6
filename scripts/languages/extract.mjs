/**
 * Finds the texts that need translations: the literals that the sources pass to the functions below. The English text
 * is the key (rules/src/texts.ts).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'

const root = new URL('../../', import.meta.url).pathname

/** The catalogues, and the folders with the texts of each. */
export const catalogues = [
  { folder: 'web/src/languages/catalogues', sources: ['web/src'] },
  { folder: 'src/domain/languages/catalogues', sources: ['src'] },
]

/** The functions that take a text, and the position of the text among their arguments. */
const takers = {
  t: 0,
  't.rich': 0,
  msg: 0,
  'errors.badRequest': 0,
  'errors.invalidField': 1,
  error: 1,
  refusal: 0,
  unauthorized: 0,
  failedAuthentication: 1,
}

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

/** The texts of an argument: of a literal, of both branches of a condition, of the `msg` of an object. */
const textsOf = (node) => {
  if (node === undefined) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0 ? [node.quasis[0].value.cooked] : undefined
  if (node.type === 'ConditionalExpression') {
    const [left, right] = [textsOf(node.consequent), textsOf(node.alternate)]
    return left === undefined || right === undefined ? undefined : [...left, ...right]
  }
  if (node.type === 'ObjectExpression') {
    return textsOf(node.properties.find((property) => property.key?.name === 'msg')?.value)
  }
  return undefined
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

/**
 * The texts of some folders, each with its file and the names of the values that the call gives. `unread` are calls of
 * `t` and `msg` whose text is no literal and can therefore be in no catalogue, unless a table marks it with `msg`.
 */
export const extract = (folders) => {
  const found = []
  for (const file of folders.flatMap(listSources)) {
    const text = readFileSync(`${root}${file}`, 'utf8')
    walk(parseSync(file, text).program, (call) => {
      const name = nameOf(call.callee)
      if (name === undefined || !Object.hasOwn(takers, name)) return
      const position = takers[name]
      const texts = textsOf(call.arguments[position]) ?? []
      const values = namesOf(call.arguments[name === 't.rich' ? 2 : position + 1])
      const tags = name === 't.rich' ? namesOf(call.arguments[1]) : []
      for (const message of texts) found.push({ file, message, name, values, tags })
    })
  }
  return found
}

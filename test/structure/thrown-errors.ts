/**
 * What exported functions throw, and what their docstrings say of it.
 *
 * 1. A function throws what its own body throws: with the functions inside it that it calls, returns or passes on, and
 *    with those of its file that it calls and that are not exported. An imported function says itself what it throws.
 * 2. The functions in an object that a function returns are documented by the fields of an interface. The docstring of
 *    the type that a function returns, or is declared as, counts for both.
 * 3. An error that was caught and is thrown again is not followed. An error that the function catches is not thrown.
 * 4. A plain Error has no name, so each sentence about errors will do; it counts where an exported function throws it.
 */
import { parseSync } from 'rolldown/utils'
import { errors } from '../../src/domain/protocol/errors.js'

export interface Source {
  /** the path from the root of the repository */
  path: string
  text: string
}

/** A node of a syntax tree, whose fields depend on its type. */
interface Node {
  type: string
  start: number
  [field: string]: unknown
}

/** An error that is thrown. */
interface Thrown {
  /** what docstrings may call it, the best one first */
  names: readonly string[]
  /** the class by which it is caught; undefined: it is not known */
  type: string | undefined
}

interface Found {
  own: Thrown[]
  /** by the fields of the objects that it returns (2) */
  members: Map<string, Thrown[]>
}

type Functions = ReadonlyMap<string, Node>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const listChildren = (node: Node): Node[] => Object.values(node).flatMap((value) => [value].flat().filter(isNode))

const child = (node: Node | undefined, field: string): Node | undefined => {
  const value = node?.[field]
  return isNode(value) ? value : undefined
}

const nameOf = (node: Node | undefined): string => (typeof node?.name === 'string' ? node.name : '')

const isFunction = ({ type }: Node): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration'

const findAll = (node: Node, type: string, found: Node[] = []): Node[] => {
  if (node.type === type) found.push(node)
  for (const inner of listChildren(node)) findAll(inner, type, found)
  return found
}

/** The expression without `await`, and without types, which do nothing at run time. */
const unwrap = (node: Node): Node => {
  const inner = child(node, node.type === 'AwaitExpression' ? 'argument' : 'expression')
  return inner !== undefined && /^(?:TS|Await)/.test(node.type) ? unwrap(inner) : node
}

/** The function that a declaration gives a name; undefined: it declares something else. */
const readFunction = (declared: Node): [name: string, node: Node] | undefined => {
  const value = declared.type === 'VariableDeclarator' ? child(declared, 'init') : declared
  const node = value && unwrap(value)
  const name = nameOf(child(declared, 'id'))
  return node === undefined || !isFunction(node) || name === '' ? undefined : [name, node]
}

/** The functions that are declared anywhere inside a node, by name. */
const listInnerFunctions = (node: Node): Functions =>
  new Map(
    [...findAll(node, 'VariableDeclarator'), ...findAll(node, 'FunctionDeclaration')]
      .map(readFunction)
      .filter((named) => named !== undefined),
  )

/** The declarations of a statement; an exported one is inside another node. */
const listDeclarations = (statement: Node): Node[] => {
  const declared = child(statement, 'declaration') ?? statement
  return declared.type === 'VariableDeclaration' ? listChildren(declared) : [declared]
}

const listFunctions = (statements: readonly Node[]): Functions =>
  new Map(
    statements
      .flatMap(listDeclarations)
      .map(readFunction)
      .filter((named) => named !== undefined),
  )

/** The docstring that ends before a node, in one line. */
const readDocstring = (text: string, { start }: Pick<Node, 'start'>): string => {
  const before = text.slice(0, start).trimEnd()
  return before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')).replace(/\s*\n\s*(\*(?!\/))?\s*/g, ' ') : ''
}

/** The sentences of a docstring that say what is thrown. */
const readSentences = (docstring: string): string[] => docstring.match(/\bThrows\b.*?(?:\.(?=\s|$)|\*\/|$)/g) ?? []

const catalogue: Readonly<Record<string, { status: number; code: string | undefined }>> = errors
const codes = new Set(Object.values(catalogue).map(({ code }) => code))
/** The codes with which a sentence begins. */
const givenCodes = /^Throws (?:[A-Z_]{4,}(?:,? and |,? or |, )?)+/

/** The codes in docstrings that the catalogue does not have, as `path:line code`. */
export const findUnknownCodes = ({ path, text }: Source): string[] =>
  [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(({ index, 0: { length } }) => {
    const sentences = readSentences(readDocstring(text, { start: index + length }))
    const given = sentences.flatMap((sentence) => givenCodes.exec(sentence)?.[0].match(/[A-Z_]{4,}/g) ?? [])
    const line = text.slice(0, index).split('\n').length
    return given.filter((code) => !codes.has(code)).map((code) => `${path}:${line} ${code}`)
  })

interface ParsedSource extends Source {
  statements: readonly Node[]
}

const parse = ({ path, text }: Source): ParsedSource => {
  const program = parseSync(path, text, { preserveParens: false }).program as unknown as Node
  return { path, text, statements: listChildren(program) }
}

/** Says what all sources together declare: functions, and docstrings of types and of fields about errors. */
const indexSources = (sources: readonly ParsedSource[]) => {
  const functions = new Map<string, Node>()
  const types = new Map<string, string[]>()
  const fields = new Map<string, string[]>()
  const add = (map: Map<string, string[]>, name: string, sentences: string[]) => {
    if (sentences.length > 0) map.set(name, [...(map.get(name) ?? []), ...sentences])
  }
  for (const { text, statements } of sources) {
    for (const [name, node] of listFunctions(statements)) functions.set(name, node)
    for (const statement of statements) {
      const declared = child(statement, 'declaration') ?? statement
      const isType = declared.type === 'TSTypeAliasDeclaration' || declared.type === 'TSInterfaceDeclaration'
      if (!isType) continue
      add(types, nameOf(child(declared, 'id')), readSentences(readDocstring(text, statement)))
      for (const field of [...findAll(declared, 'TSMethodSignature'), ...findAll(declared, 'TSPropertySignature')]) {
        add(fields, nameOf(child(field, 'key')), readSentences(readDocstring(text, field)))
      }
    }
  }
  return { functions, types, fields }
}

/** What `new Refusal(…)` or `errors.row(…)` makes; undefined: a node that makes no error. */
const readError = (node: Node): Thrown | undefined => {
  const callee = child(node, 'callee')
  const name = nameOf(callee)
  if (node.type === 'NewExpression' && name !== '') {
    const [status, code] = [node.arguments].flat().filter(isNode)
    const isApiError = name === 'ApiError' && typeof status?.value === 'number'
    return { names: isApiError ? [name, `a ${status.value}`, String(code?.value)] : [name], type: name }
  }
  if (node.type !== 'CallExpression' || nameOf(child(callee, 'object')) !== 'errors') return undefined
  const row = nameOf(child(callee, 'property'))
  const { code = row, status = 0 } = catalogue[row] ?? {}
  return { names: [code, row, `a ${status}`], type: 'ApiError' }
}

const isPlain = ({ type }: Thrown): boolean => type === 'Error'

/** The errors of a `try` without those that its `catch` keeps (3). */
const dropCaught = (thrown: readonly Thrown[], handler: Node): Thrown[] => {
  if (findAll(handler, 'ThrowStatement').length === 0) return []
  const tests = findAll(handler, 'BinaryExpression').filter(({ operator }) => operator === 'instanceof')
  const caught = new Set(tests.map((one) => nameOf(child(one, 'right'))))
  return thrown.filter(({ type }) => type === undefined || !caught.has(type))
}

/** The functions that a file can use, by name. */
interface FileFunctions {
  /** those that are not exported: what they throw counts (1) */
  hidden: Functions
  /** its own and the imported ones */
  known: Functions
}

const listFileFunctions = (statements: readonly Node[], all: Functions): FileFunctions => {
  const names = statements.flatMap((statement) =>
    statement.type === 'ImportDeclaration' ? listChildren(statement).map((one) => nameOf(child(one, 'local'))) : [],
  )
  const known = new Map(listFunctions(statements))
  for (const name of names) {
    const node = all.get(name)
    if (node !== undefined) known.set(name, node)
  }
  return { known, hidden: listFunctions(statements.filter((one) => child(one, 'declaration') === undefined)) }
}

/** What an expression throws that is thrown (3). @param known the functions that may make it */
const readThrown = (given: Node, known: readonly Functions[]): Thrown[] => {
  const node = unwrap(given)
  const branches = ['consequent', 'alternate', 'left', 'right'].flatMap((field) => child(node, field) ?? [])
  if (node.type === 'ConditionalExpression' || node.type === 'LogicalExpression') {
    return branches.flatMap((branch) => readThrown(branch, known))
  }
  const error = readError(node)
  if (error !== undefined) return [error]
  const callee = child(node, 'callee')
  // The error in `errors.notReady().asFinal()`.
  const object = child(callee, 'object')
  if (object !== undefined) return child(object, 'callee') === undefined ? [] : readThrown(object, known)
  const name = nameOf(callee)
  if (node.type !== 'CallExpression' || name === '') return []
  const maker = known.map((functions) => functions.get(name)).find((found) => found !== undefined)
  const made = maker === undefined ? [] : [...findAll(maker, 'CallExpression'), ...findAll(maker, 'NewExpression')]
  const kinds = made.flatMap((call) => readError(call) ?? [])
  return [{ names: [name, ...kinds.flatMap(({ names }) => names)], type: kinds[0]?.type }]
}

/** Finds what a function throws. */
const findThrown = (
  start: Node,
  file: FileFunctions,
  inner = listInnerFunctions(start),
  /** the functions that are part of it already */
  entered = new Set([start]),
  isExported = true,
): Found => {
  const found: Found = { own: [], members: new Map() }

  const addMembers = (more: Iterable<readonly [string, readonly Thrown[]]>) => {
    for (const [name, thrown] of more) found.members.set(name, [...(found.members.get(name) ?? []), ...thrown])
  }

  const enter = (node: Node | undefined, functions: Functions, countsPlain: boolean) => {
    if (node === undefined || entered.has(node)) return
    entered.add(node)
    const more = findThrown(node, file, functions, entered, countsPlain)
    found.own.push(...more.own)
    addMembers(more.members)
  }
  const enterHidden = (node: Node | undefined) => node && enter(node, listInnerFunctions(node), false)

  const visitName = (name: string) => {
    if (inner.has(name)) enter(inner.get(name), inner, isExported)
    else enterHidden(file.hidden.get(name))
  }

  const visitMember = (name: string, value: Node) => {
    const within = isFunction(value) ? value : inner.get(nameOf(value))
    const node = within ?? file.hidden.get(nameOf(value))
    if (node === undefined) return visit(value, false)
    if (entered.has(node)) return
    const functions = within === undefined ? listInnerFunctions(node) : inner
    const more = findThrown(node, file, functions, new Set([...entered, node]), false)
    addMembers([[name, more.own], ...more.members])
  }

  const visitObject = (node: Node, isArgument: boolean) => {
    for (const property of listChildren(node)) {
      const value = child(property, 'value')
      if (value === undefined) visit(property, false)
      else if (isArgument) visit(value, true)
      else visitMember(nameOf(child(property, 'key')), unwrap(value))
    }
  }

  const visitThrow = (argument: Node) => {
    found.own.push(...readThrown(argument, [inner, file.known]).filter((thrown) => isExported || !isPlain(thrown)))
    visit(argument, false)
  }

  const visitTry = (node: Node) => {
    const handler = child(node, 'handler')
    const before = found.own.length
    visitChild(node, 'block')
    if (handler !== undefined) found.own.push(...dropCaught(found.own.splice(before), handler))
    visitChild(node, 'handler')
    visitChild(node, 'finalizer')
  }

  const visitChild = (node: Node, field: string) => {
    const value = child(node, field)
    if (value === undefined) return
    if (node.type === 'ThrowStatement') visitThrow(value)
    // A function that is declared counts where it is used.
    else if (node.type !== 'VariableDeclarator' || !isFunction(unwrap(value))) visit(value, false)
  }

  /** @param isArgument whether the node is an argument of a call, which may call what it gets */
  const visit = (given: Node, isArgument: boolean): void => {
    const node = unwrap(given)
    const { type } = node
    if (type === 'Identifier') visitName(nameOf(node))
    else if (type === 'ArrowFunctionExpression' || type === 'FunctionExpression') enter(node, inner, isExported)
    else if (type === 'ThrowStatement') visitChild(node, 'argument')
    else if (type === 'VariableDeclarator') visitChild(node, 'init')
    else if (type === 'MemberExpression') visitChild(node, 'object')
    else if (type === 'ObjectExpression') visitObject(node, isArgument)
    else if (type === 'TryStatement') visitTry(node)
    // The handlers of a page run later.
    else if (!/^(?:FunctionDeclaration|JSXAttribute$|TS)/.test(type)) {
      const isCall = type === 'CallExpression' || type === 'NewExpression'
      for (const one of listChildren(node)) visit(one, isCall)
    }
  }

  visitChild(start, 'body')
  return found
}

/** Whether sentences say what is thrown. @param isField of any object, whose refusals can differ */
const isNamed = (sentences: readonly string[], { names, type }: Thrown, isField: boolean): boolean => {
  if (type === 'Error') return sentences.length > 0
  const isRefusal = type === 'ApiError'
  const accepted = isField && isRefusal ? [...names, type] : names
  return sentences.some(
    (sentence) =>
      // A numbered rule of the protocol lists its errors.
      (isRefusal && /\.md \d/.test(sentence)) ||
      accepted.some((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(sentence)),
  )
}

/** A function that others call. */
interface Declared {
  name: string
  node: Node
  /** the node that has its docstring */
  documented: Node
  /** the types that it is declared with */
  types: string[]
  isMethod: boolean
}

const listTypes = (...nodes: readonly (Node | undefined)[]): string[] =>
  nodes.flatMap((node) =>
    node === undefined ? [] : findAll(node, 'TSTypeReference').map((type) => nameOf(child(type, 'typeName'))),
  )

const listMethods = (declared: Node): Declared[] =>
  listChildren(child(declared, 'body') ?? declared).flatMap((method) => {
    const [key, value] = [child(method, 'key'), child(method, 'value')]
    const isPublic = key?.type === 'Identifier' && method.accessibility !== 'private'
    if (!isPublic || value === undefined || !isFunction(value)) return []
    return [{ name: nameOf(key), node: value, documented: method, types: [], isMethod: true }]
  })

/** The functions that a statement exports, and the public methods of a class that it exports. */
const listExported = (statement: Node): Declared[] => {
  if (child(statement, 'declaration') === undefined) return []
  return listDeclarations(statement).flatMap((declared) => {
    if (declared.type === 'ClassDeclaration') return listMethods(declared)
    const [name, node] = readFunction(declared) ?? []
    if (name === undefined || node === undefined) return []
    const types = listTypes(child(child(declared, 'id'), 'typeAnnotation'), child(node, 'returnType'))
    return [{ name, node, documented: statement, types, isMethod: false }]
  })
}

/** The errors that no docstring names, as `path:line function throws error`. */
export const findUnnamedErrors = (sources: readonly Source[]): string[] => {
  const parsed = sources.map(parse)
  const index = indexSources(parsed)
  return parsed.flatMap(({ path, text, statements }) => {
    const file = listFileFunctions(statements, index.functions)
    return statements.flatMap(listExported).flatMap(({ name, node, documented, types, isMethod }) => {
      const sentences = readSentences(readDocstring(text, documented))
      const said = [...sentences, ...types.flatMap((type) => index.types.get(type) ?? [])]
      const saidOf = (field: string) => [...said, ...(index.fields.get(field) ?? [])]
      const { own, members } = findThrown(node, file)
      const unnamed = own.filter((thrown) => !isNamed(isMethod ? saidOf(name) : said, thrown, isMethod))
      const ofMembers = [...members].flatMap(([field, all]) => {
        const some = all.filter((thrown) => !isNamed(saidOf(field), thrown, true))
        return some.map(({ names }) => `${name}, ${field} throws ${names[0]}`)
      })
      const line = text.slice(0, documented.start).split('\n').length
      const found = [...unnamed.map(({ names }) => `${name} throws ${names[0]}`), ...ofMembers]
      return [...new Set(found)].map((one) => `${path}:${line} ${one}`)
    })
  })
}

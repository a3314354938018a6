/**
 * Finds the endpoints of a path: exact paths first, then patterns, segment by segment.
 *
 * In `/users/{user_id}` the parameter matches a decimal number if it is declared as one, otherwise any text. A
 * parameter can also be declared to match the rest of the path. Numbers are tried before text, so `/users/7` and
 * `/users/ada@example.com` can be two endpoints. A path that matches no pattern is unknown for every method.
 */

export interface Target<T> {
  method: string
  path: string
  /** what each parameter in braces matches */
  segments: Readonly<Record<string, 'number' | 'text' | 'rest'>>
  value: T
}

export interface Match<T> {
  /** by method */
  values: ReadonlyMap<string, { value: T; names: readonly string[] }>
  /** the values of the parameters, in the order of the path */
  captured: readonly (string | number)[]
}

type Methods<T> = Map<string, { value: T; names: readonly string[] }>

interface Node<T> {
  literal: Map<string, Node<T>>
  number?: Node<T>
  text?: Node<T>
  rest?: Methods<T>
  methods: Methods<T>
}

const createNode = <T>(): Node<T> => ({ literal: new Map(), methods: new Map() })

/** Builds the function that finds the endpoints of a path. Throws an Error if a method of a path is declared twice. */
export const buildRouter = <T>(targets: Iterable<Target<T>>): ((path: string) => Match<T> | undefined) => {
  const root = createNode<T>()
  const exact = new Map<string, Match<T>>()
  for (const target of targets) {
    const names: string[] = []
    const methods = insertTarget(root, target, names)
    if (methods.has(target.method)) throw new Error(`${target.method} ${target.path} is declared twice`)
    methods.set(target.method, { value: target.value, names })
    if (names.length === 0) exact.set(target.path, { values: methods, captured: [] })
  }
  return (path) => {
    const cached = exact.get(path)
    if (cached !== undefined) return cached
    const captured: (string | number)[] = []
    const values = path.startsWith('/') ? findMethods(root, path.slice(1).split('/'), 0, captured) : undefined
    return values === undefined ? undefined : { values, captured }
  }
}

const insertTarget = <T>(root: Node<T>, { path, segments }: Target<T>, names: string[]): Methods<T> => {
  let node = root
  for (const segment of path.slice(1).split('/')) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined) {
      let next = node.literal.get(segment)
      if (next === undefined) {
        next = createNode()
        node.literal.set(segment, next)
      }
      node = next
      continue
    }
    names.push(name)
    const kind = segments[name]
    if (kind === undefined) throw new Error(`${path}: {${name}} is not declared as a parameter in the path`)
    if (kind === 'rest') {
      node.rest ??= new Map()
      return node.rest
    }
    node[kind] ??= createNode()
    node = node[kind]
  }
  return node.methods
}

/** Searches depth first: literal segment, number, text, rest. Truncates `captured` again when a branch has no match. */
const findMethods = <T>(
  node: Node<T>,
  segments: readonly string[],
  at: number,
  captured: (string | number)[],
): Methods<T> | undefined => {
  const segment = segments[at]
  if (segment === undefined) return node.methods.size > 0 ? node.methods : undefined
  const literal = node.literal.get(segment)
  const exact = literal && findMethods(literal, segments, at + 1, captured)
  if (exact !== undefined) return exact
  const depth = captured.length
  for (const kind of ['number', 'text'] as const) {
    const next = node[kind]
    const value = next && (kind === 'number' ? parseNumber(segment) : decodeSegment(segment))
    if (next === undefined || value === undefined) continue
    captured.push(value)
    const found = findMethods(next, segments, at + 1, captured)
    if (found !== undefined) return found
    captured.length = depth
  }
  const rest = node.rest && decodeSegment(segments.slice(at).join('/'))
  if (rest === undefined) return undefined
  captured.push(rest)
  return node.rest
}

/** A decimal id. Ids have at most 53 bits: a longer number becomes the greatest of them, which nothing has. */
const parseNumber = (segment: string): number | undefined =>
  /^\d+$/.test(segment) ? Math.min(Number(segment), Number.MAX_SAFE_INTEGER) : undefined

/**
 * Decodes a segment; undefined, so that the path is unknown, when its percent-encoding
 * is invalid, or it is empty or has a NUL.
 */
const decodeSegment = (segment: string): string | undefined => {
  try {
    const text = segment.includes('%') ? decodeURIComponent(segment) : segment
    return text === '' || text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

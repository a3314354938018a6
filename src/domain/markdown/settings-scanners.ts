/** Scanners for configuration files: YAML and INI. They go line by line. */
import type { CodeToken } from './markup-scanners.js'

const indicator = 'p p-Indicator'
const scalar = 'l l-Scalar l-Scalar-Plain'

// Only \n ends a line here. The other characters at which a dot stops (\r, U+2028) are ordinary text.

/**
 * A part of a value: space, comment, quoted text, anchor, alias, tag, brackets of a flow collection, or plain words.
 */
const yamlPiece =
  /([ \t]+)|(#.*)|("(?:[^"\\\n]|\\.)*"?)|('[^'\n]*'?)|(&[^\s,[\]{}]+)|(\*[^\s,[\]{}]+)|(!\S*)|([[\]{},|>]|[:?-](?=\s|$))|[^\s,[\]{}#:]+|./gs

const yamlKinds = ['w', 'c1', 's', 's1', 'nl', 'nv', 'kt', indicator]

/** Scans YAML. The lines of a block scalar (`|`, `>`) are the lines with more indentation than its first line. */
export function* scanYaml(code: string): Generator<CodeToken> {
  let block: number | undefined
  for (const line of linesOf(code)) {
    const text = line.replace(/\n$/, '')
    const indent = /^ */.exec(text)?.[0].length ?? 0
    if (block !== undefined && text !== '' && indent <= block) block = undefined
    if (block !== undefined) yield ['no', line]
    else if (/^(?:---|\.\.\.)(?=\s|$)/.test(text)) yield ['nn', line]
    else {
      yield* scanYamlLine(text)
      yield ['', line.slice(text.length)]
      if (/(?:^|[\s:-])[|>][+\-\d]*(?:\s+#.*)?$/.test(text)) block = indent
    }
  }
}

function* scanYamlLine(line: string): Generator<CodeToken> {
  const opening = /^(?:[ \t]|[-?](?=\s|$))*/.exec(line)?.[0] ?? ''
  yield* pieces(opening)
  const rest = line.slice(opening.length)
  const key = keyIn(rest)
  if (key === undefined) return yield* pieces(rest)
  yield ['nt', key]
  yield ['p', ':']
  yield* pieces(rest.slice(key.length + 1))
}

/** Returns the text before the first colon that a space or the line end follows. A quoted key can contain colons. */
const keyIn = (text: string): string | undefined => {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'[^']*')(?=:(?:\s|$))/s.exec(text)?.[0]
  if (quoted !== undefined) return quoted
  if (/^["'#[{&*!|>%@`]/.test(text)) return undefined
  const end = text.search(/:(?:\s|$)|\s#/)
  return end > 0 && text[end] === ':' ? text.slice(0, end) : undefined
}

function* pieces(text: string): Generator<CodeToken> {
  for (const [piece, ...groups] of text.matchAll(yamlPiece)) {
    const kind = groups.findIndex((group) => group !== undefined)
    yield [yamlKinds[kind] ?? scalar, piece]
  }
}

/** Scans INI files: `[section]`, `name = value`, and comments. */
export function* scanIni(code: string): Generator<CodeToken> {
  for (const line of linesOf(code)) {
    const [, space = '', text = '', end = ''] = /^([ \t]*)([^\n]*)(\n?)$/.exec(line) ?? []
    yield ['w', space]
    const equals = text.search(/[=:]/)
    if (/^[;#]/.test(text)) yield ['c1', text]
    else if (text.startsWith('[')) yield ['k', text]
    else if (equals === -1) yield ['na', text]
    else {
      const name = text.slice(0, equals).trimEnd()
      const value = text.slice(equals + 1).trimStart()
      yield ['na', name]
      yield ['w', text.slice(name.length, equals)]
      yield ['o', text.slice(equals, equals + 1)]
      yield ['w', text.slice(equals + 1, text.length - value.length)]
      yield ['s', value]
    }
    yield ['', end]
  }
}

const linesOf = (code: string): string[] => code.split(/(?<=\n)/)

/** Scanners for markup: HTML and XML, patches, TeX. They yield tokens that contain all of the code, in order. */

/** A Pygments class, empty for none, and the characters that have it. */
export type CodeToken = readonly [kind: string, text: string]

const tagPart = /(\s+)|(\/?>)|("[^"]*"|'[^']*')|(=)|([^\s"'=<>/]+)|./gs

/** Scans HTML and XML: comments, doctypes, entities, and tags with their attributes. */
export function* scanMarkup(code: string): Generator<CodeToken> {
  let at = 0
  while (at < code.length) {
    const open = code.indexOf('<', at)
    const text = code.slice(at, open === -1 ? code.length : open)
    yield* scanEntities(text)
    if (open === -1) return
    if (code.startsWith('<!--', open)) {
      at = after(code, '-->', open)
      yield ['cm', code.slice(open, at)]
    } else if (/[!?]/.test(code[open + 1] ?? '')) {
      at = after(code, '>', open)
      yield ['cp', code.slice(open, at)]
    } else if (/[a-z/]/i.test(code[open + 1] ?? '')) {
      at = after(code, '>', open)
      yield* scanTag(code.slice(open, at))
    } else {
      at = open + 1
      yield ['', '<']
    }
  }
}

function* scanTag(tag: string): Generator<CodeToken> {
  const [opening = '', slash = '', name = ''] = /^<(\/?)([^\s/>]*)/.exec(tag) ?? []
  yield ['p', `<${slash}`]
  yield ['nt', name]
  for (const [part, space, end, value, equals, attribute] of tag.slice(opening.length).matchAll(tagPart)) {
    if (space !== undefined) yield ['w', part]
    else if (end !== undefined) yield ['p', part]
    else if (value !== undefined) yield ['s', part]
    else if (equals !== undefined) yield ['o', part]
    else yield [attribute === undefined ? '' : 'na', part]
  }
}

function* scanEntities(text: string): Generator<CodeToken> {
  let done = 0
  for (const { 0: entity, index } of text.matchAll(/&[#a-zA-Z0-9]{1,32};/g)) {
    yield ['', text.slice(done, index)]
    yield ['ni', entity]
    done = index + entity.length
  }
  yield ['', text.slice(done)]
}

/** Scans a patch (diff), line by line. */
export function* scanDiff(code: string): Generator<CodeToken> {
  for (const line of code.split(/(?<=\n)/)) {
    if (/^(?:Index|diff|={3,})/i.test(line)) yield ['gh', line]
    else if (line.startsWith('@@')) yield ['gu', line]
    else if (/^[+>]/.test(line)) yield ['gi', line]
    else if (/^[-<]/.test(line)) yield ['gd', line]
    else if (line.startsWith('!')) yield ['gs', line]
    else if (line.startsWith(' ')) {
      yield ['w', ' ']
      yield ['', line.slice(1)]
    } else yield ['', line]
  }
}

/** Scans TeX: commands, braces, comments and the signs of formulas. */
export function* scanTex(code: string): Generator<CodeToken> {
  for (const [text, command, brace, comment, math] of code.matchAll(
    /(\\(?:[a-zA-Z]+|[^\n]))|([{}&_^]+)|(%[^\n]*)|(\$+)|[^\\{}&_^%$]+|\\/g,
  )) {
    if (command !== undefined) yield ['k', text]
    else if (brace !== undefined) yield ['nb', text]
    else if (comment !== undefined) yield ['c', text]
    else yield [math === undefined ? '' : 's', text]
  }
}

/** Returns the position after the next `mark`, or the end of the code. */
const after = (code: string, mark: string, from: number): number => {
  const at = code.indexOf(mark, from)
  return at === -1 ? code.length : at + mark.length
}

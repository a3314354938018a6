/**
 * Finds fences: lines of three or more backticks or tildes that enclose code, quotes, spoilers or formulas.
 *
 * Fences are found before any other block, at the start of a line only. A fence ends at a line that equals its opening
 * backticks or tildes, or where the fence around it ends, or at the end of the message. Quotes and spoilers contain
 * blocks, and so other fences; code and formulas contain lines. A closed fence without content is nothing. Code and
 * spoilers that nothing closes are shown also without content: their author is still writing them.
 * Source: protocol/messages.md 6.2.
 */

export type Segment =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'math'; text: string }
  | { kind: 'quote'; segments: Segment[] }
  | { kind: 'spoiler'; header: string; segments: Segment[] }

/** How deep fences can nest; a deeper opening line is text. */
const MAX_DEPTH = 20

/**
 * The opening line: a language, then a header. A space, or a character that no language contains, separates them. So
 * the two parts of the pattern never match the same characters, and matching takes linear time.
 */
const opening =
  /^(`{3,}|~{3,}) *(?:\{?\.?([a-zA-Z0-9_+-./#]+)(?: +([^ ~`][^~`]*)|([^ ~`a-zA-Z0-9_+-./#][^~`]*)| *)\}?)?$/

interface Open {
  fence: string
  segments: Segment[]
  /** the segment that gets the lines of a code or math fence */
  verbatim?: Segment & { text: string }
}

/** Splits a message into its fences and the text between them. */
export const splitFences = (content: string): Segment[] => {
  const root: Segment[] = []
  if (!content.includes('```') && !content.includes('~~~'))
    return content === '' ? root : [{ kind: 'text', text: content }]

  const stack: Open[] = [{ fence: '', segments: root }]
  const pending: string[] = []
  const flush = (): void => {
    const { verbatim, segments } = stack.at(-1) as Open
    const text = pending.splice(0).join('\n')
    if (verbatim !== undefined) verbatim.text = text
    else if (text.trim() !== '') segments.push({ kind: 'text', text })
  }
  const close = (isClosed: boolean): void => {
    const isEmpty = pending.length === 0
    flush()
    const { verbatim, segments } = stack.pop() as Open
    const outer = stack.at(-1)?.segments
    const kind = outer?.at(-1)?.kind
    if (!isClosed && (kind === 'code' || kind === 'spoiler')) return
    const isBlank = verbatim === undefined && segments.length === 0 && kind === 'quote'
    if (isBlank || (isEmpty && (verbatim !== undefined || segments.length === 0))) outer?.pop()
  }
  for (const line of content.split('\n')) {
    const current = stack.at(-1) as Open
    if (stack.length > 1 && line.trimEnd() === current.fence) {
      close(true)
      continue
    }
    const begins = current.verbatim === undefined && stack.length <= MAX_DEPTH ? opening.exec(line) : null
    if (begins === null) {
      pending.push(line)
      continue
    }
    flush()
    const [, fence = '', language = '', header, sign = ''] = begins
    stack.push(begin(fence, language, header ?? sign, current.segments))
  }
  while (stack.length > 0) close(false)
  return root
}

const begin = (fence: string, typed: string, header: string, into: Segment[]): Open => {
  const language = typed.toLowerCase()
  if (language === 'quote' || language === 'quoted') {
    const segments: Segment[] = []
    into.push({ kind: 'quote', segments })
    return { fence, segments }
  }
  if (language === 'spoiler') {
    const segments: Segment[] = []
    into.push({ kind: 'spoiler', header, segments })
    return { fence, segments }
  }
  const verbatim: Segment & { text: string } =
    language === 'math' ? { kind: 'math', text: '' } : { kind: 'code', text: '', language: typed }
  into.push(verbatim)
  return { fence, segments: into, verbatim }
}

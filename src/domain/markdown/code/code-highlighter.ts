/**
 * Highlights code: it writes spans with the short class names of Pygments, for which clients have styles.
 *
 * prism.ts splits the code into tokens, in linear time; token-classes.ts gives them classes. Source:
 * protocol/messages.md 6.2.
 */

import { appendHtml, empty, escapeCode, type escapeQuotes, type Html, html, openTag } from '../../html/html.js'
import type { Language } from './language-names.js'
import { splitCode } from './prism.js'
import { type ClassifiedText, classifyTokens } from './token-classes.js'

/** How the characters of code are encoded; see code-blocks.ts. */
type Encode = typeof escapeCode | typeof escapeQuotes

/** Returns the HTML of code in a language. The code is only encoded, without spans, if the language has no grammar. */
export const highlightCode = (code: string, { name, grammar }: Language, encode: Encode = escapeCode): Html => {
  if (grammar === undefined) return encode(code)
  const tokens = splitCode(code, grammar)
  return writeSpans(classifyTokens(tokens, name), encode)
}

/** Writes text with classes as spans. Adjacent texts of one class share a span; no span contains a line end. */
const writeSpans = (texts: readonly ClassifiedText[], encode: Encode): Html => {
  let written = empty
  let pending = ''
  let open = ''
  const flush = (): void => {
    if (pending === '') return
    const encoded = encode(pending)
    const span = open === '' ? encoded : appendHtml(appendHtml(spanStart(open), encoded), spanEnd)
    written = appendHtml(written, span)
    pending = ''
  }
  const add = (token_class: string, text: string): void => {
    if (token_class !== open) {
      flush()
      open = token_class
    }
    pending += text
  }
  for (const [token_class, text] of texts) {
    if (!text.includes('\n')) {
      add(token_class, text)
      continue
    }
    for (const [i, line] of text.split('\n').entries()) {
      if (i > 0) add('', '\n')
      if (line !== '') add(token_class, line)
    }
  }
  flush()
  return written
}

const spanStarts = new Map<string, Html>()

/** Returns the start tag of a class. Each is written once, because code has many. */
const spanStart = (token_class: string): Html => {
  let start = spanStarts.get(token_class)
  if (start === undefined) {
    start = openTag('span', { class: token_class })
    spanStarts.set(token_class, start)
  }
  return start
}

const spanEnd = html`</span>`

/**
 * Writes blocks of code, fenced or indented.
 *
 * Spaces at the end of a line and blank lines around the code are removed. Quotes are entities in code without a
 * language, and literal in code with a language, as in the HTML that existing clients know. Source: messages.md 6.2.
 */

import { highlightCode } from './code-highlighter.js'
import { escapeAttribute, escapeCode, escapeQuotes } from './escape.js'
import { findLanguageName } from './language-names.js'

/**
 * Returns the HTML of a block of code.
 * @param language as typed, or the organization's default; empty for none
 */
export const writeCodeBlock = (source: string, language: string): string => {
  const code = trimCode(source)
  if (language === '') {
    return `<div class="codehilite"><pre><span></span><code>${escapeQuotes(code)}\n</code></pre></div>`
  }
  const name = findLanguageName(language)
  const html = name === undefined ? escapeCode(code) : highlightCode(code, name)
  const label = escapeAttribute(name ?? language.toLowerCase())
  return `<div class="codehilite" data-code-language="${label}"><pre><span></span><code>${html}\n</code></pre></div>`
}

const trimCode = (source: string): string => {
  const lines = source.split('\n').map((line) => line.trimEnd())
  let [start, end] = [0, lines.length]
  while (start < end && lines[start] === '') start++
  while (start < end && lines[end - 1] === '') end--
  return lines.slice(start, end).join('\n')
}

/**
 * Writes blocks of code, fenced or indented.
 *
 * Spaces at the end of a line and blank lines around the code are removed. Quotes are entities in code without a
 * language, and literal in code with a language, as in the HTML that existing clients know. Code without a language can
 * name one in its first line, as scripts do (`#!/usr/bin/env python`): it is highlighted, but has no language for
 * clients. Source: protocol/messages.md 6.2.
 */

import { element, escapeCode, escapeQuotes, type Html, html } from '../../html/html.js'
import { highlightCode } from './code-highlighter.js'
import { findLanguage } from './language-names.js'

/**
 * Returns the HTML of a block of code.
 * @param language as typed, or the organization's default; empty for none
 */
export const writeCodeBlock = (source: string, language: string): Html => {
  const code = trimCode(source)
  if (language === '') {
    return html`<div class="codehilite"><pre><span></span><code>${writeUnlabelled(code)}\n</code></pre></div>`
  }
  const found = findLanguage(language)
  const highlighted = found === undefined ? escapeCode(code) : highlightCode(code, found)
  return writeBlock(found?.name ?? language.toLowerCase(), highlighted)
}

/** The first line of a script, `#!python` or `:::python`. */
const nameLine = /^(?:::+|#!)(?:(?:\/\w+)*[/ ])?([\w#.+-]*)/

const writeUnlabelled = (code: string): Html => {
  const [, typed] = nameLine.exec(code) ?? []
  const language = typed === undefined ? undefined : findLanguage(typed)
  return language === undefined ? escapeQuotes(code) : highlightCode(code, language, escapeQuotes)
}

const writeBlock = (language: string, code: Html): Html =>
  element(
    'div',
    { class: 'codehilite', 'data-code-language': language },
    html`<pre><span></span><code>${code}\n</code></pre>`,
  )

const trimCode = (source: string): string => {
  const lines = source.split('\n').map((line) => line.trimEnd())
  let [start, end] = [0, lines.length]
  while (start < end && lines[start] === '') start++
  while (start < end && lines[end - 1] === '') end--
  return lines.slice(start, end).join('\n')
}

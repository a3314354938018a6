/**
 * Renders emphasis with stars and tildes. It stays within one line, and needs no word boundary.
 *
 * `***x***` has a higher precedence than mentions and links, the other three kinds a lower one: see inline-renderer.ts.
 * Every scan goes forward only, to the next star, tilde or line end. Source: protocol/messages.md 6.3.
 */
import { element, plain } from '../../html/html.js'
import {
  type InlinePass,
  type InlineState,
  insertPlaceholder,
  type RenderInner,
  TextRewriter,
} from '../context/placeholders.js'

const isBlank = (character: string | undefined): boolean => character === undefined || /\s/.test(character)

/** Renders `***x***`: no stars inside, no space at its ends. */
export const renderStrongEmphasis: InlinePass = (text, inline, inner) => {
  let at = text.indexOf('***')
  if (at === -1) return text
  const rewrite = new TextRewriter(text)
  while (at !== -1) {
    let start = at + 3
    while (text[start] === '*') start++
    const end = findOnLine(text, '*', start)
    if (end > start && text.startsWith('***', end) && !isBlank(text[start]) && !isBlank(text[end - 1])) {
      const html = element('strong', plain, element('em', plain, inner(text.slice(start, end), inline)))
      rewrite.replace(start - 3, end + 3, insertPlaceholder(inline, html, text.slice(start - 3, end + 3)))
      at = text.indexOf('***', end + 3)
    } else {
      at = text.indexOf('***', start)
    }
  }
  return rewrite.result()
}

/** Renders `**b**`: any text inside, up to the next two stars. */
export const renderStrong: InlinePass = (text, inline, inner) => {
  let start = text.indexOf('**')
  if (start === -1) return text
  const rewrite = new TextRewriter(text)
  let lineEnd = -1
  while (start !== -1) {
    const end = text.indexOf('**', start + 3)
    if (end === -1) break
    if (lineEnd < start) lineEnd = findLineEnd(text, start)
    if (end > lineEnd) {
      start = text.indexOf('**', start + 1)
      continue
    }
    replaceWithTag(rewrite, 'strong', start, end, 2, inline, inner)
    start = text.indexOf('**', end + 2)
  }
  return rewrite.result()
}

/** Renders `*em*`: no stars inside, no space at its ends. */
export const renderEmphasis: InlinePass = (text, inline, inner) => {
  let start = text.indexOf('*')
  if (start === -1) return text
  const rewrite = new TextRewriter(text)
  while (start !== -1) {
    const end = findOnLine(text, '*', start + 1)
    if (end === -1 || end === start + 1 || isBlank(text[start + 1]) || isBlank(text[end - 1])) {
      start = text.indexOf('*', start + 1)
      continue
    }
    replaceWithTag(rewrite, 'em', start, end, 1, inline, inner)
    start = text.indexOf('*', end + 1)
  }
  return rewrite.result()
}

/**
 * Renders a deletion, `~~d~~`. It has exactly two tildes at each end and none inside; spaces at the ends of its text
 * are allowed.
 */
export const renderDeletion: InlinePass = (text, inline, inner) => {
  let start = text.indexOf('~~')
  if (start === -1) return text
  const rewrite = new TextRewriter(text)
  while (start !== -1) {
    let open = start
    while (text[open] === '~') open++
    const end = findOnLine(text, '~', open)
    const isPair = open - start === 2 && end > open && text[end + 1] === '~' && text[end + 2] !== '~'
    if (!isPair) {
      start = text.indexOf('~~', open)
      continue
    }
    replaceWithTag(rewrite, 'del', start, end, 2, inline, inner)
    start = text.indexOf('~~', end + 2)
  }
  return rewrite.result()
}

const replaceWithTag = (
  rewrite: TextRewriter,
  tag: 'strong' | 'em' | 'del',
  start: number,
  end: number,
  width: number,
  inline: InlineState,
  inner: RenderInner,
): void => {
  const { text } = rewrite
  const html = element(tag, plain, inner(text.slice(start + width, end), inline))
  rewrite.replace(start, end + width, insertPlaceholder(inline, html, text.slice(start, end + width)))
}

/** Returns the position of a character on the same line, at or after `from`; -1: the line has none there. */
const findOnLine = (text: string, character: string, from: number): number => {
  for (let i = from; i < text.length; i++) {
    if (text[i] === character) return i
    if (text[i] === '\n') return -1
  }
  return -1
}

const findLineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

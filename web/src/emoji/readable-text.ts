/**
 * What a text in Markdown says, without its signs: for texts that are not sent yet, which the server has not rendered.
 *
 * Only what the server would render is taken away: a star between spaces stays a star, and code stays as it is.
 */
import type { Chat } from '../realm/chat.js'
import { formatFullTime } from '../ui/times.js'
import { emojiGlyph, emojiTable } from './emoji-table.js'

const fence = /^ *(`{3,}|~{3,})(.*)$/
const code = /(?<!`)(`{1,20})(?!`)([\s\S]{0,1000}?[^`])\1(?!`)/g

/** The text as people read it, with its lines. */
export const readableText = (chat: Chat, markdown: string): string =>
  readMarkdown(markdown, (name) => glyphOf(chat, name))

/**
 * The same, for emoji that are found elsewhere.
 * @param findGlyph the characters of an emoji; undefined: there are none
 */
export const readMarkdown = (markdown: string, findGlyph: (name: string) => string | undefined): string => {
  const lines: string[] = []
  const open: { sign: string; isCode: boolean }[] = []
  for (const line of markdown.split('\n')) {
    const [, sign = '', info = ''] = fence.exec(line) ?? []
    const last = open.at(-1)
    if (sign !== '' && last !== undefined && info.trim() === '' && sign.startsWith(last.sign)) {
      open.pop()
    } else if (sign !== '' && last?.isCode !== true) {
      const [, block, title = ''] = /^\s*(spoiler|quote)\b\s*(.*)$/.exec(info) ?? []
      open.push({ sign, isCode: block === undefined })
      if (title !== '') lines.push(readInline(title, findGlyph))
    } else if (last?.isCode === true) {
      lines.push(line)
    } else {
      lines.push(readLine(line, findGlyph))
    }
  }
  return lines.join('\n').trim()
}

const glyphOf = (chat: Chat, name: string): string | undefined => {
  const emoji = emojiTable(chat).value.find(({ type, names }) => type === 'unicode_emoji' && names.includes(name))
  return emoji === undefined ? undefined : emojiGlyph(emoji.code)
}

const readLine = (line: string, findGlyph: (name: string) => string | undefined): string => {
  if (/^ *([-*_] *){3,}$/.test(line)) return ''
  const text = line
    .replace(/^(\s*>\s?)+/, '')
    .replace(/^#{1,6}\s+/, '')
    .replace(/^(\s*)[*+-]\s+/, '$1• ')
    .replace(/^\/(?:me|poll|todo)\s+/, '')
  return readInline(text, findGlyph)
}

/** Reads the text between code, which stays as it is. */
const readInline = (text: string, findGlyph: (name: string) => string | undefined): string => {
  let read = ''
  let end = 0
  for (const found of text.matchAll(code)) {
    read += `${readMarks(text.slice(end, found.index), findGlyph)}${(found[2] ?? '').trim()}`
    end = found.index + found[0].length
  }
  return read + readMarks(text.slice(end), findGlyph)
}

const readMarks = (text: string, findGlyph: (name: string) => string | undefined): string =>
  text
    .replace(/@_?\*\*([^*\n]{1,200}?)(?:\|\d+)?\*\*/g, '@$1')
    .replace(/@_?\*([^*\n]{1,200})\*/g, '@$1')
    .replace(/#\*\*([^*\n]{1,200}?)(?:@\d+)?\*\*/g, (_, place: string) => `#${place.replace('>', ' › ')}`)
    .replace(/<time:([^>\n]{1,100})>/g, (_, input: string) => readTime(input))
    .replace(/!?\[([^\]\n]{0,500})\]\(([^)\s]{0,2000})\)/g, (_, name: string, address: string) => name || address)
    .replace(/\$\$([^$\n]{1,1000})\$\$/g, '$1')
    .replace(/\*\*\*(?=\S)([^\n]{0,1000}?\S)\*\*\*/g, '$1')
    .replace(/\*\*(?=\S)([^\n]{0,1000}?\S)\*\*/g, '$1')
    .replace(/(^|[^*\w])\*(?=[^\s*])([^*\n]{0,1000}?[^\s*])\*(?![*\w])/g, '$1$2')
    .replace(/~~(?=\S)([^\n]{0,1000}?\S)~~/g, '$1')
    .replace(/:([\w+-]{1,100}):/g, (sign, name: string) => findGlyph(name) ?? sign)

const readTime = (input: string): string => {
  const date = new Date(/^\d+$/.test(input) ? Number(input) * 1000 : input)
  return Number.isNaN(date.getTime()) ? input : formatFullTime(date)
}

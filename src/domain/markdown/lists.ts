/**
 * Parses lists: items, nesting by two spaces, tight and loose items.
 *
 * An item is tight while no blank line is next to it: its text is directly in the `<li>`. A blank line before the next
 * item, or before another paragraph of the item, makes it loose: its text is wrapped in a paragraph, also when it was
 * parsed before the blank line was found. An indented chunk belongs to the list that is found by descending through the
 * last children of the tree. Source: messages.md 6.2.
 */
import { type Attributes, plain } from '../html/html.js'
import { createElement, type Element, type InsertionPoint, lastElement, type ParseLines } from './block-tree.js'

const bullet = /^ ?[*+-] +/
const ordinal = /^ ?(\d+)\. +/
const nestedItem = /^ {2,3}(?:\d+\.|[*+-]) +/

/** The marker of an item directly after text. A number has one digit only, because lines often end with "in 2020.". */
const hangingItem = /^ *(?:([*+-])|\d\.) +/

/** Whether a line begins a list item. */
export const isListItem = (line: string): boolean => bullet.test(line) || ordinal.test(line)

/** Adds the missing blank lines before lists, and between lists of different kinds. */
export const separateLists = (text: string): string => {
  if (!/[*+-] |\d\. /.test(text)) return text
  const lines = text.split('\n')
  const separated: string[] = []
  let before: RegExpExecArray | null = null
  for (const [i, line] of lines.entries()) {
    const item = hangingItem.exec(line)
    const changes = before === null || (before[1] === undefined) !== (item?.[1] === undefined)
    if (i > 0 && item !== null && changes && lines[i - 1] !== '') separated.push('')
    separated.push(line)
    before = item
  }
  return separated.join('\n')
}

/** Parses a chunk whose first line is a list item, and adds its list. */
export const parseListChunk = (lines: readonly string[], { into, depth }: InsertionPoint, parse: ParseLines): void => {
  const tag = bullet.test(lines[0] ?? '') ? 'ul' : 'ol'
  const items = splitItems(lines, tag === 'ul' ? bullet : ordinal)
  const last = lastElement(into)
  let list: Element
  if (last?.tag === tag) {
    // A blank line separates the chunk from the list: the items on both sides are loose.
    list = last
    wrapLastItemText(list)
    const first = items.shift()
    if (first !== undefined) parse(first.lines, { into: addItem(list), surroundings: 'open', depth: depth + 1 })
  } else if (into.tag === 'ul' || into.tag === 'ol') {
    list = into
  } else {
    list = createElement(tag, '', listAttributes(lines[0] ?? ''))
    into.children.push(list)
  }
  for (const item of items) {
    const parent = item.is_nested ? (lastElement(list) ?? addItem(list)) : addItem(list)
    parse(item.lines, { into: parent, surroundings: 'tight', depth: depth + 1 })
  }
}

const indentedFence = /^( +)(`{3,})[^`]*$/

/** Removes the indentation of fences in an item, whose lines are inline code. */
export const dedentFences = (lines: readonly string[]): readonly string[] => {
  if (!lines.some((line) => line.includes('```'))) return lines
  let open: { indentation: number; fence: string } | undefined
  return lines.map((line) => {
    const [, spaces = '', fence = ''] = indentedFence.exec(line) ?? []
    const { indentation } = open ?? { indentation: spaces.length }
    if (open === undefined && fence !== '') open = { indentation, fence }
    else if (open !== undefined && line.trim() === open.fence) open = undefined
    else if (open === undefined) return line
    return line.slice(Math.min(indentation, line.search(/[^ ]|$/)))
  })
}

interface Item {
  /** without the marker, unless `is_nested` */
  lines: string[]
  /** the lines are items inside the item before, still indented */
  is_nested: boolean
}

const splitItems = (lines: readonly string[], marker: RegExp): Item[] => {
  const items: Item[] = []
  for (const line of lines) {
    const last = items.at(-1)
    const found = marker.exec(line)
    if (found !== null) items.push({ lines: [line.slice(found[0].length)], is_nested: false })
    else if (last !== undefined && (last.is_nested || !nestedItem.test(line))) last.lines.push(line)
    else items.push({ lines: [line], is_nested: true })
  }
  return items
}

const listAttributes = (line: string): Attributes => {
  const start = ordinal.exec(line)?.[1]
  return start === undefined || start === '1' ? plain : { start }
}

const addItem = (list: Element): Element => {
  const item = createElement('li')
  list.children.push(item)
  return item
}

/** Wraps the text of a list's last item in a paragraph: the item is now loose. */
const wrapLastItemText = (list: Element): void => {
  const item = lastElement(list)
  if (item === undefined || item.text === '') return
  item.children.unshift(createElement('p', item.text))
  item.text = ''
}

const isList = (block: Element | undefined): block is Element => block?.tag === 'ul' || block?.tag === 'ol'

/**
 * Parses indented lines, and adds their blocks to the list item they belong to.
 * @returns false if the insertion point has no list for them
 */
export const parseIndentedChunk = (
  lines: readonly string[],
  from: number,
  to: number,
  place: InsertionPoint,
  parse: ParseLines,
): boolean => {
  const { into, surroundings } = place
  if (surroundings === 'detabbed' || (into.tag !== 'li' && !isList(lastElement(into)))) return false

  const { level, found } = findNestedParent(place, Math.floor((lines[from]?.search(/[^ ]/) ?? 0) / 2))
  const indent = '  '.repeat(level)
  const detabbed = lines.slice(from, to).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  parse(detabbed, { into: chooseParent(place, found, detabbed), surroundings: 'detabbed', depth: place.depth + 1 })
  return true
}

/** Descends through the last children, one list for every two spaces of indentation. */
const findNestedParent = (
  { into, surroundings }: InsertionPoint,
  indentation: number,
): { level: number; found: Element } => {
  let level = surroundings === 'tight' ? 1 : 0
  let found = into
  while (indentation > level) {
    const child = lastElement(found)
    if (child === undefined || (child.tag !== 'li' && !isList(child))) break
    if (isList(child)) level++
    found = child
  }
  return { level, found }
}

const chooseParent = ({ into }: InsertionPoint, found: Element, lines: readonly string[]): Element => {
  if (into.tag === 'li') {
    const last = lastElement(into)
    return isList(last) && isListItem(lines[0] ?? '') ? last : into
  }
  if (found.tag === 'li') return found
  wrapLastItemText(found)
  return lastElement(found) ?? addItem(found)
}

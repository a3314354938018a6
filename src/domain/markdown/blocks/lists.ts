/**
 * Parses lists: items, nesting by two spaces, tight and loose items.
 *
 * An item is tight while no blank line is next to it: its text is directly in the `<li>`. A blank line before the next
 * item, or before another paragraph of the item, makes it loose: its text is wrapped in a paragraph, also when it was
 * parsed before the blank line was found. An indented chunk belongs to the list that is found by descending through the
 * last children of the tree. Source: protocol/messages.md 6.2.
 */
import { type Attributes, plain } from '../../html/html.js'
import { signs } from '../../text/characters.js'
import { createElement, type Element, type InsertionPoint, lastElement, type ParseLines } from './block-tree.js'

const bullet = /^ ?[*+-] +/
const ordinal = /^ ?(\d+)\. +/
const nestedItem = /^ {2,3}(?:\d+\.|[*+-]) +/

/** The marker of an item directly after text. A number has one digit only, because lines often end with "in 2020.". */
const hangingItem = /^ *(?:[*+-]|\d\.) +/

/** The marker of an item with a longer number, which is one only where it continues a list. */
const numberedItem = /^ *(\d{2,9})\. +/

/** How much larger the number of an item can be than the number before it. */
const MAX_STEP = 10

/** Whether a line begins a list item. */
export const isListItem = (line: string): boolean => bullet.test(line) || ordinal.test(line)

/** An open list, while the lines of a text are read. */
interface OpenList {
  indentation: number
  isOrdered: boolean
  /** the number of its last item; 0 for bullets */
  number: number
  /** no blank line is missing before it: its items stay tight */
  isTight: boolean
}

/**
 * Adds the missing blank lines before lists, and between lists of different kinds. A list in an item of the other kind
 * needs none if it is indented by the two spaces by which lists nest.
 */
export const separateLists = (text: string): string => {
  if (!/[*+-] |\d\. /.test(text)) return text
  const separated: string[] = []
  const open: OpenList[] = []
  let before: OpenList | undefined
  let previous = ''
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    const item = findItem(line, open, previous === '')
    if (item === undefined) {
      if (previous === '' && line !== '' && !line.startsWith(' ')) open.length = 0
    } else {
      let level = 0
      while ((open[level]?.indentation ?? item.indentation) < item.indentation - 1) level++
      const isNested = before !== undefined && open[level - 1] === before && item.indentation === before.indentation + 2
      const continues = open[level]?.isOrdered === item.isOrdered
      item.isTight = before !== undefined && (continues ? areTight(open, level + 1) : isNested)
      const changes =
        before === undefined || before.isOrdered !== item.isOrdered || (before.number > 9 && item.number <= 9)
      if (i > 0 && changes && previous !== '' && !item.isTight) separated.push('')
      open.length = level
      open.push(item)
    }
    separated.push(line)
    before = item
    previous = line
  }
  return separated.join('\n')
}

const areTight = (lists: readonly OpenList[], from: number): boolean => {
  for (let i = from; i < lists.length; i++) if (lists[i]?.isTight === false) return false
  return true
}

const SPACE = 32

/** The first characters of markers. Most lines begin with others. */
const markers = signs('*+-0123456789')

/** Returns the list of the item that a line begins; undefined: it begins none. */
const findItem = (line: string, open: readonly OpenList[], startsBlock: boolean): OpenList | undefined => {
  let indentation = 0
  while (line.charCodeAt(indentation) === SPACE) indentation++
  if (!markers.has(line.charCodeAt(indentation))) return undefined
  if (hangingItem.test(line)) {
    const number = Number.parseInt(line.trimStart(), 10)
    return { indentation, isOrdered: !Number.isNaN(number), number: number || 0, isTight: false }
  }
  const number = Number(numberedItem.exec(line)?.[1])
  const continues = open.some(
    (list) => list.isOrdered && number >= list.number && number - list.number <= MAX_STEP && isLevel(list, indentation),
  )
  const begins = startsBlock && ordinal.test(line)
  return continues || begins ? { indentation, isOrdered: true, number, isTight: false } : undefined
}

/** One space more or less does not change the level. */
const isLevel = (list: OpenList, indentation: number): boolean => Math.abs(list.indentation - indentation) <= 1

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
  insertion: InsertionPoint,
  parse: ParseLines,
): boolean => {
  const { into, surroundings } = insertion
  if (surroundings === 'detabbed' || (into.tag !== 'li' && !isList(lastElement(into)))) return false

  const { level, found } = findNestedParent(insertion, Math.floor((lines[from]?.search(/[^ ]/) ?? 0) / 2))
  const indent = '  '.repeat(level)
  const detabbed = lines.slice(from, to).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  parse(detabbed, {
    into: chooseParent(insertion, found, detabbed),
    surroundings: 'detabbed',
    depth: insertion.depth + 1,
  })
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

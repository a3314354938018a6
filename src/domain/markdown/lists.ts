/**
 * Lists: items, nesting by two spaces, and the difference between tight and loose.
 *
 * An item's text stands in its tag as long as no blank line touches it; the first blank line before a sibling or a
 * further paragraph puts it into a paragraph, afterwards too. A chunk that is indented finds the list it belongs to
 * by walking down the last children of the tree. Source: messages.md 6.2.
 */
import { type Element, type InsertionPoint, lastElement, newElement, type ParseLines } from './block-tree.js'

const bullet = /^ ?[*+-] +/
const ordinal = /^ ?(\d+)\. +/
const nestedItem = /^ {2,3}(?:\d+\.|[*+-]) +/

/** What begins a list in the middle of a text; of numbers only one digit, for "in 2020." ends many lines. */
const hangingItem = /^ *(?:([*+-])|\d\.) +/

export const isListItem = (line: string): boolean => bullet.test(line) || ordinal.test(line)

/** Puts the blank line that a list may lack before it, and between lists of different kinds. */
export const separateLists = (text: string): string => {
  if (!/[*+-] |\d\. /.test(text)) return text
  const lines = text.split('\n')
  const hung: string[] = []
  let before: RegExpExecArray | null = null
  for (const [i, line] of lines.entries()) {
    const item = hangingItem.exec(line)
    const changes = before === null || (before[1] === undefined) !== (item?.[1] === undefined)
    if (i > 0 && item !== null && changes && lines[i - 1] !== '') hung.push('')
    hung.push(line)
    before = item
  }
  return hung.join('\n')
}

/** Adds a chunk that begins with an item. */
export const parseListChunk = (lines: readonly string[], { into, depth }: InsertionPoint, parse: ParseLines): void => {
  const tag = bullet.test(lines[0] ?? '') ? 'ul' : 'ol'
  const items = splitItems(lines, tag === 'ul' ? bullet : ordinal)
  const last = lastElement(into)
  let list: Element
  if (last?.tag === tag) {
    // a blank line was between the two: both are loose
    list = last
    wrapLastItemText(list)
    const first = items.shift()
    if (first !== undefined) parse(first.lines, { into: addItem(list), surroundings: 'open', depth: depth + 1 })
  } else if (into.tag === 'ul' || into.tag === 'ol') {
    list = into
  } else {
    list = newElement(tag, '', startAttribute(lines[0] ?? ''))
    into.children.push(list)
  }
  for (const item of items) {
    const parent = item.is_nested ? (lastElement(list) ?? addItem(list)) : addItem(list)
    parse(item.lines, { into: parent, surroundings: 'tight', depth: depth + 1 })
  }
}

interface Item {
  /** without the marker, unless nested */
  lines: string[]
  /** further items of the item before, still indented */
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

const startAttribute = (line: string): string => {
  const start = ordinal.exec(line)?.[1]
  return start === undefined || start === '1' ? '' : ` start="${start}"`
}

const addItem = (list: Element): Element => {
  const item = newElement('li')
  list.children.push(item)
  return item
}

/** Puts the text of the last item into a paragraph. */
const wrapLastItemText = (list: Element): void => {
  const item = lastElement(list)
  if (item === undefined || item.text === '') return
  item.children.unshift(newElement('p', item.text))
  item.text = ''
}

const isList = (block: Element | undefined): block is Element => block?.tag === 'ul' || block?.tag === 'ol'

/**
 * Adds indented lines to the list item they belong to.
 * @returns false when there is no list for them
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

/** Walks down the last children, one list for every two spaces. */
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

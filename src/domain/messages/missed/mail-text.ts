/** The content of a message as plain text for mails (mail-content.ts). */
import { type HtmlElement, type HtmlNode, textOf } from '../../html/html-tree.js'

/** Writes content. @param nodes of composeMailContent */
export const writeMailText = (nodes: readonly HtmlNode[]): string => writeBlocks(nodes, new Set()).join('\n\n')

const blockTags = new Set('p h1 h2 h3 h4 h5 h6 blockquote ul ol pre table hr'.split(' '))

/** The blocks, and the text between them, each as lines. @param shown the addresses that the reader has seen already */
const writeBlocks = (nodes: readonly HtmlNode[], shown: Set<string>): string[] => {
  const blocks: string[] = []
  let line: HtmlNode[] = []
  const flush = () => {
    blocks.push(writeLine(line, shown))
    line = []
  }
  for (const node of nodes) {
    if (typeof node !== 'string' && blockTags.has(node.tag)) {
      flush()
      blocks.push(writeBlock(node, shown))
    } else {
      line.push(node)
    }
  }
  flush()
  return blocks.filter((block) => block !== '')
}

const writeBlock = (block: HtmlElement, shown: Set<string>): string => {
  const { tag, children } = block
  switch (tag) {
    case 'blockquote':
      return indent(writeBlocks(children, shown).join('\n\n'), '> ')
    case 'pre':
      return indent(textOf(children).replace(/\n$/, ''), '    ')
    case 'ul':
    case 'ol':
      return writeList(block, shown)
    case 'table':
      return findRows(block)
        .map((row) =>
          elementsOf(row)
            .map((cell) => writeLine(cell.children, shown))
            .join(' | '),
        )
        .join('\n')
    case 'hr':
      return '----'
    default:
      return writeLine(children, shown)
  }
}

const indent = (text: string, by: string): string => text.replace(/^/gm, by)

const elementsOf = ({ children }: HtmlElement): HtmlElement[] =>
  children.filter((node): node is HtmlElement => typeof node !== 'string')

const findRows = (table: HtmlElement): HtmlElement[] =>
  elementsOf(table).flatMap((part) => (part.tag === 'tr' ? part : findRows(part)))

const writeList = (list: HtmlElement, shown: Set<string>): string => {
  const first = Number(list.attributes.start ?? 1)
  return elementsOf(list)
    .map((item, i) => {
      const mark = list.tag === 'ol' ? `${first + i}. ` : '- '
      const lines = writeBlocks(item.children, shown).join('\n')
      return `${mark}${indent(lines, ' '.repeat(mark.length)).slice(mark.length)}`
    })
    .join('\n')
}

/** Text within a block. A line end in HTML is a space, and a line break is a line end. */
const writeLine = (nodes: readonly HtmlNode[], shown: Set<string>): string =>
  nodes
    .map((node) => writeInline(node, shown))
    .join('')
    .replace(/ *\n */g, '\n')
    .trim()

const writeInline = (node: HtmlNode, shown: Set<string>): string => {
  if (typeof node === 'string') return node.replace(/\s*\n\s*/g, ' ')
  const { tag, attributes, children } = node
  if (tag === 'br') return '\n'
  if (tag === 'img') return attributes.alt ?? ''
  if (tag !== 'a') return children.map((child) => writeInline(child, shown)).join('')
  return writeLink(attributes.href ?? '', children, shown)
}

/** The text of a link with its address, unless the text is the address. A picture of a link above says nothing more. */
const writeLink = (href: string, children: readonly HtmlNode[], shown: Set<string>): string => {
  const isPicture = children.every((child) => typeof child !== 'string' && child.tag === 'img')
  const isKnown = shown.has(href)
  shown.add(href)
  if (isPicture && isKnown) return ''
  const text = children.map((child) => writeInline(child, shown)).join('')
  return text === href || `mailto:${text}` === href || `http://${text}` === href ? text : `${text} (${href})`
}

/** HTML that this server wrote, as a tree: for places where it has to be shown in another form. */
import { Parser } from 'htmlparser2'

/** An element with its attributes, decoded. */
export interface HtmlElement {
  tag: string
  attributes: Readonly<Record<string, string>>
  children: HtmlNode[]
}

/** An element, or text. */
export type HtmlNode = HtmlElement | string

/** Parses HTML. What is not closed is closed at the end. */
export const parseHtml = (html: string): HtmlNode[] => {
  const root: HtmlElement = { tag: '', attributes: {}, children: [] }
  const open = [root]
  const parser = new Parser({
    onopentag(tag, attributes) {
      const element = { tag, attributes, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    ontext(text) {
      open.at(-1)?.children.push(text)
    },
    onclosetag() {
      if (open.length > 1) open.pop()
    },
  })
  parser.end(html)
  return root.children
}

/** The text of nodes, without any markup. */
export const textOf = (nodes: readonly HtmlNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('')

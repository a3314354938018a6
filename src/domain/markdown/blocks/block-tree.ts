/** The tree of blocks that block-parser.ts builds and html-writer.ts writes. */
import { type Attributes, plain, type Tag } from '../../html/html.js'

export type Block = Element | CodeBlock | FormulaBlock | SpoilerBlock

/** A block with an HTML tag: its own text, not yet rendered, then its children. */
export interface Element {
  readonly kind: 'element'
  readonly tag: Tag | 'hr'
  readonly attributes: Attributes
  text: string
  readonly children: Block[]
  /** in a table cell: no space is between the pipe and the text, so only a wildcard mention can begin there */
  readonly touches_pipe?: boolean
}

export interface CodeBlock {
  readonly kind: 'code'
  text: string
  /** as typed after the fence */
  readonly language: string
  readonly is_indented: boolean
}

/** The content of a math fence. */
export interface FormulaBlock {
  readonly kind: 'formulas'
  readonly tex: string
}

export interface SpoilerBlock {
  readonly kind: 'spoiler'
  readonly header: Block[]
  readonly content: Block[]
}

/** An element without children. @param text the source of its inline content */
export const createElement = (tag: Element['tag'], text = '', attributes = plain): Element => ({
  kind: 'element',
  tag,
  attributes,
  text,
  children: [],
})

/** The element to which the parser adds blocks. */
export interface InsertionPoint {
  readonly into: Element
  /**
   * tight: in a list item whose text needs no paragraph; detabbed: the indentation of the list is already removed;
   * open: anywhere else
   */
  readonly surroundings: 'open' | 'tight' | 'detabbed'
  readonly depth: number
}

/** Parses lines, none of them blank, and adds their blocks at the insertion point. */
export type ParseLines = (lines: readonly string[], insertion: InsertionPoint) => void

/** Returns the last child if it is an element. */
export const lastElement = ({ children }: Element): Element | undefined => {
  const last = children.at(-1)
  return last?.kind === 'element' ? last : undefined
}

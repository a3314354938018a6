/** The blocks of a message, as the parser leaves them and the writer takes them. */

export type Block = Element | CodeBlock | FormulaBlock | SpoilerBlock

/** A block with a tag: its own text, still to be rendered inline, then its children. */
export interface Element {
  readonly kind: 'element'
  readonly tag: string
  /** as in HTML, with the space before it */
  readonly attributes: string
  text: string
  readonly children: Block[]
}

export interface CodeBlock {
  readonly kind: 'code'
  text: string
  /** as typed after the fence */
  readonly language: string
  readonly is_indented: boolean
}

/** A math fence. */
export interface FormulaBlock {
  readonly kind: 'formulas'
  readonly tex: string
}

export interface SpoilerBlock {
  readonly kind: 'spoiler'
  readonly header: Block[]
  readonly content: Block[]
}

export const newElement = (tag: string, text = '', attributes = ''): Element => ({
  kind: 'element',
  tag,
  attributes,
  text,
  children: [],
})

/** Where blocks are added. */
export interface InsertionPoint {
  readonly into: Element
  /** tight: in a list item whose text needs no paragraph; detabbed: list indentation is taken off already */
  readonly surroundings: 'open' | 'tight' | 'detabbed'
  readonly depth: number
}

/** Parses lines without a blank one among them. */
export type ParseLines = (lines: readonly string[], place: InsertionPoint) => void

/** The last child, when it is an element. */
export const lastElement = ({ children }: Element): Element | undefined => {
  const last = children.at(-1)
  return last?.kind === 'element' ? last : undefined
}

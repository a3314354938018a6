/**
 * Reads the text of XML and HTML, piece by piece.
 *
 * The parser expands no entity that a document declares, opens no file and calls no address: a declaration of a
 * document type is skipped as a whole.
 */
import { Parser } from 'htmlparser2'
import type { TextCollector } from './text-collector.js'

/** Elements inside each other. A parser keeps the names of all that are open: a document with more is not read on. */
const MAX_DEPTH = 1_000

/** Which text of a document is its text, by the local names of elements: `t` for `<w:t>`. */
export interface MarkupRules {
  /** only the text in these elements; undefined: all text */
  textIn?: readonly string[]
  /** elements without text of the document */
  skipped?: readonly string[]
  /** a word ends where these elements begin or end */
  breaks: readonly string[]
  /** the attribute of an element that is text: the name of a sheet */
  attribute?: { element: string; name: string }
  /** elements with this value of an attribute have no text of the document; such an element contains no other one */
  skippedIf?: { element: string; attribute: string; value: string }
}

/** A reader of one document, which adds its text to a collector. */
export interface MarkupReader {
  /** @returns whether more can be read */
  write(piece: string): boolean
  end(): void
}

/** Opens a reader. */
export const openMarkupReader = (
  { textIn, skipped = [], breaks, attribute, skippedIf }: MarkupRules,
  collector: TextCollector,
  form: 'xml' | 'html' = 'xml',
): MarkupReader => {
  /** How many open elements have text, and how many are skipped. */
  let inText = 0
  let inSkipped = 0
  let isSkippedByValue = false
  let depth = 0
  const isBreak = (name: string) => breaks.includes(name)
  const parser = new Parser(
    {
      onopentag(input, attributes) {
        depth += 1
        if (depth > MAX_DEPTH) parser.pause()
        const name = localName(input)
        if (textIn?.includes(name)) inText += 1
        if (skipped.includes(name)) inSkipped += 1
        if (isBreak(name)) collector.add('\n')
        if (skippedIf?.element === name) isSkippedByValue = attributes[skippedIf.attribute] === skippedIf.value
        if (attribute?.element === name) collector.add(`${attributes[attribute.name] ?? ''}\n`)
      },
      ontext(text) {
        if (inSkipped === 0 && !isSkippedByValue && (textIn === undefined || inText > 0)) collector.add(text)
      },
      onclosetag(input) {
        depth -= 1
        const name = localName(input)
        if (textIn?.includes(name)) inText -= 1
        if (skipped.includes(name)) inSkipped -= 1
        if (skippedIf?.element === name) isSkippedByValue = false
        if (isBreak(name)) collector.add('\n')
      },
    },
    { xmlMode: form === 'xml', decodeEntities: true },
  )
  return {
    write(piece) {
      if (depth <= MAX_DEPTH) parser.write(piece)
      return depth <= MAX_DEPTH && !collector.isFull()
    },
    end() {
      if (depth <= MAX_DEPTH) parser.end()
    },
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

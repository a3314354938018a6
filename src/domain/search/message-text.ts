/** The text of a message that a search sees: its topic, and after it what readers see of its content. */
import { type HtmlText, readHtmlText } from '../html/html-text.js'
import { type FormIndex, findHits, indexForms, matchesQuery, type Range } from './match.js'
import type { SearchQuery } from './query.js'
import { tokenize } from './tokenize.js'

/** What a search reads of a message. */
export interface SearchedMessage {
  topic: string
  rendered_content: string
}

/** A longer text of HTML than a message can have is of formulas, which write each sign several times. */
const MAX_TEXT = 60_000

const readMessage = ({ topic, rendered_content }: SearchedMessage): HtmlText & { forms: FormIndex; from: number } => {
  const { text, pieces } = readHtmlText(rendered_content)
  const from = topic.length + 1
  const forms = indexForms(tokenize(`${topic}\n${text.slice(0, MAX_TEXT)}`, from))
  return { text, pieces, forms, from }
}

/** Returns the forms of the words of a message with their places. The index has the same forms and places. */
export const messageForms = (message: SearchedMessage): FormIndex => readMessage(message).forms

/** Whether a message matches a query: as the index decides. */
export const matchesMessage = (message: SearchedMessage, query: SearchQuery): boolean =>
  matchesQuery(messageForms(message), query)

/** The hits in a message. */
export interface MessageHits extends HtmlText {
  topic: Range[]
  content: Range[]
}

/** Finds the hits of a query in the topic and in the text of the content. */
export const findMessageHits = (message: SearchedMessage, query: SearchQuery): MessageHits => {
  const { text, pieces, forms, from } = readMessage(message)
  const hits = findHits(forms, query)
  return {
    text,
    pieces,
    topic: hits.filter(({ start }) => start < from),
    content: hits
      .filter(({ start }) => start >= from)
      .map(({ start, end }) => ({ start: start - from, end: end - from })),
  }
}

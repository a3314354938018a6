/** The words of a message and the terms of a query as values of Postgres, which its full-text functions compare. */
import { type FormIndex, MAX_POSITIONS } from './match.js'
import type { SearchQuery, SearchTerm, Step } from './query.js'

/** Writes a lexeme: what its text contains has no meaning for Postgres. */
export const quoteLexeme = (text: string): string => `'${text.replace(/['\\]/g, '$&$&')}'`

/**
 * Composes the value of the type tsvector for a message.
 * @param prefix begins each form: the realm
 * @param words words without a place
 */
export const composeVector = (prefix: string, forms: FormIndex, words: readonly string[]): string => {
  const lexemes = words.map(quoteLexeme)
  for (const [form, occurrences] of forms) {
    const positions = new Set(occurrences.slice(0, MAX_POSITIONS).map(({ position }) => position))
    lexemes.push(`${quoteLexeme(prefix + form)}:${[...positions].join()}`)
  }
  return lexemes.join(' ')
}

/** Composes the value of the type tsquery for terms. @param prefix as above */
export const composeQuery = (prefix: string, terms: readonly SearchTerm[]): string =>
  terms.map((term) => `(${composeTerm(prefix, term)})`).join(' & ')

const composeTerm = (prefix: string, { sequences }: SearchTerm): string =>
  sequences.map((sequence) => composeSequence(prefix, sequence)).join(' | ')

const composeSequence = (prefix: string, sequence: readonly Step[]): string => {
  let composed = ''
  for (const [i, step] of sequence.entries()) {
    const before = sequence[i - 1]
    composed += before === undefined ? '' : ` <${step.offset - before.offset}> `
    composed += composeStep(prefix, step)
  }
  return sequence.length === 1 ? composed : `(${composed})`
}

const composeStep = (prefix: string, { forms, prefix: beginning, endings }: Step): string => {
  const compose = (some: readonly string[]) => some.map((form) => quoteLexeme(prefix + form))
  const alternatives = compose(forms.filter((form) => form !== beginning))
  if (beginning !== undefined) alternatives.push(`${quoteLexeme(prefix + beginning)}:*`)
  if (endings !== undefined)
    alternatives.push(`((${compose(endings.forms).join(' | ')}) & ${quoteLexeme(prefix + endings.beginning)}:*)`)
  return alternatives.length === 1 ? (alternatives[0] as string) : `(${alternatives.join(' | ')})`
}

/** Many words begin with fewer letters than these and the sign of a plain form. */
const MIN_NARROW = 6

const isNarrow = (beginning: string | undefined): boolean => beginning === undefined || beginning.length >= MIN_NARROW

/** Returns the terms of a query that name few words. The other terms name all words that begin with a few letters. */
export const narrowTerms = ({ terms }: SearchQuery): SearchTerm[] =>
  terms.filter(({ sequences }) =>
    sequences.every((steps) => steps.every(({ prefix, endings }) => isNarrow(prefix) && isNarrow(endings?.beginning))),
  )

/** Matches texts with a query as the index does, and finds where the hits are. */
import type { SearchQuery, SearchTerm, Step } from './query.js'
import type { Form, Token } from './tokenize.js'

/**
 * Limits of the positions in the index. Later positions count as the last one, and a form has at most so many
 * positions.
 */
export const MAX_POSITION = 16_383
export const MAX_POSITIONS = 255

/** A part of a text. */
export interface Range {
  start: number
  end: number
}

/** Where a form is. */
interface Occurrence extends Form {
  position: number
  token: Token
}

/** The forms of a text, with the places of each. */
export type FormIndex = ReadonlyMap<string, readonly Occurrence[]>

/** Lists the places of each form. */
export const indexForms = (tokens: readonly Token[]): FormIndex => {
  const index = new Map<string, Occurrence[]>()
  for (const token of tokens)
    for (const form of token.forms) {
      const occurrences = index.get(form.form)
      const occurrence = { ...form, position: Math.min(token.position + 1, MAX_POSITION), token }
      if (occurrences === undefined) index.set(form.form, [occurrence])
      else if (occurrences.length < MAX_POSITIONS) occurrences.push(occurrence)
    }
  return index
}

/** Whether a text has all terms of a query. */
export const matchesQuery = (index: FormIndex, { terms }: SearchQuery): boolean =>
  terms.length > 0 && terms.every((term) => findTerm(index, term).length > 0)

/** Finds the hits of the terms in a text: in order, and none overlaps another one. */
export const findHits = (index: FormIndex, { terms }: SearchQuery): Range[] => {
  const hits = terms.flatMap((term) => findTerm(index, term)).sort((a, b) => a.start - b.start || b.end - a.end)
  const joined: Range[] = []
  for (const { start, end } of hits) {
    const last = joined.at(-1)
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}

const findTerm = (index: FormIndex, { sequences }: SearchTerm): Range[] =>
  sequences.flatMap((sequence) => findSequence(index, sequence))

const findSequence = (index: FormIndex, [first, ...rest]: readonly Step[]): Range[] => {
  if (first === undefined) return []
  let hits = findStep(index, first).map(({ position, start, end }) => ({ position, start, end }))
  for (const step of rest) {
    if (hits.length === 0) return []
    const nextByStart = new Map(
      findStep(index, step).map((occurrence) => [occurrence.position - step.offset, occurrence]),
    )
    hits = hits.flatMap((hit) => {
      const next = nextByStart.get(hit.position - first.offset)
      return next === undefined ? [] : [{ ...hit, end: Math.max(hit.end, next.end) }]
    })
  }
  return hits
}

const findStep = (index: FormIndex, { forms, prefix, endings }: Step): Occurrence[] => {
  const found = findForms(index, forms)
  if (prefix !== undefined) found.push(...findBeginnings(index, prefix))
  if (endings !== undefined) {
    const places = new Set(findBeginnings(index, endings.beginning).map(({ position }) => position))
    found.push(...findForms(index, endings.forms).filter(({ position }) => places.has(position)))
  }
  return found
}

const findForms = (index: FormIndex, forms: readonly string[]): Occurrence[] =>
  forms.flatMap((form) => index.get(form) ?? [])

const findBeginnings = (index: FormIndex, prefix: string): Occurrence[] => {
  const found: Occurrence[] = []
  for (const [form, occurrences] of index) {
    if (!form.startsWith(prefix)) continue
    // Of a pair of letters, only the first one is asked for.
    found.push(
      ...occurrences.map((occurrence) =>
        occurrence.token.isLetter ? { ...occurrence, end: occurrence.token.end } : occurrence,
      ),
    )
  }
  return found
}

/**
 * Finds searches that the user may have meant, when a search finds little: with known words in the place of typed ones.
 *
 * 1. A correction is returned only if the caller's own search finds a message with exactly this word, and it is spelled
 *    as in that message. So no word of a message that the caller cannot read is suggested, also if others have it.
 * 2. Whether the organization knows a typed word makes no difference.
 */

import { termOperator } from '#rules/narrow.js'
import { NEWEST } from '../../../domain/messages/narrow/anchors.js'
import type { Term } from '../../../domain/messages/narrow/narrow.js'
import {
  canBeExact,
  findSpelling,
  findTypedWords,
  planAttempts,
  type ReplacedWord,
  replaceWords,
} from '../../../domain/search/corrections.js'
import { foldWord } from '../../../domain/search/folding.js'
import { rankNeighbours } from '../../../domain/search/spelling.js'
import type { ReadContext } from '../narrow/conditions.js'
import { loadNeighbours } from '../narrow/known-words.js'
import { loadReadableMessages } from '../narrow/load-messages.js'
import { selectPageIds } from '../narrow/select-page-ids.js'
import { resolveFetchNarrow } from './find-page.js'

/** A narrow that finds messages, and the words that are other than typed. */
export interface Correction {
  words: ReplacedWord[]
  narrow: Term[]
}

const MAX_CORRECTIONS = 3

/** Finds corrections of the words that a narrow searches for. Throws BAD_NARROW. */
export const findCorrections = async (context: ReadContext, terms: readonly Term[]): Promise<Correction[]> => {
  await resolveFetchNarrow(context, terms)
  const texts = terms.flatMap((term) => (isSearch(term) ? [String(term.operand)] : []))
  const typed = [...new Set(texts.flatMap((text) => findTypedWords(text).map(({ word }) => word)))]
  if (typed.length === 0) return []
  const known = await loadNeighbours(context.sql, context.state.realm.id, typed)
  const found: Correction[] = []
  for (const attempt of planAttempts(typed, (word) => rankNeighbours(word, known.get(word) ?? []))) {
    const words = await spellAsFound(context, terms, attempt)
    const isNew = words !== undefined && !found.some((other) => JSON.stringify(other.words) === JSON.stringify(words))
    if (words !== undefined && isNew) found.push({ words, narrow: replaceInTerms(terms, words, false) })
    if (found.length === MAX_CORRECTIONS) break
  }
  return found
}

const isSearch = (term: Term): boolean => termOperator(term) === 'search' && !term.negated

const replaceInTerms = (terms: readonly Term[], words: readonly ReplacedWord[], isExact: boolean): Term[] =>
  terms.map((term) =>
    isSearch(term) ? { ...term, operand: replaceWords(String(term.operand), words, isExact) } : { ...term },
  )

/** The words as the newest message spells them that the caller finds with them (1); undefined: there is none. */
const spellAsFound = async (
  context: ReadContext,
  terms: readonly Term[],
  attempt: readonly ReplacedWord[],
): Promise<ReplacedWord[] | undefined> => {
  const narrow = await resolveFetchNarrow(context, replaceInTerms(terms, attempt, true))
  const ids = await selectPageIds({ ...context, narrow }, { below: NEWEST, limit: 1 })
  const [message] = await loadReadableMessages(context, ids)
  if (message === undefined) return undefined
  const text = `${message.topic} ${message.content}`
  // The word may be in a file to which the message links.
  const isExact = terms.every((term) => !isSearch(term) || canBeExact(String(term.operand), attempt))
  const spelled = attempt.flatMap(({ typed, meant }) => {
    const spelling = findSpelling(text, meant) ?? (isExact ? foldWord(meant) : undefined)
    return spelling === undefined ? [] : [{ typed, meant: spelling }]
  })
  return spelled.length === attempt.length ? spelled : undefined
}

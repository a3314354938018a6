/** Changes of a user's list of alert words, which are compared without case. Source: protocol/endpoints.md 3.3. */
import { accountLimits, hasTooMany } from '../../limits/counts.js'
import type { NewEntry } from '../../log/entry.js'
import { composeInsert, composeUpdate } from '../../log/row-changes.js'
import type { RealmState } from '../../log/state.js'
import { alertWordsChanged } from './personal-list-entries.js'

/** The list with more words, each once. Throws BAD_REQUEST for too many. */
export const addWords = (words: readonly string[], input: readonly string[]): string[] => {
  const known = new Set(words.map(foldCase))
  const all = [...words]
  for (const word of trimWords(input)) {
    if (known.has(foldCase(word))) continue
    known.add(foldCase(word))
    all.push(word)
  }
  if (all.length > accountLimits.alert_words.most) throw hasTooMany(accountLimits.alert_words)
  return all
}

/** The list without these words. */
export const removeWords = (words: readonly string[], input: readonly string[]): string[] => {
  const removed = new Set(trimWords(input).map(foldCase))
  return words.filter((word) => !removed.has(foldCase(word)))
}

const trimWords = (input: readonly string[]): string[] => input.map((word) => word.trim()).filter((word) => word !== '')

const foldCase = (word: string) => word.toLowerCase()

/** The entry that replaces a user's list. There is none when the list has as many words as before. */
export const setAlertWords = (state: RealmState, user_id: number, words: string[]): NewEntry[] => {
  const row = state.alertWords.get(user_id)
  // Words are only added, or only removed: a list of the same length is the same list.
  if (words.length === (row?.words.length ?? 0)) return []
  const changed =
    row === undefined ? composeInsert('alert_words', { user_id, words }) : composeUpdate('alert_words', row, { words })
  return [alertWordsChanged({ user_id, alert_words: words }, changed && [changed])]
}

/** Alert words: words of which a user wants to be notified. Source: protocol/endpoints.md 3.3. */
import { z } from 'zod'
import { accountHasTooMany, accountLimits } from '../../../domain/limits/counts.js'
import { composeInsert, composeUpdate } from '../../../domain/log/row-changes.js'
import { alertWordsChanged } from '../../../domain/users/personal/personal-list-entries.js'
import { commitEntries } from '../../../store/log/change.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { json, text } from '../../call/params.js'

const path = '/users/me/alert_words'
const response = z.object({ alert_words: z.array(z.string()) })
const params = { alert_words: json(z.array(text({ max: 100 }))) }

export const getAlertWords = endpoint({
  method: 'GET',
  path,
  summary: 'Lists the caller’s alert words.',
  access: 'account',
  params: {},
  response,
  handle: ({ state, caller }) => ({ alert_words: state.alertWords.get(caller.id)?.words ?? [] }),
})

export const addAlertWords = endpoint({
  method: 'POST',
  path,
  summary: 'Adds alert words. A word that the caller has in another case is not added.',
  access: 'account',
  params,
  response,
  changesStructure: true,
  handle: (call) =>
    changeWords(call, (words, given) => {
      const known = new Set(words.map(foldCase))
      const all = [...words]
      for (const word of given) {
        if (known.has(foldCase(word))) continue
        known.add(foldCase(word))
        all.push(word)
      }
      if (all.length > accountLimits.alert_words.most) throw accountHasTooMany(accountLimits.alert_words)
      return all
    }),
})

export const removeAlertWords = endpoint({
  method: 'DELETE',
  path,
  summary: 'Removes alert words, compared without case.',
  access: 'account',
  params,
  response,
  changesStructure: true,
  handle: (call) =>
    changeWords(call, (words, given) => {
      const removed = new Set(given.map(foldCase))
      return words.filter((word) => !removed.has(foldCase(word)))
    }),
})

const foldCase = (word: string) => word.toLowerCase()

/**
 * Replaces the caller's list by the result of `change`.
 * @param change gets the current words and those of the request
 */
const changeWords = async (
  call: Call<typeof params>,
  change: (words: readonly string[], given: readonly string[]) => string[],
): Promise<{ alert_words: string[] }> => {
  const { state, caller, write } = call
  const given = call.params.alert_words.map((word) => word.trim()).filter((word) => word !== '')
  const row = state.alertWords.get(caller.id)
  const words = change(row?.words ?? [], given)
  if (words.length === (row?.words.length ?? 0)) return { alert_words: words }
  const changed =
    row === undefined
      ? composeInsert('alert_words', { user_id: caller.id, words })
      : composeUpdate('alert_words', row, { words })
  const entries = [alertWordsChanged({ user_id: caller.id, alert_words: words }, changed && [changed])]
  await commitEntries(write, entries)
  return { alert_words: words }
}

/** Alert words: words of which a user wants to be notified. Source: protocol/endpoints.md 3.3. */
import { z } from 'zod'
import { addWords, removeWords, setAlertWords } from '../../../domain/users/personal/alert-words.js'
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
  callers: 'account',
  params: {},
  response,
  handle: ({ state, caller }) => ({ alert_words: state.alertWords.get(caller.id)?.words ?? [] }),
})

export const addAlertWords = endpoint({
  method: 'POST',
  path,
  summary: 'Adds alert words. A word that the caller has in another case is not added.',
  callers: 'account',
  keyScope: 'write',
  params,
  example: { alert_words: ['logo'] },
  response,
  changesStructure: true,
  handle: (call) => commitWords(call, addWords),
})

export const removeAlertWords = endpoint({
  method: 'DELETE',
  path,
  summary: 'Removes alert words, compared without case.',
  callers: 'account',
  keyScope: 'write',
  params,
  example: { alert_words: ['{alert_word}'] },
  response,
  changesStructure: true,
  handle: (call) => commitWords(call, removeWords),
})

/** Replaces the caller's list by the result of `change`. */
const commitWords = async (call: Call<typeof params>, change: typeof addWords) => {
  const { state, caller, write, params: input } = call
  const words = state.alertWords.get(caller.id)?.words ?? []
  const alert_words = change(words, input.alert_words)
  const entries = setAlertWords(state, caller.id, alert_words)
  return write.answering(
    () => ({ alert_words }),
    async (keyed) => {
      if (entries.length > 0) await commitEntries(keyed, entries)
    },
  )
}

/** Which of some messages are in a narrow. Source: the API document, endpoint 8; endpoints.md 1.8. */
import { z } from 'zod'
import { replaceEmptyTopicName, resolveNarrow, searchText } from '../../../domain/messages/narrow/narrow.js'
import { errors } from '../../../domain/protocol/errors.js'
import { checkMessagesFit } from '../../../store/messages/fetching/page-sizes.js'
import { highlightMatches } from '../../../store/messages/fetching/search-highlights.js'
import { loadMessages } from '../../../store/messages/narrow/load-messages.js'
import { selectPageIds } from '../../../store/messages/narrow/select-page-ids.js'
import { endpoint } from '../../http/endpoint.js'
import { json } from '../../http/params.js'
import { narrowParam } from './messages.js'

export const getMatchesNarrow = endpoint({
  method: 'GET',
  path: '/messages/matches_narrow',
  summary: 'Tells which of some messages that the caller received are in a narrow.',
  access: 'account',
  params: { msg_ids: json(z.array(z.int())), narrow: narrowParam() },
  response: z.object({
    messages: z.record(z.string(), z.object({ match_content: z.string(), match_subject: z.string() })),
  }),
  errors: [errors.badNarrow],
  async handle({ app, caller, state, params: { msg_ids, narrow } }) {
    const { sql } = app.store
    const reading = { sql, state, reader: caller.user }
    const understood = resolveNarrow(state, caller.user, replaceEmptyTopicName(narrow))
    const query = { ...reading, narrow: { ...understood, includesHistory: false }, ids: msg_ids }
    const ids = await selectPageIds(query, { from: 0, limit: msg_ids.length })
    await checkMessagesFit(reading, ids)
    const rows = await loadMessages(reading, ids)
    const matches = await highlightMatches(sql, searchText(understood), rows)
    return { messages: Object.fromEntries(rows.map(({ id }, i) => [id, matches[i] as (typeof matches)[number]])) }
  },
})

/**
 * Tells which of the given messages match a narrow. Source: the API document, endpoint 8; protocol/endpoints.md 1.8.
 */
import { z } from 'zod'
import { replaceEmptyTopicName } from '#rules/narrow.js'
import { messageObject } from '../../../domain/messages/message.js'
import { resolveNarrow, searchedQuery } from '../../../domain/messages/narrow/narrow.js'
import { errors } from '../../../domain/protocol/errors.js'
import { loadFittingMessages } from '../../../store/messages/fetching/load-page.js'
import { loadHighlights } from '../../../store/messages/fetching/search-highlights.js'
import { selectPageIds } from '../../../store/messages/narrow/select-page-ids.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { endpoint } from '../../call/endpoint.js'
import { json } from '../../call/params.js'
import { isHeavyQuery } from './heavy-query.js'
import { narrowParam } from './messages.js'

export const getMatchesNarrow = endpoint({
  method: 'GET',
  path: '/messages/matches_narrow',
  summary: 'Tells which of the given messages, if the caller received them, match a narrow.',
  callers: 'account',
  params: { msg_ids: json(z.array(z.int())), narrow: narrowParam() },
  example: {
    msg_ids: ['{message_id}'],
    narrow: [
      { operator: 'channel', operand: '{stream}' },
      { operator: 'topic', operand: 'logo' },
    ],
  },
  response: z.object({
    messages: z.record(
      z.string(),
      z.object({
        match_content: z.string(),
        match_subject: z.string(),
        match_files: messageObject.shape.match_files,
      }),
    ),
  }),
  errors: [errors.badNarrow],
  isHeavy: ({ msg_ids, narrow }) => isHeavyQuery(msg_ids.length, narrow),
  async handle({ app, caller, realm, state, params: { msg_ids, narrow } }) {
    const isKnown = await loadAccessCheck(app.store.sql, state, caller.user)
    const resolved = resolveNarrow(state, caller.user, replaceEmptyTopicName(narrow), isKnown)
    return app.store.standbys.run(realm, async (sql) => {
      const context = { sql, state, reader: caller.user }
      const query = { ...context, narrow: { ...resolved, includesHistory: false }, ids: msg_ids }
      const ids = await selectPageIds(query, { from: 0, limit: msg_ids.length })
      const { rows } = await loadFittingMessages(context, ids)
      const matches = await loadHighlights(context, searchedQuery(resolved), rows)
      return { messages: Object.fromEntries(rows.map(({ id }, i) => [id, matches[i] as (typeof matches)[number]])) }
    })
  },
})

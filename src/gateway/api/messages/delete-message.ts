/** Deletes a message. Source: protocol/messages.md 4.6; protocol/permissions.md 8.7. */
import { z } from 'zod'
import { checkDeletion } from '../../../domain/messages/editing/deleting.js'
import { deleteMessage as remove } from '../../../store/messages/editing/delete-messages.js'
import { requireChangeableMessage } from '../../../store/messages/narrow/load-messages.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath } from '../../call/params.js'

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/messages/{message_id}',
  summary: 'Deletes a message.',
  callers: 'account',
  condition: 'The caller needs `can_delete_any_message_group`, or for an own message `can_delete_own_message_group`.',
  params: { message_id: idInPath() },
  response: z.object({}),
  async handle({ app, caller: { user }, state, write, params }) {
    const { sql } = app.store
    const message = await requireChangeableMessage({ sql, state, reader: user }, params.message_id)
    checkDeletion(state, user, message)
    await remove(write, user, message)
    return {}
  },
})

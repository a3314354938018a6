/**
 * Changes a message after it was sent: its text, its topic, its channel.
 *
 * Source: protocol/messages.md 4; protocol/endpoints.md 3.1.
 */
import { z } from 'zod'
import { realmUrl } from '../../../config/hosts.js'
import { attachmentObject } from '../../../domain/files/attachment-entries.js'
import { propagateModes } from '../../../domain/messages/editing/editing.js'
import { topicAlias } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { editMessage as edit } from '../../../store/messages/editing/edit-message.js'
import { requireChangeableMessage } from '../../../store/messages/narrow/load-messages.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, idInPath, int, oneOf, str } from '../../call/params.js'

export const editMessage = endpoint({
  method: 'PATCH',
  path: '/messages/{message_id}',
  summary: 'Changes the text of a message, or moves it, alone or with other messages of its topic.',
  callers: 'account',
  condition: 'Only the sender changes the text. To move the message, the caller needs a permission for that.',
  params: {
    message_id: idInPath(),
    content: str().allowNul().optional(),
    topic: str().alias(topicAlias).allowNul().optional(),
    stream_id: int().optional(),
    propagate_mode: oneOf(...propagateModes).default('change_one'),
    send_notification_to_old_thread: bool().default(false),
    send_notification_to_new_thread: bool().default(true),
    prev_content_sha256: str().optional().describe('SHA-256 of the text that the edit replaces, in lower-case hex'),
  },
  example: { content: 'The **third** draft', topic: 'new logo', propagate_mode: 'change_all' },
  response: z.object({
    detached_uploads: z.array(attachmentObject).describe("the caller's files to which no message links any more"),
  }),
  errors: [errors.contentMismatch, errors.moveTimeLimitExceeded],
  async handle({ app, caller: { user }, state, write, params }) {
    const { sql } = app.store
    const message = await requireChangeableMessage({ sql, state, reader: user }, params.message_id)
    const request = {
      ...params,
      editor: user,
      message,
      realm_url: realmUrl(state.realm.string_id, app.config),
      notify: {
        old_thread: params.send_notification_to_old_thread,
        new_thread: params.send_notification_to_new_thread,
      },
    }
    const composeAnswer = (detached_uploads: Awaited<ReturnType<typeof edit>>) => ({ detached_uploads })
    return write.answering(composeAnswer, (keyed) => edit(keyed, request))
  },
})

/** Permission to delete a message that the user can read. Source: messages.md 4.6, permissions.md 8.7. */

import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { mayInRealm, secondsNow } from '../../permissions/permissions.js'
import { errors } from '../../protocol/errors.js'

/** Throws BAD_REQUEST unless the user may delete the message. A bot's owner may delete like the bot. */
export const checkDeletion = (
  state: RealmState,
  user: UserRow,
  message: { sender_id: number; timestamp: number },
  now = secondsNow(),
): void => {
  if (mayInRealm(state, user, 'can_delete_any_message_group')) return
  const sender = state.users.get(message.sender_id)
  const isOwn = message.sender_id === user.id || (sender?.is_bot === true && sender.bot_owner_id === user.id)
  if (!isOwn || !mayInRealm(state, user, 'can_delete_own_message_group')) {
    throw errors.badRequest('You may not delete this message.')
  }
  const limit = state.settings.message_content_delete_limit_seconds
  if (limit !== null && now - message.timestamp > limit) {
    throw errors.badRequest('This message is too old to be deleted by you.')
  }
}

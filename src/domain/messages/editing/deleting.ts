/**
 * Permission to delete a message that the user can read: by a setting of the organization, or of the message's channel.
 *
 * Source: messages.md 4.6, permissions.md 8.7.
 */

import { mayInChannel, mayInRealm } from '#rules/permissions.js'
import { secondsNow } from '#rules/time.js'
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { errors } from '../../protocol/errors.js'

/** Throws BAD_REQUEST unless the user may delete the message. A bot's owner may delete like the bot. */
export const checkDeletion = (
  state: RealmState,
  user: UserRow,
  message: { sender_id: number; timestamp: number; channel_id: number | null },
  now = secondsNow(),
): void => {
  const channel = message.channel_id === null ? undefined : state.channels.get(message.channel_id)
  const isPermitted = (setting: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    mayInRealm(state, user, setting) || (channel !== undefined && mayInChannel(state, user, channel, setting))
  if (isPermitted('can_delete_any_message_group')) return
  const sender = state.users.get(message.sender_id)
  const isOwn = message.sender_id === user.id || (sender?.is_bot === true && sender.bot_owner_id === user.id)
  if (!isOwn || !isPermitted('can_delete_own_message_group')) {
    throw errors.badRequest('You may not delete this message.')
  }
  const limit = state.settings.message_content_delete_limit_seconds
  if (limit !== null && now - message.timestamp > limit) {
    throw errors.badRequest('This message is too old to be deleted by you.')
  }
}

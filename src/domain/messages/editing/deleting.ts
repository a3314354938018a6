/**
 * Permission to delete a message that the user can read: by a setting of the organization, or of the message's channel.
 *
 * Source: protocol/messages.md 4.6, protocol/permissions.md 8.7.
 */
import { deletionRefusal } from '#rules/message-rights.js'
import { secondsNow } from '#rules/time.js'
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { errors } from '../../protocol/errors.js'

/** Throws BAD_REQUEST unless the user may delete the message. */
export const checkDeletion = (
  state: RealmState,
  user: UserRow,
  message: { sender_id: number; timestamp: number; channel_id: number | null },
  now = secondsNow(),
): void => {
  const channel = message.channel_id === null ? undefined : state.channels.get(message.channel_id)
  const refusal = deletionRefusal(state, user, message, channel, now)
  if (refusal === 'not-permitted') throw errors.badRequest('You may not delete this message.')
  if (refusal === 'too-old') throw errors.badRequest('This message is too old to be deleted by you.')
}

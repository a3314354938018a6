/**
 * The audience of typing notifications. Source: protocol/endpoints.md 2.4 and 3.1, protocol/events.md 3.1.
 */

import { limits } from '../limits/limits.js'
import type { Audience } from '../log/entry.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { getSetting } from '../settings/user-settings.js'
import type { TypingOp } from './typing-entries.js'

/** The `op` of a typing notification. Throws BAD_REQUEST. */
export const parseTypingOp = (op: string): TypingOp => {
  if (op !== 'start' && op !== 'stop') throw errors.badRequest('op must be start or stop.')
  return op
}

/** Checks that the sender's settings allow such typing notifications. Throws BAD_REQUEST when they turn them off. */
export const checkTypingSetting = (sender: UserRow, inChannel: boolean): void => {
  if (getSetting(sender, inChannel ? 'send_stream_typing_notifications' : 'send_private_typing_notifications')) return
  throw errors.badRequest(
    inChannel
      ? 'Your settings turn off typing notifications for channel messages.'
      : 'Your settings turn off typing notifications for direct messages.',
  )
}

/**
 * Finds the subscribers who receive typing notifications. In a channel with too many subscribers, no user receives
 * them.
 */
export const channelTypingAudience = (state: RealmState, channel_id: number): Audience => {
  const subscribers = [...state.subscribers(channel_id)]
  if (subscribers.length > limits.max_typing_channel_subscribers) return {}
  return { users: filterTypingRecipients(state, subscribers) }
}

/** The ids of active users who receive typing notifications. */
export const filterTypingRecipients = (state: RealmState, ids: readonly number[]): number[] =>
  ids.filter((id) => {
    const user = state.users.get(id)
    return user?.is_active === true && getSetting(user, 'receives_typing_notifications')
  })

/** The sender and the users with these ids, by id. Throws BAD_REQUEST for a user whom the sender cannot write to. */
export const requireParticipants = (
  state: RealmState,
  sender: UserRow,
  ids: readonly number[],
  isKnown: (user: UserRow) => boolean,
): UserRow[] =>
  [...new Set([...ids, sender.id])]
    .sort((a, b) => a - b)
    .map((user_id) => {
      const user = state.users.get(user_id)
      if (user?.is_active !== true || !isKnown(user)) throw errors.invalidRecipient({ user_id })
      return user
    })

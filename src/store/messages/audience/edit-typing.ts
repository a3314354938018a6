/** Tells the recipients of a message that a user edits it. Source: protocol/endpoints.md 3.1. */
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { channelTypingAudience, filterTypingRecipients } from '../../../domain/messages/typing.js'
import { editTyping, type TypingOp } from '../../../domain/messages/typing-entries.js'
import { announce } from '../../log/ephemeral.js'
import type { Realm } from '../../log/realm.js'
import type { WriteDependencies } from '../../log/write-context.js'
import type { Sql } from '../../sql.js'
import type { ReaderRow } from '../narrow/load-messages.js'
import { messageAudience } from './message-audience.js'

/** Sends the event that a user started or stopped editing a message. */
export const announceEditTyping = async (
  { sql, bus }: Pick<WriteDependencies, 'sql' | 'bus'>,
  realm: Realm,
  user: UserRow,
  message: ReaderRow,
  op: TypingOp,
): Promise<void> => {
  const { state } = realm
  const { channel_id, topic, user_ids } = message
  const event = { op, sender_id: user.id, message_id: message.id }
  if (channel_id === null) {
    const users = filterTypingRecipients(state, user_ids ?? [])
    announce(bus, realm, editTyping({ ...event, to: { users }, recipient: { type: 'direct', user_ids: users } }))
  } else {
    const { users = [] } = channelTypingAudience(state, channel_id)
    const without = users.length === 0 ? [] : await findSubscribersWithout(sql, state, message)
    const to = { users: users.filter((user_id) => !without.includes(user_id)) }
    announce(bus, realm, editTyping({ ...event, to, recipient: { type: 'channel', channel_id, topic } }))
  }
}

/** The subscribers who do not have the message, because the history before they subscribed is protected. */
const findSubscribersWithout = async (sql: Sql, state: RealmState, message: ReaderRow): Promise<readonly number[]> => {
  const { id, channel_id, user_ids } = message
  if (channel_id === null || state.channels.get(channel_id)?.history_public_to_subscribers !== false) return []
  return (await messageAudience(sql, state, { channel_id, user_ids, message_ids: [id] })).except ?? []
}

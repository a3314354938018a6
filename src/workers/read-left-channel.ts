/**
 * Marks as read what people had not read in a channel when they left it, and tells their clients.
 *
 * People who had the same messages unread share an entry: after a purge of an announcement channel that is most.
 */
import { updateMessageFlags } from '../domain/entries/update-message-flags.js'
import { leftUnread, settleLeft } from '../store/left-channels.js'
import type { Work } from './work.js'

/** Ids per event: bounds its size to some tens of kilobytes. */
const CHUNK = 5_000

export const readLeftChannel: Work<'read_left_channel'> = async ({ writer, realm, payload }) => {
  const { channel_id, user_ids } = payload
  const unread = await leftUnread(writer.sql, realm.id, channel_id, user_ids)
  const entries = unread.flatMap(({ user_ids, message_ids }) => {
    const all = []
    for (let i = 0; i < message_ids.length; i += CHUNK) {
      const messages = message_ids.slice(i, i + CHUNK)
      const [user_id = 0] = user_ids
      const one = updateMessageFlags({ user_id, op: 'add', flag: 'read', messages, all: false })
      all.push({ ...one, audience: { users: user_ids } })
    }
    return all
  })
  return { change: { entries, statements: (tx) => settleLeft(tx, realm.id, channel_id, user_ids, unread) } }
}

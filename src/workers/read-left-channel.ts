/**
 * Marks as read what people had not read in a channel when they left it, and tells their clients.
 *
 * People who had the same messages unread share an entry: after a purge of an announcement channel that is most.
 */
import { updateMessageFlags } from '../domain/entries/update-message-flags.js'
import type { NewEntry } from '../domain/entry.js'
import type { Change } from '../store/change.js'
import { type LeftUnread, leftUnread, settleLeft } from '../store/channels/left-channels.js'
import { keepMessages } from '../store/messages/message-locks.js'
import type { Work } from './work.js'

/** Ids per event: bounds its size to some tens of kilobytes. */
const CHUNK = 5_000

export const readLeftChannel: Work<'read_left_channel'> = async ({ realm, payload }) => {
  const { channel_id, user_ids } = payload
  const change: Change<LeftUnread[]> = {
    entries: [],
    async before(tx) {
      await keepMessages(tx, realm.id)
      const unread = await leftUnread(tx, realm.id, channel_id, user_ids)
      await Promise.all(settleLeft(tx, realm.id, channel_id, user_ids, unread))
      return unread
    },
    told: (unread) => unread.flatMap(tell),
  }
  return { change: change as Change<unknown> }
}

const tell = ({ user_ids, message_ids }: LeftUnread): NewEntry[] => {
  const entries: NewEntry[] = []
  for (let i = 0; i < message_ids.length; i += CHUNK) {
    const messages = message_ids.slice(i, i + CHUNK)
    const [user_id = 0] = user_ids
    const one = updateMessageFlags({ user_id, op: 'add', flag: 'read', messages, all: false })
    entries.push({ ...one, audience: { users: user_ids } })
  }
  return entries
}

/**
 * Messages were changed or deleted, and no event names them, because none of its recipients has them.
 *
 * The entry has no audience and no event. With it, the entries of every change name all messages that it changed, for
 * processes that keep messages in memory (store/register/recent-messages.ts).
 */
import type { NewEntry } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'

export interface ChangedMessages {
  message_ids: readonly number[]
}

/** Declares the kind of these entries. */
export const messagesChanged = entry<ChangedMessages>({
  kind: 'messages_changed',
  type: 'messages_changed',
  audience: () => ({}),
})

/** The entry for those of the changed messages that no other entry names. */
export const composeChangedMessages = (
  changed: readonly number[],
  named: readonly { message_ids: readonly number[] }[],
): NewEntry[] => {
  const known = new Set(named.flatMap(({ message_ids }) => message_ids))
  const message_ids = changed.filter((id) => !known.has(id))
  return message_ids.length === 0 ? [] : [messagesChanged({ message_ids })]
}

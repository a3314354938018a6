/**
 * Flags that a message gets from its recipients' alert words and muted users.
 *
 * Both are indexed in reverse (all words in one tree, muting users by muted user), once per change of any of them. So
 * the cost of a send depends only on the number of users whose flags differ.
 */

import { derivedValue } from '../../log/derived-values.js'
import type { RealmState } from '../../log/state.js'
import { compileAlertWords } from '../../markdown/alert-words.js'
import { Flag } from '../flags.js'
import type { MentionFlags } from './mentions.js'

interface PersonalIndex {
  findAlertedUsers(content: string): number[]
  muters: ReadonlyMap<number, readonly number[]>
}

const findIndex = derivedValue<PersonalIndex>({
  name: 'personal_flags',
  tables: ['alert_words', 'user_mutes'],
  compute(state) {
    const words = new Map([...state.alertWords.values()].map((row) => [row.user_id, row.words]))
    const muters = new Map<number, number[]>()
    for (const { user_id, muted_users } of state.mutes.values()) {
      for (const { id } of muted_users) muters.set(id, [...(muters.get(id) ?? []), user_id])
    }
    return { findAlertedUsers: compileAlertWords(words), muters }
  },
})

/**
 * Adds the personal flags of the recipients. `has_alert_word` is for recipients with a matching alert word, and `read`
 * for recipients who muted the sender.
 */
export const addPersonalFlags = (
  state: RealmState,
  { sender_id, content }: { sender_id: number; content: string },
  receives: (user_id: number) => boolean,
  mentions: MentionFlags,
): MentionFlags => {
  const { findAlertedUsers, muters } = findIndex(state)
  const words = findAlertedUsers(content).filter(receives)
  const muted = (muters.get(sender_id) ?? []).filter(receives)
  if (words.length === 0 && muted.length === 0) return mentions
  const flags = new Map(mentions.flags)
  const add = (user_id: number, bits: number) => flags.set(user_id, (flags.get(user_id) ?? mentions.common) | bits)
  for (const user_id of words) add(user_id, Flag.has_alert_word)
  for (const user_id of muted) add(user_id, Flag.read)
  return { ...mentions, flags }
}

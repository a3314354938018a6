/** Arranges the members of an organization for the right column. */
import type { User } from '@parley/client/realm'
import type { PresenceWord } from '../realm/chat.js'

const ranks: Record<PresenceWord, number> = { active: 0, idle: 1, offline: 2 }
const collator = new Intl.Collator()

/** People before bots, those who are active first, then by name. `words` filters: each must begin a part of the name. */
export const arrangeMembers = (
  users: ReadonlyMap<number, User>,
  presence: ReadonlyMap<number, PresenceWord>,
  words: string,
): User[] => {
  const wanted = fold(words).split(/\s+/).filter(Boolean)
  const chosen = [...users.values()].filter(
    ({ full_name, is_active }) => is_active && wanted.every((word) => beginsWord(full_name, word)),
  )
  const rank = ({ user_id, is_bot }: User) => (is_bot ? 3 : ranks[presence.get(user_id) ?? 'offline'])
  return chosen
    .map((user) => ({ user, rank: rank(user) }))
    .sort((a, b) => a.rank - b.rank || collator.compare(a.user.full_name, b.user.full_name))
    .map(({ user }) => user)
}

const beginsWord = (name: string, word: string): boolean =>
  fold(name)
    .split(/[\s\-_.]+/)
    .some((part) => part.startsWith(word))

/** Without accents and case. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Arranges the members of an organization for the right column. */

import type { User } from '@parley/client/realm'
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'
import type { PresenceWord } from '../realm/chat.js'

/** Compares two accounts by name, for sorting. */
export const compareNames = (one: User, other: User): number => compareTexts(one.full_name, other.full_name)

/** The active accounts by name. Sorting 10,000 names takes long, so it is done only when an account changes. */
export const sortByName = (users: ReadonlyMap<number, User>): User[] =>
  [...users.values()].filter(({ is_active }) => is_active).sort(compareNames)

/** Of accounts that are sorted by name: people before bots, and active users first. */
export const arrangeMembers = (sorted: readonly User[], presence: ReadonlyMap<number, PresenceWord>): User[] => {
  const groups: Record<PresenceWord | 'bot', User[]> = { active: [], idle: [], offline: [], bot: [] }
  for (const user of sorted) groups[user.is_bot ? 'bot' : (presence.get(user.user_id) ?? 'offline')].push(user)
  return [...groups.active, ...groups.idle, ...groups.offline, ...groups.bot]
}

/** Who takes part in a conversation. */
export interface Participants {
  heading: string
  ids: ReadonlySet<number>
}

/** A line of the column that names those below it. */
export interface MemberHeading {
  heading: string
  /** how many are below it */
  count: number
}

/** The participants first, each group with a heading. Without participants, there are no headings. */
export const groupMembers = (
  members: readonly User[],
  participants: Participants | undefined,
): readonly (User | MemberHeading)[] => {
  if (participants === undefined) return members
  const inside = members.filter(({ user_id }) => participants.ids.has(user_id))
  const outside = members.filter(({ user_id }) => !participants.ids.has(user_id))
  const group = (heading: string, of: readonly User[]) =>
    of.length === 0 ? [] : [{ heading, count: of.length }, ...of]
  return [...group(participants.heading, inside), ...group(t('Others'), outside)]
}

/** The accounts of whose name every word begins a part. */
export const filterByName = (users: readonly User[], words: string): readonly User[] => {
  const wanted = fold(words).split(/\s+/).filter(Boolean)
  return wanted.length === 0
    ? users
    : users.filter(({ full_name }) => wanted.every((word) => beginsPart(full_name, word)))
}

const beginsPart = (name: string, word: string): boolean =>
  fold(name)
    .split(/[\s\-_.]+/)
    .some((part) => part.startsWith(word))

/** Without accents and case. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Groups of users as the page names them, and the values of permissions. */

import type { UserGroup } from '@parley/client/realm'
import { listNames } from '../languages/lists.js'
import { t } from '../languages/t.js'
import type { Chat } from './chat.js'
import { userName } from './names.js'
import type { GroupValue } from './permissions.js'

/** Users and groups who have a permission or who are chosen in a form. */
export interface Holders {
  userIds: readonly number[]
  groupIds: readonly number[]
}

/** The system group without members. */
const NOBODY = 'role:nobody'

const systemGroupNames: Readonly<Record<string, string>> = {
  [NOBODY]: t('Nobody'),
  'role:owners': t('Owners'),
  'role:administrators': t('Administrators'),
  'role:moderators': t('Moderators'),
  'role:fullmembers': t('Full members'),
  'role:members': t('Everyone except guests'),
  'role:everyone': t('Everyone'),
  'role:internet': t('Everyone on the internet'),
}

/** The name of a group for people: system groups have names of their own. */
export const groupName = ({ name }: Pick<UserGroup, 'name'>): string => systemGroupNames[name] ?? name

/** The ids of a group and of the groups in it at any depth. */
export const groupsWithin = (groups: ReadonlyMap<number, UserGroup>, groupId: number): ReadonlySet<number> => {
  const found = new Set([groupId])
  // The iteration reaches what is added during it.
  for (const id of found) for (const subgroup of groups.get(id)?.direct_subgroup_ids ?? []) found.add(subgroup)
  return found
}

/** The ids of the members of a group, and of the groups in it at any depth. */
const memberIds = (groups: ReadonlyMap<number, UserGroup>, groupId: number): ReadonlySet<number> =>
  new Set([...groupsWithin(groups, groupId)].flatMap((id) => groups.get(id)?.members ?? []))

/** `3 members`. */
export const countMembers = (groups: ReadonlyMap<number, UserGroup>, groupId: number): string =>
  t('{count, plural, one {# member} other {# members}}', { count: memberIds(groups, groupId).size })

/** Returns the users and groups of a permission's value. The group of nobody has none of both. */
export const holdersOf = (chat: Chat, value: GroupValue): Holders => {
  if (typeof value !== 'number') return { userIds: value.direct_members, groupIds: value.direct_subgroups }
  const isNobody = chat.groups.value.get(value)?.name === NOBODY
  return { userIds: [], groupIds: isNobody ? [] : [value] }
}

/** The value of a permission that these users and groups have. Without any, the server makes it the group of nobody. */
export const groupValueOf = ({ userIds, groupIds }: Holders): GroupValue => {
  const [only] = groupIds
  if (userIds.length === 0 && groupIds.length === 1 && only !== undefined) return only
  return { direct_members: [...userIds], direct_subgroups: [...groupIds] }
}

/** `Moderators, Ada`: who has a permission, in words. */
export const describeHolders = (chat: Chat, holders: Holders): string => {
  const names = nameHolders(chat, holders)
  return names.length === 0 ? t('Nobody') : listNames(names)
}

/** Whether a user or a group has a permission. */
export const hasHolders = (chat: Chat, holders: Holders): boolean => nameHolders(chat, holders).length > 0

const nameHolders = (chat: Chat, { userIds, groupIds }: Holders): string[] => {
  const groups = groupIds.flatMap((id) => chat.groups.value.get(id) ?? []).filter(({ name }) => name !== NOBODY)
  return [...groups.map(groupName), ...userIds.map((id) => userName(chat, id))]
}

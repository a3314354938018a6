/**
 * User groups as permissions: the system groups, and the value of a group setting.
 *
 * Source: permissions.md sections 2 and 3.
 */
import { z } from 'zod'

/** A permission held by a set of users (permissions.md 3.1): a group, or listed users and groups. */
export type GroupSettingValue = number | { direct_members: number[]; direct_subgroups: number[] }

/** The schema of a group-setting value. */
export const groupSettingValue = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
])

/** Ids of the system groups: the same in every realm, because a realm's first groups are these. */
export const SystemGroup = {
  nobody: 1,
  owners: 2,
  administrators: 3,
  moderators: 4,
  fullmembers: 5,
  members: 6,
  everyone: 7,
  internet: 8,
} as const

/** Names and texts of the system groups, in the order of their ids, and the group each one contains. */
export const systemGroups: readonly { id: number; name: string; description: string; contains: number | null }[] = [
  { id: 1, name: 'role:nobody', description: 'Nobody', contains: null },
  { id: 2, name: 'role:owners', description: 'Owners of this organization', contains: null },
  { id: 3, name: 'role:administrators', description: 'Administrators of this organization, and owners', contains: 2 },
  { id: 4, name: 'role:moderators', description: 'Moderators of this organization, and above', contains: 3 },
  { id: 5, name: 'role:fullmembers', description: 'Members past the waiting period, and above', contains: 4 },
  { id: 6, name: 'role:members', description: 'Members of this organization, not guests', contains: 5 },
  { id: 7, name: 'role:everyone', description: 'Everyone in this organization, with guests', contains: 6 },
  { id: 8, name: 'role:internet', description: 'Everyone on the internet', contains: 7 },
]

/** Which groups may hold a permission. */
export interface GroupSettingRule {
  /** role:everyone may hold it, and guests may pass it */
  everyone: boolean
  /** role:nobody may hold it */
  nobody: boolean
  /** a system group that may not hold it, beside those above; role:internet may hold nothing */
  not?: number
  /** only one of these system groups may hold it, no other group and no list of users */
  only?: readonly number[]
}

/** Any group but those with guests; role:nobody too. */
export const nonGuests: GroupSettingRule = { everyone: false, nobody: true }
/** Any group, role:nobody too. */
export const anyGroup: GroupSettingRule = { everyone: true, nobody: true }
/** Any group but those with guests; some account always holds it. */
export const someNonGuests: GroupSettingRule = { everyone: false, nobody: false }

/** The canonical form: lists sorted and without duplicates, a single subgroup as its id, no holder as role:nobody. */
export const normalizeGroupSettingValue = (value: GroupSettingValue): GroupSettingValue => {
  if (typeof value === 'number') return value
  const direct_members = [...new Set(value.direct_members)].sort((a, b) => a - b)
  const direct_subgroups = [...new Set(value.direct_subgroups)].sort((a, b) => a - b)
  if (direct_members.length > 0) return { direct_members, direct_subgroups }
  if (direct_subgroups.length === 0) return SystemGroup.nobody
  const [only] = direct_subgroups
  return direct_subgroups.length === 1 && only !== undefined ? only : { direct_members, direct_subgroups }
}

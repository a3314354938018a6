/**
 * User groups as permissions: the system groups, and the value of a group setting.
 *
 * Source: protocol/permissions.md 2 and 3.
 */
import { z } from 'zod'
import { type GroupSettingValue, SystemGroup } from '#rules/group-settings.js'

export { type GroupSettingValue, SystemGroup } from '#rules/group-settings.js'

/** The schema of a group-setting value. */
export const groupSettingValue = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
])

/** The system groups, in the order of their ids. Each has its name, its text, and the group that it contains. */
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

/**
 * Returns the canonical form of a value. Lists are sorted and without duplicates, a single subgroup is its id, and no
 * holder is role:nobody.
 */
export const normalizeGroupSettingValue = (value: GroupSettingValue): GroupSettingValue => {
  if (typeof value === 'number') return value
  const direct_members = [...new Set(value.direct_members)].sort((a, b) => a - b)
  const direct_subgroups = [...new Set(value.direct_subgroups)].sort((a, b) => a - b)
  if (direct_members.length > 0) return { direct_members, direct_subgroups }
  if (direct_subgroups.length === 0) return SystemGroup.nobody
  const [only] = direct_subgroups
  return direct_subgroups.length === 1 && only !== undefined ? only : { direct_members, direct_subgroups }
}

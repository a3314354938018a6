/**
 * Who holds a permission that is given to a group-setting value.
 *
 * 1. Membership in system groups follows from role and account age; custom groups have members.
 * 2. Deactivating a group removes no permission: where a value still names the group, its members hold the permission.
 * 3. A setting that role:everyone may not hold is never passed by a guest, whichever group contains them.
 *
 * Source: protocol/permissions.md 1 to 4.
 */
import {
  type ChannelPermission,
  channelGroupRules,
  type GroupSettingValue,
  type RealmPermission,
  realmGroupRules,
  SystemGroup,
  type UserGroupPermission,
  userGroupRules,
} from './group-settings.js'
import type { Account, Channel, Organization, UserGroup } from './organization.js'
import { isFullMember, isGuest, Role } from './roles.js'

/** The weakest role in each system group that roles alone decide. */
export const weakestRole: ReadonlyMap<number, number> = new Map<number, number>([
  [SystemGroup.owners, Role.owner],
  [SystemGroup.administrators, Role.administrator],
  [SystemGroup.moderators, Role.moderator],
  [SystemGroup.members, Role.member],
  [SystemGroup.everyone, Role.guest],
  [SystemGroup.internet, Role.guest],
])

/** The groups that a value names, directly or through any chain of subgroups. */
export function* collectGroups(
  organization: Pick<Organization, 'directSubgroups'>,
  value: GroupSettingValue,
): Iterable<number> {
  const pending = typeof value === 'number' ? [value] : [...value.direct_subgroups]
  const seen = new Set<number>()
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    yield id
    pending.push(...organization.directSubgroups(id))
  }
}

/** Whether an active user is in the value, directly or through any chain of groups. */
export const isHolder = (
  organization: Organization,
  user: Account,
  value: GroupSettingValue,
  now?: number,
): boolean => {
  if (!user.is_active) return false
  if (typeof value !== 'number' && value.direct_members.includes(user.id)) return true
  for (const id of collectGroups(organization, value)) {
    const weakest = weakestRole.get(id)
    if (weakest !== undefined ? user.role <= weakest : organization.directMembers(id).has(user.id)) return true
    if (id === SystemGroup.fullmembers && isFullMember(organization, user, now)) return true
  }
  return false
}

const isPermitted = (
  organization: Organization,
  user: Account,
  value: GroupSettingValue,
  everyone: boolean,
  now?: number,
) => (everyone || !isGuest(user)) && isHolder(organization, user, value, now)

/** Whether the user holds a permission of the organization. */
export const mayInRealm = (
  organization: Organization,
  user: Account,
  setting: RealmPermission,
  now?: number,
): boolean => isPermitted(organization, user, organization.settings[setting], realmGroupRules[setting].everyone, now)

/** Whether a setting of the channel contains the user. Implicit holders, such as administrators: channel-access.ts. */
export const mayInChannel = (
  organization: Organization,
  user: Account,
  channel: Channel,
  setting: ChannelPermission,
  now?: number,
): boolean => isPermitted(organization, user, channel[setting], channelGroupRules[setting].everyone, now)

/** Whether a setting of the group contains the user. */
export const mayInGroup = (
  organization: Organization,
  user: Account,
  group: UserGroup,
  setting: UserGroupPermission,
  now?: number,
): boolean => isPermitted(organization, user, group[setting], userGroupRules[setting].everyone, now)

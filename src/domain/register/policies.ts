/**
 * Permissions as the integers that clients read before permissions were groups: the smallest of a few role sets that
 * contains all holders of the permission. Source: protocol/register.md 5.1.2.
 */

import { isFullMember } from '#rules/roles.js'
import { Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { type GroupSettingValue, SystemGroup } from '../settings/group-setting-values.js'

/** System groups from the smallest to the largest; each contains those before it. */
const chain = [
  SystemGroup.nobody,
  SystemGroup.owners,
  SystemGroup.administrators,
  SystemGroup.moderators,
  SystemGroup.fullmembers,
  SystemGroup.members,
  SystemGroup.everyone,
  SystemGroup.internet,
] as const

/** A policy: its integer for each system group that it knows. */
export type Policy = readonly (readonly [group: number, integer: number])[]

/** `realm_create_public_stream_policy` and `realm_create_private_stream_policy`. */
export const createChannelPolicy: Policy = [
  [SystemGroup.administrators, 2],
  [SystemGroup.moderators, 4],
  [SystemGroup.fullmembers, 3],
  [SystemGroup.members, 1],
]

/** `realm_create_web_public_stream_policy`. */
export const createWebPublicChannelPolicy: Policy = [
  [SystemGroup.nobody, 6],
  [SystemGroup.owners, 7],
  [SystemGroup.administrators, 2],
  [SystemGroup.moderators, 4],
]

/** `realm_wildcard_mention_policy`. */
export const wildcardMentionPolicy: Policy = [
  [SystemGroup.nobody, 6],
  [SystemGroup.administrators, 5],
  [SystemGroup.moderators, 7],
  [SystemGroup.fullmembers, 3],
  [SystemGroup.members, 2],
  [SystemGroup.everyone, 1],
]

/**
 * Returns the integer of the smallest set that contains all holders. When no set does, returns that of the largest one.
 */
export const policyInteger = (state: RealmState, value: GroupSettingValue, policy: Policy, now: number): number => {
  const reach = reachOf(state, value, now)
  const fitting = policy.find(([group]) => chain.indexOf(group as (typeof chain)[number]) >= reach)
  return (fitting ?? policy.at(-1))?.[1] ?? 0
}

/** The index in the chain of the smallest system group that contains all holders of the value. */
const reachOf = (state: RealmState, value: GroupSettingValue, now: number): number => {
  const pending = typeof value === 'number' ? [value] : [...value.direct_subgroups]
  const members = typeof value === 'number' ? [] : [...value.direct_members]
  const seen = new Set<number>()
  let reach = 0
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    const index = (chain as readonly number[]).indexOf(id)
    if (index >= 0) {
      reach = Math.max(reach, index)
    } else {
      members.push(...state.directMembers(id))
      pending.push(...state.directSubgroups(id))
    }
  }
  for (const id of members) {
    const user = state.users.get(id)
    if (user?.is_active) reach = Math.max(reach, rankGroup(state, user, now))
  }
  return reach
}

const rankGroup = (state: RealmState, user: UserRow, now: number): number => {
  const group = smallestGroupOf(state, user, now)
  return (chain as readonly number[]).indexOf(group)
}

const smallestGroupOf = (state: RealmState, user: UserRow, now: number): number => {
  if (user.role <= Role.owner) return SystemGroup.owners
  if (user.role <= Role.administrator) return SystemGroup.administrators
  if (user.role <= Role.moderator) return SystemGroup.moderators
  if (user.role >= Role.guest) return SystemGroup.everyone
  return isFullMember(state, user, now) ? SystemGroup.fullmembers : SystemGroup.members
}

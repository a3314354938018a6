/**
 * Who is in a user group: asking, and changing it.
 *
 * Rights are asked for each list of a request before anything of it is looked up. Source: endpoints.md 3.6,
 * permissions.md 12.1 and 12.2.
 */
import { z } from 'zod'
import { runStepsWithConsequences } from '../../../domain/groups/consequences.js'
import { addMembers, addSubgroups, removeMembers, removeSubgroups } from '../../../domain/groups/group-members.js'
import {
  canAddMembers,
  canAddToGroup,
  canManageGroup,
  canRemoveMembers,
} from '../../../domain/groups/group-permissions.js'
import {
  allMembers,
  allSubgroups,
  directMembers,
  directSubgroupIds,
  findGroup,
} from '../../../domain/groups/user-groups.js'
import type { GroupRow, UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import type { Step } from '../../../domain/log/steps.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { JobSpec } from '../../../store/jobs/job-table.js'
import { commitEntries } from '../../../store/log/change.js'
import { type Call, endpoint } from '../../http/endpoint.js'
import { bool, idInPath, json } from '../../http/params.js'
import { withStructureLock } from '../../http/structure-lock.js'

const ids = () => json(z.array(z.int())).default([])

export const getUserGroupMembers = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Lists the active accounts in a user group, those of its subgroups included.',
  access: 'nonGuest',
  params: { user_group_id: idInPath(), direct_member_only: bool().default(false) },
  response: z.object({ members: z.array(z.int()) }),
  handle({ state, params }) {
    const group = usable(state, params.user_group_id)
    return { members: params.direct_member_only ? directMembers(state, group) : allMembers(state, group) }
  },
})

export const getUserGroupMember = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  summary: 'Says whether an account is in a user group.',
  access: 'nonGuest',
  params: { user_group_id: idInPath(), user_id: idInPath(), direct_member_only: bool().default(false) },
  response: z.object({ is_user_group_member: z.boolean() }),
  handle({ state, params }) {
    const group = usable(state, params.user_group_id)
    if (!state.users.has(params.user_id)) throw errors.noSuchUser()
    const members = params.direct_member_only ? directMembers(state, group) : allMembers(state, group)
    return { is_user_group_member: members.includes(params.user_id) }
  },
})

export const getUserGroupSubgroups = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Lists the groups in a user group, at whatever depth.',
  access: 'nonGuest',
  params: { user_group_id: idInPath(), direct_subgroup_only: bool().default(false) },
  response: z.object({ subgroups: z.array(z.int()) }),
  handle({ state, params }) {
    const group = usable(state, params.user_group_id)
    return { subgroups: params.direct_subgroup_only ? directSubgroupIds(state, group) : allSubgroups(state, group) }
  },
})

export const updateUserGroupMembers = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Puts accounts and groups into a user group, and takes others out.',
  access: 'nonGuest',
  params: { user_group_id: idInPath(), add: ids(), delete: ids(), add_subgroups: ids(), delete_subgroups: ids() },
  response: z.object({}),
  handle: (call) => regroup(call, call.params, 'Nothing to do: send add, delete, add_subgroups or delete_subgroups.'),
})

export const updateUserGroupSubgroups = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Puts groups into a user group, and takes others out.',
  access: 'nonGuest',
  params: { user_group_id: idInPath(), add: ids(), delete: ids() },
  response: z.object({}),
  handle(call) {
    const { add, delete: gone } = call.params
    const lists = { add: [], delete: [], add_subgroups: add, delete_subgroups: gone }
    return regroup(call, lists, 'Nothing to do: send add or delete.')
  },
})

interface Lists {
  add: number[]
  delete: number[]
  add_subgroups: number[]
  delete_subgroups: number[]
}

/** Carries out the lists, all or none. Throws BAD_REQUEST with `nothing` when all of them are empty. */
const regroup = (
  call: Call<{ user_group_id: ReturnType<typeof idInPath> }, 'nonGuest'>,
  lists: Lists,
  nothing: string,
) =>
  withStructureLock(call, async (write) => {
    const { state, caller, params } = call
    const { add, delete: gone, add_subgroups, delete_subgroups } = lists
    if ([add, gone, add_subgroups, delete_subgroups].every((list) => list.length === 0))
      throw errors.badRequest(nothing)
    const group = findGroup(state, params.user_group_id)
    if (!mayRegroup(state, caller.user, group, lists)) throw errors.insufficientPermission()
    const steps: Step[] = []
    if (add.length > 0) steps.push(addMembers(group.id, add))
    if (gone.length > 0) steps.push(removeMembers(group.id, gone))
    if (add_subgroups.length > 0) steps.push(addSubgroups(group.id, add_subgroups))
    if (delete_subgroups.length > 0) steps.push(removeSubgroups(group.id, delete_subgroups))
    const { entries } = runStepsWithConsequences(state, steps)
    await commitEntries(write, entries, notices(state, caller.user, group, lists))
    return {}
  })

const mayRegroup = (state: RealmState, user: UserRow, group: GroupRow, lists: Lists): boolean =>
  (lists.add.length === 0 || canAddMembers(state, user, group, lists.add)) &&
  (lists.delete.length === 0 || canRemoveMembers(state, user, group, lists.delete)) &&
  (lists.add_subgroups.length === 0 || canAddToGroup(state, user, group)) &&
  (lists.delete_subgroups.length === 0 || canManageGroup(state, user, group))

/** People are told what others did with them; bots are not. */
const notices = (state: RealmState, actor: UserRow, group: GroupRow, { add, delete: gone }: Lists): JobSpec[] => {
  const people = (ids: readonly number[]) =>
    [...new Set(ids)].filter((id) => id !== actor.id && state.users.get(id)?.is_bot === false)
  const payload = { actor_id: actor.id, group_id: group.id, added: people(add), removed: people(gone) }
  return payload.added.length + payload.removed.length === 0 ? [] : [{ kind: 'group_notices', payload }]
}

/** The group, unless it is out of use. Throws BAD_REQUEST. */
const usable = (state: RealmState, group_id: number): GroupRow => {
  const group = findGroup(state, group_id)
  if (group.deactivated) throw errors.userGroupDeactivated()
  return group
}

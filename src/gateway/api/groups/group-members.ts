/**
 * The members and subgroups of a user group: listing and changing them.
 *
 * The permissions for all lists of a request are checked before its ids are looked up. Source: protocol/endpoints.md
 * 3.6, protocol/permissions.md 12.1 and 12.2.
 */
import { z } from 'zod'
import { canAddMembers, canAddToGroup, canManageGroup, canRemoveMembers } from '#rules/group-access.js'
import { runStepsWithConsequences } from '../../../domain/groups/consequences.js'
import { addMembers, addSubgroups, removeMembers, removeSubgroups } from '../../../domain/groups/group-members.js'
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
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, idInPath, json } from '../../call/params.js'

const ids = () => json(z.array(z.int())).default([])

export const getUserGroupMembers = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Lists the active accounts in a user group, those of its subgroups included.',
  access: 'nonGuest',
  params: { user_group_id: idInPath(), direct_member_only: bool().default(false) },
  response: z.object({ members: z.array(z.int()) }),
  handle({ state, params }) {
    const group = requireActiveGroup(state, params.user_group_id)
    return { members: params.direct_member_only ? directMembers(state, group) : allMembers(state, group) }
  },
})

export const getUserGroupMember = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  summary: 'Tells whether an account is in a user group.',
  access: 'nonGuest',
  params: { user_group_id: idInPath(), user_id: idInPath(), direct_member_only: bool().default(false) },
  response: z.object({ is_user_group_member: z.boolean() }),
  handle({ state, params }) {
    const group = requireActiveGroup(state, params.user_group_id)
    if (!state.users.has(params.user_id)) throw errors.noSuchUser()
    const members = params.direct_member_only ? directMembers(state, group) : allMembers(state, group)
    return { is_user_group_member: members.includes(params.user_id) }
  },
})

export const getUserGroupSubgroups = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Lists the subgroups of a user group, at any depth.',
  access: 'nonGuest',
  params: { user_group_id: idInPath(), direct_subgroup_only: bool().default(false) },
  response: z.object({ subgroups: z.array(z.int()) }),
  handle({ state, params }) {
    const group = requireActiveGroup(state, params.user_group_id)
    return { subgroups: params.direct_subgroup_only ? directSubgroupIds(state, group) : allSubgroups(state, group) }
  },
})

export const updateUserGroupMembers = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Adds accounts and groups to a user group, and removes others.',
  access: 'nonGuest',
  params: { user_group_id: idInPath(), add: ids(), delete: ids(), add_subgroups: ids(), delete_subgroups: ids() },
  response: z.object({}),
  changesStructure: true,
  handle: (call) =>
    changeMembers(call, call.params, 'Nothing to change: send add, delete, add_subgroups or delete_subgroups.'),
})

export const updateUserGroupSubgroups = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Adds groups to a user group, and removes others.',
  access: 'nonGuest',
  params: { user_group_id: idInPath(), add: ids(), delete: ids() },
  response: z.object({}),
  changesStructure: true,
  handle(call) {
    const { add, delete: removed } = call.params
    const lists = { add: [], delete: [], add_subgroups: add, delete_subgroups: removed }
    return changeMembers(call, lists, 'Nothing to change: send add or delete.')
  },
})

interface Lists {
  add: number[]
  delete: number[]
  add_subgroups: number[]
  delete_subgroups: number[]
}

/**
 * Changes the group by all lists, or by none. Throws BAD_REQUEST with the text `emptyError` when all lists are empty.
 */
const changeMembers = async (
  call: Call<{ user_group_id: ReturnType<typeof idInPath> }, 'nonGuest'>,
  lists: Lists,
  emptyError: string,
) => {
  const { state, caller, params, write } = call
  const { add, delete: removed, add_subgroups, delete_subgroups } = lists
  if ([add, removed, add_subgroups, delete_subgroups].every((list) => list.length === 0))
    throw errors.badRequest(emptyError)
  const group = findGroup(state, params.user_group_id)
  if (!mayChangeMembers(state, caller.user, group, lists)) throw errors.insufficientPermission()
  const steps: Step[] = []
  if (add.length > 0) steps.push(addMembers(group.id, add))
  if (removed.length > 0) steps.push(removeMembers(group.id, removed))
  if (add_subgroups.length > 0) steps.push(addSubgroups(group.id, add_subgroups))
  if (delete_subgroups.length > 0) steps.push(removeSubgroups(group.id, delete_subgroups))
  const { entries } = runStepsWithConsequences(state, steps)
  await commitEntries(write, entries, composeNoticeJobs(state, caller.user, group, lists))
  return {}
}

const mayChangeMembers = (state: RealmState, user: UserRow, group: GroupRow, lists: Lists): boolean =>
  (lists.add.length === 0 || canAddMembers(state, user, group, lists.add)) &&
  (lists.delete.length === 0 || canRemoveMembers(state, user, group, lists.delete)) &&
  (lists.add_subgroups.length === 0 || canAddToGroup(state, user, group)) &&
  (lists.delete_subgroups.length === 0 || canManageGroup(state, user, group))

/** The job that notifies the users whom the actor added or removed; it notifies neither the actor nor bots. */
const composeNoticeJobs = (state: RealmState, actor: UserRow, group: GroupRow, lists: Lists): JobSpec[] => {
  const selectNotified = (ids: readonly number[]) =>
    [...new Set(ids)].filter((id) => id !== actor.id && state.users.get(id)?.is_bot === false)
  const payload = {
    actor_id: actor.id,
    group_id: group.id,
    added: selectNotified(lists.add),
    removed: selectNotified(lists.delete),
  }
  return payload.added.length + payload.removed.length === 0 ? [] : [{ kind: 'group_notices', payload }]
}

/** The group, if it is not deactivated. Throws BAD_REQUEST. */
const requireActiveGroup = (state: RealmState, group_id: number): GroupRow => {
  const group = findGroup(state, group_id)
  if (group.deactivated) throw errors.userGroupDeactivated()
  return group
}

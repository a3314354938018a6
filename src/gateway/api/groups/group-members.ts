/**
 * The members and subgroups of a user group: listing and changing them.
 *
 * The permissions for all lists of a request are checked before its ids are looked up. Source: protocol/endpoints.md
 * 3.6, protocol/permissions.md 12.1 and 12.2.
 */

import { z } from 'zod'
import { runStepsWithConsequences } from '../../../domain/groups/consequences.js'
import { changeMembers, checkAnyChange, type MemberChanges } from '../../../domain/groups/group-members.js'
import {
  allMembers,
  allSubgroups,
  directMembers,
  directSubgroupIds,
  findGroup,
  requireActiveGroup,
} from '../../../domain/groups/user-groups.js'
import { sentence } from '../../../domain/languages/texts.js'
import { errors } from '../../../domain/protocol/errors.js'
import { composeGroupNoticeJobs } from '../../../store/groups/group-notices.js'
import { commitEntries } from '../../../store/log/change.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, idInPath, json } from '../../call/params.js'

const ids = () => json(z.array(z.int())).default([])

export const getUserGroupMembers = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Lists the active accounts in a user group, those of its subgroups included.',
  callers: 'nonGuest',
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
  callers: 'nonGuest',
  params: { user_group_id: idInPath(), user_id: idInPath(), direct_member_only: bool().default(false) },
  example: { user_id: '{sam_id}' },
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
  callers: 'nonGuest',
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
  callers: 'nonGuest',
  condition: 'The caller needs the permission of the group to add or remove members, or to join or leave.',
  params: { user_group_id: idInPath(), add: ids(), delete: ids(), add_subgroups: ids(), delete_subgroups: ids() },
  example: { add: ['{lena_id}'], delete: ['{sam_id}'] },
  response: z.object({}),
  changesStructure: true,
  handle(call) {
    checkAnyChange(call.params, sentence('Nothing to change: send add, delete, add_subgroups or delete_subgroups.'))
    return commitMembers(call, call.params)
  },
})

export const updateUserGroupSubgroups = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Adds groups to a user group, and removes others.',
  callers: 'nonGuest',
  condition: 'The caller needs the permission of the group to add members, and manages it to remove subgroups.',
  params: { user_group_id: idInPath(), add: ids(), delete: ids() },
  example: { add: ['{other_group_id}'], delete: ['{subgroup_id}'] },
  response: z.object({}),
  changesStructure: true,
  handle(call) {
    const { add, delete: removed } = call.params
    const changes = { add: [], delete: [], add_subgroups: add, delete_subgroups: removed }
    checkAnyChange(changes, sentence('Nothing to change: send add or delete.'))
    return commitMembers(call, changes)
  },
})

const groupParams = { user_group_id: idInPath() }

/** Changes the group by all lists, or by none. Throws BAD_REQUEST. */
const commitMembers = async (call: Call<typeof groupParams, 'nonGuest'>, changes: MemberChanges) => {
  const { state, caller, params, write } = call
  const group = findGroup(state, params.user_group_id)
  const { entries } = runStepsWithConsequences(state, changeMembers(state, caller.user, group, changes))
  await commitEntries(write, entries, composeGroupNoticeJobs(state, caller.user, group, changes))
  return {}
}

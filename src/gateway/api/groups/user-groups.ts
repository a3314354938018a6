/**
 * User groups: listing, creating, changing and deactivating them. For their members see group-members.ts.
 *
 * Bots may call these endpoints like users of the same role, because clients rely on it (protocol/permissions.md 10.2).
 * Source: the API document, endpoint 6; protocol/endpoints.md 1.6, 2.3 and 3.6; protocol/permissions.md 12.
 */
import { z } from 'zod'
import {
  changeGroup,
  createGroup,
  deactivateGroup,
  groupSettingNames,
  requireManageableGroup,
} from '../../../domain/groups/group-changes.js'
import { activeMembers, groupObject, groupOnWire, systemGroupMembers } from '../../../domain/groups/user-groups.js'
import { groupSettingUpdate } from '../../../domain/permissions/group-setting-rules.js'
import { errors } from '../../../domain/protocol/errors.js'
import { groupSettingValue } from '../../../domain/settings/group-setting-values.js'
import { commitEntries, commitSteps } from '../../../store/log/change.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, declareEach, idInPath, json, str } from '../../call/params.js'

export const getUserGroups = endpoint({
  method: 'GET',
  path: '/user_groups',
  summary: 'Lists the user groups by id, system groups included.',
  callers: 'nonGuest',
  params: { include_deactivated_groups: bool().default(false) },
  response: z.object({ user_groups: z.array(groupObject) }),
  handle({ state, params }) {
    const system = systemGroupMembers(state)
    const listed = [...state.groups.values()]
      .filter((group) => params.include_deactivated_groups || !group.deactivated)
      .sort((a, b) => a.id - b.id)
    return {
      user_groups: listed.map((group) =>
        groupOnWire(state, group, system.get(group.id) ?? activeMembers(state, group.id)),
      ),
    }
  },
})

export const createUserGroup = endpoint({
  method: 'POST',
  path: '/user_groups/create',
  summary: 'Creates a user group.',
  callers: 'nonGuest',
  permission: 'can_create_groups',
  params: {
    name: str(),
    description: str(),
    members: json(z.array(z.int())),
    subgroups: json(z.array(z.int())).default([]),
    ...declareEach(groupSettingNames, json(groupSettingValue).optional()),
  },
  example: { name: 'makers', description: 'Everyone who builds', members: ['{mira_id}', '{sam_id}'] },
  response: z.object({ group_id: z.int() }),
  errors: [errors.systemGroupRequired],
  changesStructure: true,
  async handle(call) {
    const { state, params, caller, write } = call
    const { name, description, members, subgroups, ...settings } = params
    const group_id = state.nextId('groups')
    const entries = [createGroup(state, caller.user, { name, description, members, subgroups, settings })]
    return write.answering(
      () => ({ group_id }),
      (keyed) => commitEntries(keyed, entries),
    )
  },
})

export const updateUserGroup = endpoint({
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  summary: 'Changes the name, the description and the settings of a user group, or reactivates it.',
  callers: 'nonGuest',
  condition: 'The caller needs `can_manage_all_groups`, or `can_manage_group` of the group.',
  params: {
    user_group_id: idInPath(),
    name: str().optional(),
    description: str().optional(),
    deactivated: bool().optional().describe('false reactivates a deactivated group; true does nothing'),
    ...declareEach(groupSettingNames, json(groupSettingUpdate).optional()),
  },
  example: { description: 'Designers and engineers' },
  response: z.object({}),
  errors: [errors.oldValueMismatch, errors.systemGroupRequired],
  changesStructure: true,
  async handle(call) {
    const { state, params, caller, write } = call
    const group = requireManageableGroup(state, caller.user, params.user_group_id)
    await commitSteps(write, changeGroup(group.id, params))
    return {}
  },
})

const groupParams = { user_group_id: idInPath() }

export const deactivateUserGroup = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  summary: 'Deactivates a user group, unless a setting or another group uses it.',
  callers: 'nonGuest',
  condition: 'The caller needs `can_manage_all_groups`, or `can_manage_group` of the group.',
  params: groupParams,
  response: z.object({}),
  errors: [errors.cannotDeactivateGroupInUse],
  changesStructure: true,
  handle: (call) => deactivate(call),
})

/** The Python bindings call this endpoint. It deletes nothing, because messages can mention the group. */
export const removeUserGroup = endpoint({
  method: 'DELETE',
  path: '/user_groups/{user_group_id}',
  summary: 'Deactivates a user group; the name of the endpoint in older clients.',
  callers: 'nonGuest',
  condition: 'The caller needs `can_manage_all_groups`, or `can_manage_group` of the group.',
  params: groupParams,
  response: z.object({}),
  errors: [errors.cannotDeactivateGroupInUse],
  changesStructure: true,
  handle: (call) => deactivate(call),
})

const deactivate = async (call: Call<typeof groupParams, 'nonGuest'>) => {
  const { state, params, caller, write } = call
  const group = requireManageableGroup(state, caller.user, params.user_group_id)
  await commitSteps(write, [deactivateGroup(group.id)])
  return {}
}

/**
 * Entries about user groups. Every user sees all groups and their members.
 *
 * For a queue without the `include_deactivated_groups` capability a deactivated group does not exist: deactivation is
 * a removal, reactivation is an addition, and the queue gets no event about the group in between.
 *
 * Source: protocol/events.md 3.3, `user_group`.
 */
import { z } from 'zod'
import { AllUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import { type GroupObject, groupObject } from './user-groups.js'

/** The event that a group exists from now on. */
export const createdGroup = z.object({ type: z.literal('user_group'), op: z.literal('add'), group: groupObject })

const changes = groupObject
  .omit({
    id: true,
    members: true,
    direct_subgroup_ids: true,
    is_system_group: true,
    creator_id: true,
    date_created: true,
  })
  .partial()

/** The event that properties of a group changed. */
export const updatedGroup = z.object({
  type: z.literal('user_group'),
  op: z.literal('update'),
  group_id: z.int(),
  data: changes,
})

const removed = z.object({ type: z.literal('user_group'), op: z.literal('remove'), group_id: z.int() })

const addEvent = (group: GroupObject) => ({ type: 'user_group', op: 'add', group })

const updateEvent = (group_id: number, data: z.infer<typeof changes>) => ({
  type: 'user_group',
  op: 'update',
  group_id,
  data,
})

/** A group was created. */
export const groupAdded = entry<{ group: GroupObject }>({
  kind: 'user_group/add',
  type: 'user_group',
  description: 'A group was created.',
  event: createdGroup,
  audience: () => AllUsers,
  project: ({ group }) => addEvent(group),
})

/** A group was changed. */
export const groupUpdated = entry<{ group_id: number; deactivated: boolean; data: z.infer<typeof changes> }>({
  kind: 'user_group/update',
  type: 'user_group',
  description: 'Some properties of a group changed; `data` has those.',
  event: updatedGroup,
  audience: () => AllUsers,
  project: ({ group_id, deactivated, data }, { include_deactivated_groups }) =>
    deactivated && !include_deactivated_groups ? null : updateEvent(group_id, data),
})

/** A group was deactivated. */
export const groupDeactivated = entry<{ group_id: number }>({
  kind: 'user_group/deactivate',
  type: 'user_group',
  description: 'A group was deactivated. Clients treat it as an update of `deactivated`.',
  noExample: 'Clients receive it as `user_group/update`.',
  event: z.union([updatedGroup, removed]),
  audience: () => AllUsers,
  project: ({ group_id }, { include_deactivated_groups }) =>
    include_deactivated_groups
      ? updateEvent(group_id, { deactivated: true })
      : { type: 'user_group', op: 'remove', group_id },
})

/** A group was reactivated. */
export const groupReactivated = entry<{ group: GroupObject }>({
  kind: 'user_group/reactivate',
  type: 'user_group',
  description: 'A deactivated group is in use again.',
  noExample: 'Clients receive it as `user_group/update`.',
  event: z.union([updatedGroup, createdGroup]),
  audience: () => AllUsers,
  project: ({ group }, { include_deactivated_groups }) =>
    include_deactivated_groups ? updateEvent(group.id, { deactivated: false }) : addEvent(group),
})

/** Declares the kind of entry for members or subgroups that were added or removed. */
const listKind = (op: string, ids: 'user_ids' | 'direct_subgroup_ids', description: string) =>
  entry<{ group_id: number; deactivated: boolean; ids: readonly number[] }>({
    kind: `user_group/${op}`,
    type: 'user_group',
    description,
    event: z.object({ type: z.literal('user_group'), op: z.literal(op), group_id: z.int(), [ids]: z.array(z.int()) }),
    audience: () => AllUsers,
    project: (data, { include_deactivated_groups }) =>
      data.deactivated && !include_deactivated_groups
        ? null
        : { type: 'user_group', op, group_id: data.group_id, [ids]: data.ids },
  })

export const groupMembersAdded = listKind('add_members', 'user_ids', 'Users became direct members of a group.')
export const groupMembersRemoved = listKind(
  'remove_members',
  'user_ids',
  'Users are no direct members of a group any more.',
)
export const subgroupsAdded = listKind(
  'add_subgroups',
  'direct_subgroup_ids',
  'Groups became direct subgroups of a group.',
)
export const subgroupsRemoved = listKind(
  'remove_subgroups',
  'direct_subgroup_ids',
  'Groups are no direct subgroups of a group any more.',
)

/** The groups of users. */
import { createRows, indexBy, type Section } from './section.js'
import type { UserGroup } from './types.js'

/** Creates the section. */
export const createGroups = () => {
  const groups = createRows<number, UserGroup>()

  const change = (id: number, field: 'members' | 'direct_subgroup_ids', ids: readonly number[], isIn: boolean) => {
    const group = groups.get().get(id)
    if (group === undefined) return
    const others = group[field].filter((other) => !ids.includes(other))
    groups.patch(id, { [field]: isIn ? [...others, ...ids].sort((a, b) => a - b) : others })
  }

  const section: Section = {
    load: (snapshot) => groups.set(indexBy('id', snapshot.realm_user_groups)),
    handlers: {
      user_group(event) {
        if (event.op === 'add') groups.put(event.group.id, event.group as UserGroup)
        else if (event.op === 'remove') groups.remove([event.group_id])
        else if (event.op === 'update') groups.patch(event.group_id, event.data as Partial<UserGroup>)
        else if (event.op === 'add_members') change(event.group_id, 'members', event.user_ids, true)
        else if (event.op === 'remove_members') change(event.group_id, 'members', event.user_ids, false)
        else if (event.op === 'add_subgroups')
          change(event.group_id, 'direct_subgroup_ids', event.direct_subgroup_ids, true)
        else change(event.group_id, 'direct_subgroup_ids', event.direct_subgroup_ids, false)
      },
      realm_user(event) {
        // An account that was deactivated leaves its groups; there is no other event for users who see the account.
        if (event.op !== 'update' || (event.person as { is_active?: boolean }).is_active !== false) return
        const { user_id } = event.person
        for (const group of groups.get().values()) {
          if (group.members.includes(user_id)) change(group.id, 'members', [user_id], false)
        }
      },
    },
  }
  return { section, groups }
}

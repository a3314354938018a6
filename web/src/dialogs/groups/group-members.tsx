/** The people and the groups in a group. */

import type { Params } from '@parley/client'
import type { User, UserGroup } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { bind, Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { filterByName, sortByName } from '../../members/member-rows.js'
import { useChat } from '../../realm/chat.js'
import { countMembers, groupName, groupsWithin, type Holders } from '../../realm/groups.js'
import { mayAddGroupMembers, mayManageGroup, mayRemoveGroupMembers } from '../../realm/permissions.js'
import { Icon } from '../../ui/icon.js'
import { HoldersPicker } from '../holders-picker.js'
import { PeopleList } from '../people-list.js'

interface GroupPart {
  group: UserGroup
}

/** The page "Members". */
export const GroupMembers = ({ group }: GroupPart) => {
  const chat = useChat()
  const action = useAction()
  const words = useSignal('')
  const users = chat.users.value
  const sorted = useMemo(
    () => sortByName(new Map(group.members.flatMap((id) => (users.has(id) ? [[id, users.get(id) as User]] : [])))),
    [group.members, users],
  )
  const call = useMembersCall(group)
  const mayRemove = mayRemoveGroupMembers(chat, group)
  return (
    <>
      {mayAddGroupMembers(chat, group) && <AddMembers group={group} />}
      <ActionStatus action={action} />
      <Subgroups group={group} action={action} />
      <TextField label={t('Search members')} type="search" {...bind(words)} />
      <PeopleList
        label={t('Members')}
        users={filterByName(sorted, words.value)}
        renderEnd={({ user_id, full_name }) =>
          mayRemove && (
            <button
              type="button"
              class="button"
              aria-label={t('Remove {name}', { name: full_name })}
              onClick={() =>
                action.run(() => call({ delete: [user_id] }), t('{name} was removed.', { name: full_name }))
              }
            >
              {t('Remove')}
            </button>
          )
        }
      />
      {sorted.length === 0 && <p class="soft-text">{t('This group has no direct members.')}</p>}
    </>
  )
}

type MembersChanges = Omit<Params<'POST /user_groups/{user_group_id}/members'>, 'user_group_id'>

/** Adds and removes members. */
const useMembersCall = ({ id: user_group_id }: UserGroup) => {
  const chat = useChat()
  return (changes: MembersChanges) =>
    chat.client.call('POST /user_groups/{user_group_id}/members', { ...changes, user_group_id })
}

const AddMembers = ({ group }: GroupPart) => {
  const chat = useChat()
  const call = useMembersCall(group)
  const form = useForm({
    values: { members: { userIds: [], groupIds: [] } as Holders },
    send: ({ members: { userIds, groupIds } }) => call({ add: [...userIds], add_subgroups: [...groupIds] }),
    done: t('Added.'),
    renews: 'all',
  })
  const { userIds, groupIds } = form.values.members
  return (
    <Form of={form}>
      <HoldersPicker
        label={t('Add people and groups')}
        withPeople
        isOffered={(other) => mayContain(chat.groups.value, group, other)}
        isExcluded={(userId) => group.members.includes(userId)}
        {...form.bind('members')}
      />
      <FormEnd
        of={form}
        label={t('Add')}
        isDisabled={userIds.length + groupIds.length === 0 || form.action.state.value.isBusy}
      />
    </Form>
  )
}

/** Whether a group can get another one as a subgroup: it is not in it, and does not contain it. */
const mayContain = (groups: ReadonlyMap<number, UserGroup>, group: UserGroup, other: UserGroup): boolean =>
  other.name !== 'role:nobody' &&
  other.name !== 'role:internet' &&
  !group.direct_subgroup_ids.includes(other.id) &&
  !groupsWithin(groups, other.id).has(group.id)

const Subgroups = ({ group, action }: GroupPart & { action: Action }) => {
  const chat = useChat()
  const call = useMembersCall(group)
  const mayRemove = mayManageGroup(chat, group) && !group.deactivated
  const subgroups = group.direct_subgroup_ids.flatMap((id) => chat.groups.value.get(id) ?? [])
  if (subgroups.length === 0) return null
  return (
    <section class="dialog-group" aria-label={t('Groups in this group')}>
      <h3>{t('Groups in this group')}</h3>
      <ul class="dialog-rows">
        {subgroups.map((subgroup) => (
          <li key={subgroup.id} class="dialog-row">
            <div class="dialog-row-main">
              <a class="dialog-row-title" href={`#groups/${subgroup.id}`}>
                <Icon name="people" size={16} />
                {groupName(subgroup)}
              </a>
            </div>
            <span class="soft-text">{countMembers(chat.groups.value, subgroup.id)}</span>
            {mayRemove && (
              <button
                type="button"
                class="button"
                aria-label={t('Remove {name}', { name: groupName(subgroup) })}
                onClick={() =>
                  action.run(
                    () => call({ delete_subgroups: [subgroup.id] }),
                    t('{name} was removed.', { name: groupName(subgroup) }),
                  )
                }
              >
                {t('Remove')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

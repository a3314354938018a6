/** Who may do what with a group. */

import type { UserGroup } from '@parley/client/realm'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { type Permission, PermissionsForm } from '../permissions-form.js'

type GroupPermission = Extract<keyof UserGroup, `can_${string}_group`>

const permissions: readonly Permission<GroupPermission>[] = [
  { name: 'can_mention_group', label: t('Mention the group') },
  { name: 'can_join_group', label: t('Join the group') },
  { name: 'can_leave_group', label: t('Leave the group') },
  { name: 'can_add_members_group', label: t('Add members') },
  { name: 'can_remove_members_group', label: t('Remove members') },
  { name: 'can_manage_group', label: t('Manage the group') },
]

/** The page "Permissions". */
export const GroupPermissions = ({ group }: { group: UserGroup }) => {
  const chat = useChat()
  return (
    <PermissionsForm
      permissions={permissions}
      rules={chat.organization.value.server_supported_permission_settings?.group ?? {}}
      values={group}
      save={(changes) =>
        chat.client.call('PATCH /user_groups/{user_group_id}', { user_group_id: group.id, ...changes })
      }
    >
      <p class="soft-text">
        {t(
          'Users who may manage the group may do everything else with it too, and so may users who manage all groups.',
        )}
      </p>
    </PermissionsForm>
  )
}

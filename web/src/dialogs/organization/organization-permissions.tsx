/** Who may do what in the organization. */

import type { Params } from '@parley/client'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { type GroupValue, isOwner } from '../../realm/permissions.js'
import { type Permission, PermissionsForm } from '../permissions-form.js'

type OrganizationPermission = Extract<
  keyof Params<'PATCH /realm'>,
  `${string}_group` | 'can_create_groups' | 'can_manage_all_groups'
>

const permissions: readonly (Permission<OrganizationPermission> & { isForOwners?: true })[] = [
  {
    heading: t('People and groups'),
    name: 'can_invite_users_group',
    label: t('Invite people by mail'),
    isForOwners: true,
  },
  { name: 'create_multiuse_invite_group', label: t('Make links with which people join'), isForOwners: true },
  { name: 'can_access_all_users_group', label: t('See all users') },
  { name: 'can_create_groups', label: t('Create user groups'), isForOwners: true },
  { name: 'can_manage_all_groups', label: t('Manage all user groups'), isForOwners: true },
  { name: 'can_create_bots_group', label: t('Create bots') },
  { name: 'can_add_custom_emoji_group', label: t('Add custom emoji') },
  { heading: t('Channels'), name: 'can_create_public_channel_group', label: t('Create public channels') },
  { name: 'can_create_private_channel_group', label: t('Create private channels') },
  { name: 'can_create_web_public_channel_group', label: t('Create web-public channels') },
  { name: 'can_add_subscribers_group', label: t('Add others to channels') },
  { name: 'can_mention_many_users_group', label: t('Mention everyone of a large channel') },
  { heading: t('Messages'), name: 'can_delete_own_message_group', label: t('Delete own messages') },
  { name: 'can_delete_any_message_group', label: t('Delete any message') },
  { name: 'can_move_messages_between_topics_group', label: t('Move messages to other topics') },
  { name: 'can_move_messages_between_channels_group', label: t('Move messages to other channels') },
  { name: 'can_resolve_topics_group', label: t('Mark topics as resolved') },
  { name: 'can_set_delete_message_policy_group', label: t('Choose for a channel who may delete messages') },
  { name: 'can_set_topics_policy_group', label: t('Choose for a channel whether messages need a topic') },
  { heading: t('Direct messages'), name: 'direct_message_initiator_group', label: t('Begin direct messages') },
  { name: 'direct_message_permission_group', label: t('Authorize direct messages, by taking part in them') },
]

/** The page "Permissions". */
export const OrganizationPermissions = () => {
  const chat = useChat()
  const organization = chat.organization.value
  const values = organization as unknown as Readonly<Record<`realm_${OrganizationPermission}`, GroupValue>>
  return (
    <PermissionsForm
      permissions={permissions.map(({ isForOwners, ...permission }) => ({
        ...permission,
        fixedBecause: isForOwners === true && !isOwner(chat) ? t('Only owners change this.') : undefined,
      }))}
      rules={organization.server_supported_permission_settings?.realm ?? {}}
      values={
        Object.fromEntries(permissions.map(({ name }) => [name, values[`realm_${name}`]])) as Readonly<
          Record<OrganizationPermission, GroupValue>
        >
      }
      save={(changes) => chat.client.call('PATCH /realm', changes)}
    />
  )
}

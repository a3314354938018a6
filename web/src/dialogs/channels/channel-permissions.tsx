/** Who may do what in a channel. */

import type { Channel } from '@parley/client/realm'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { isAdministrator, mayInOrganization, mayReadChannel } from '../../realm/permissions.js'
import { type Permission, PermissionsForm } from '../permissions-form.js'

type ChannelPermission = Extract<keyof Channel, `can_${string}_group`>

const permissions: readonly (Permission<ChannelPermission> & { givesAccess?: true; forDeletion?: true })[] = [
  { name: 'can_send_message_group', label: t('Send messages') },
  { name: 'can_create_topic_group', label: t('Begin topics') },
  { name: 'can_subscribe_group', label: t('Join without being added'), givesAccess: true },
  { name: 'can_add_subscribers_group', label: t('Add subscribers'), givesAccess: true },
  { name: 'can_remove_subscribers_group', label: t('Remove subscribers') },
  { name: 'can_move_messages_within_channel_group', label: t('Move messages to other topics') },
  { name: 'can_move_messages_out_of_channel_group', label: t('Move messages to other channels') },
  { name: 'can_resolve_topics_group', label: t('Mark topics as resolved') },
  { name: 'can_delete_any_message_group', label: t('Delete messages of others'), forDeletion: true },
  { name: 'can_delete_own_message_group', label: t('Delete their own messages'), forDeletion: true },
  { name: 'can_administer_channel_group', label: t('Administer the channel') },
]

/** The page "Permissions". Only a user who may read the channel may let others read it. */
export const ChannelPermissions = ({ channel }: { channel: Channel }) => {
  const chat = useChat()
  const isReader = mayReadChannel(chat, channel)
  const choosesDeleters = isAdministrator(chat) || mayInOrganization(chat, 'can_set_delete_message_policy_group')
  return (
    <PermissionsForm
      permissions={permissions.filter(
        ({ givesAccess, forDeletion }) =>
          (isReader || givesAccess !== true) && (choosesDeleters || forDeletion !== true),
      )}
      rules={chat.organization.value.server_supported_permission_settings?.stream ?? {}}
      values={channel}
      save={(changes) => chat.client.call('PATCH /streams/{stream_id}', { stream_id: channel.stream_id, ...changes })}
    >
      <p class="soft-text">{t('Administrators of the organization may always change a channel that they see.')}</p>
    </PermissionsForm>
  )
}

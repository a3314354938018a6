/** Who may do what in a channel. */
import type { Channel } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { useChat } from '../../realm/chat.js'
import { groupValueOf, holdersOf } from '../../realm/groups.js'
import { type GroupValue, mayReadChannel } from '../../realm/permissions.js'
import { ActionNote, useAction } from '../action.js'
import { HoldersPicker } from '../holders-picker.js'

type ChannelPermission = Extract<keyof Channel, `can_${string}_group`>

const permissions: readonly { name: ChannelPermission; label: string; givesAccess?: true }[] = [
  { name: 'can_send_message_group', label: 'Send messages' },
  { name: 'can_subscribe_group', label: 'Join without being added', givesAccess: true },
  { name: 'can_add_subscribers_group', label: 'Add subscribers', givesAccess: true },
  { name: 'can_remove_subscribers_group', label: 'Remove subscribers' },
  { name: 'can_move_messages_within_channel_group', label: 'Move messages to other topics' },
  { name: 'can_move_messages_out_of_channel_group', label: 'Move messages to other channels' },
  { name: 'can_administer_channel_group', label: 'Administer the channel' },
]

/** The page "Permissions". Only a user who may read the channel may let others read it. */
export const ChannelPermissions = ({ channel }: { channel: Channel }) => {
  const chat = useChat()
  const action = useAction()
  const edited = useSignal<Partial<Record<ChannelPermission, GroupValue>>>({})
  const rules = chat.organization.value.server_supported_permission_settings?.stream ?? {}
  const isReader = mayReadChannel(chat, channel)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const changes = Object.entries(edited.value).map(([name, value]) => [
      name,
      { new: value, old: channel[name as ChannelPermission] },
    ])
    const call = () =>
      chat.client.call('PATCH /streams/{stream_id}', {
        stream_id: channel.stream_id,
        ...Object.fromEntries(changes),
      })
    if (await action.run(call, 'Saved.')) edited.value = {}
  }
  return (
    <form class="dialog-form" onSubmit={save}>
      <p class="soft-text">Administrators of the organization may always change a channel that they see.</p>
      {permissions
        .filter(({ givesAccess }) => isReader || givesAccess !== true)
        .map(({ name, label }) => (
          <HoldersPicker
            key={name}
            label={label}
            withPeople
            chosen={holdersOf(chat, edited.value[name] ?? channel[name])}
            isOffered={(group) =>
              group.name !== 'role:nobody' &&
              group.name !== 'role:internet' &&
              (group.name !== 'role:everyone' || rules[name]?.allow_everyone_group === true)
            }
            onChange={(holders) => {
              edited.value = { ...edited.value, [name]: groupValueOf(holders) }
            }}
          />
        ))}
      <ActionNote action={action} />
      <div class="form-buttons">
        <button
          class="button button-primary"
          type="submit"
          disabled={Object.keys(edited.value).length === 0 || action.state.value.isBusy}
        >
          Save the permissions
        </button>
      </div>
    </form>
  )
}

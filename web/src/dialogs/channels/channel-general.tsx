/** The properties of a channel. Channel administrators change them here. */
import type { Channel } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { ActionNote, useAction } from '../../forms/action.js'
import { useMentions } from '../../messages/parts/mentions.js'
import { RenderedMessage } from '../../messages/rendered/rendered-message.js'
import { useChat } from '../../realm/chat.js'
import { describeHolders, holdersOf } from '../../realm/groups.js'
import { userName } from '../../realm/names.js'
import { mayAdministerChannel } from '../../realm/permissions.js'
import { linkTo } from '../../routing/location.js'
import { channelView } from '../../routing/views.js'
import { formatDate } from '../../ui/times.js'
import { ChannelNameFields } from './channel-name-fields.js'
import { FolderField } from './folder-field.js'
import { MembershipButton } from './membership-button.js'
import { privacyKinds, privacyOf } from './privacy.js'

/** The page "About". */
export const ChannelGeneral = ({ channel }: { channel: Channel }) => {
  const chat = useChat()
  const action = useAction()
  const mentions = useMentions(chat)
  const privacy = privacyKinds.find(({ value }) => value === privacyOf(channel))
  return (
    <>
      {mayAdministerChannel(chat, channel) ? (
        <EditChannel channel={channel} />
      ) : (
        <div dir="auto">
          {channel.description === '' ? (
            <p>This channel has no description.</p>
          ) : (
            <RenderedMessage html={channel.rendered_description} mentions={mentions} />
          )}
        </div>
      )}
      <dl class="user-card-facts">
        <dt>Who can read it</dt>
        <dd>
          {privacy?.label}. {privacy?.hint}
        </dd>
        <dt>Created</dt>
        <dd>
          {formatDate(new Date(channel.date_created * 1000))}
          {channel.creator_id !== null && (
            <>
              {' by '}
              <bdi>{userName(chat, channel.creator_id)}</bdi>
            </>
          )}
        </dd>
        <dt>Who can write</dt>
        <dd>{describeHolders(chat, holdersOf(chat, channel.can_send_message_group))}</dd>
        <dt>Subscribers</dt>
        <dd>{channel.subscriber_count}</dd>
      </dl>
      <div class="form-buttons">
        <a class="button" href={linkTo(channelView(channel.stream_id))}>
          Open the channel
        </a>
        {!channel.is_archived && <MembershipButton channel={channel} action={action} />}
      </div>
      <ActionNote action={action} />
    </>
  )
}

const EditChannel = ({ channel }: { channel: Channel }) => {
  const chat = useChat()
  const action = useAction()
  const name = useSignal(channel.name)
  const description = useSignal(channel.description)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    void action.run(
      () =>
        chat.client.call('PATCH /streams/{stream_id}', {
          stream_id: channel.stream_id,
          ...(name.value !== channel.name && { new_name: name.value.trim() }),
          ...(description.value !== channel.description && { description: description.value.trim() }),
        }),
      'Saved.',
    )
  }
  const move = (folderId: number) =>
    void action.run(
      () =>
        chat.client.call('PATCH /streams/{stream_id}', {
          stream_id: channel.stream_id,
          folder_id: folderId === 0 ? null : folderId,
        }),
      'Saved.',
    )
  return (
    <form class="dialog-form" onSubmit={save}>
      <ChannelNameFields name={name} description={description} />
      <FolderField value={channel.folder_id ?? 0} onChange={move} />
      <ActionNote action={action} />
      <div class="form-buttons">
        <button
          class="button button-primary"
          type="submit"
          disabled={name.value === channel.name && description.value === channel.description}
        >
          Save
        </button>
      </div>
    </form>
  )
}

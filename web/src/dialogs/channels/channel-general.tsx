/** The properties of a channel. Channel administrators change them here. */

import type { Channel } from '@parley/client/realm'
import { ActionStatus, useAction } from '../../forms/action.js'
import { changedTexts, Form, FormEnd, isEmpty, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
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
  const created = formatDate(new Date(channel.date_created * 1000))
  const privacy = privacyKinds.find(({ value }) => value === privacyOf(channel))
  return (
    <>
      {mayAdministerChannel(chat, channel) ? (
        <EditChannel channel={channel} />
      ) : (
        <div dir="auto">
          {channel.description === '' ? (
            <p>{t('This channel has no description.')}</p>
          ) : (
            <RenderedMessage html={channel.rendered_description} mentions={mentions} />
          )}
        </div>
      )}
      <dl class="user-card-facts">
        <dt>{t('Who can read it')}</dt>
        <dd>
          {privacy !== undefined &&
            t('{privacy}. {explanation}', { privacy: privacy.label, explanation: privacy.hint })}
        </dd>
        <dt>{t('Created')}</dt>
        <dd>
          {channel.creator_id === null
            ? created
            : t.rich('{date} by {name}', {}, { date: created, name: <bdi>{userName(chat, channel.creator_id)}</bdi> })}
        </dd>
        <dt>{t('Who can write')}</dt>
        <dd>{describeHolders(chat, holdersOf(chat, channel.can_send_message_group))}</dd>
        <dt>{t('Subscribers')}</dt>
        <dd>{channel.subscriber_count}</dd>
      </dl>
      <div class="form-buttons">
        <a class="button" href={linkTo(channelView(channel.stream_id))}>
          {t('Open the channel')}
        </a>
        {!channel.is_archived && <MembershipButton channel={channel} action={action} />}
      </div>
      <ActionStatus action={action} />
    </>
  )
}

const EditChannel = ({ channel }: { channel: Channel }) => {
  const { client } = useChat()
  const { stream_id } = channel
  const form = useForm({
    values: { name: channel.name, description: channel.description },
    send: (values) => {
      const { name: new_name, description } = changedTexts(values, channel)
      return client.call('PATCH /streams/{stream_id}', {
        stream_id,
        ...(new_name !== undefined && { new_name }),
        ...(description !== undefined && { description }),
      })
    },
    done: t('Saved.'),
  })
  const move = (folderId: number) =>
    void form.action.run(
      () => client.call('PATCH /streams/{stream_id}', { stream_id, folder_id: folderId === 0 ? null : folderId }),
      t('Saved.'),
    )
  return (
    <Form of={form}>
      <ChannelNameFields name={form.bind('name')} description={form.bind('description')} />
      <FolderField value={channel.folder_id ?? 0} onChange={move} />
      <FormEnd of={form} label={t('Save')} isDisabled={isEmpty(changedTexts(form.values, channel))} />
    </Form>
  )
}

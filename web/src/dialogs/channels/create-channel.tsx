/** The form with which the user creates a channel. */

import { ChoiceField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { open } from '../../routing/location.js'
import { channelView } from '../../routing/views.js'
import { PeoplePicker } from '../people-picker.js'
import { ChannelNameFields } from './channel-name-fields.js'
import { FolderField } from './folder-field.js'
import { permittedKinds, privacyParams } from './privacy.js'

/** The form. Afterwards the new channel is open. */
export const CreateChannel = () => {
  const chat = useChat()
  const kinds = permittedKinds(chat)
  const form = useForm({
    values: {
      name: '',
      description: '',
      privacy: kinds[0]?.value ?? 'public',
      folderId: 0,
      others: [] as number[],
    },
    send: async ({ name, description, privacy, folderId, others }) => {
      const { id } = await chat.client.call('POST /channels/create', {
        name: name.trim(),
        description: description.trim(),
        ...privacyParams(privacy),
        ...(folderId !== 0 && { folder_id: folderId }),
        subscribers: [chat.ownUserId as number, ...others],
      })
      open(channelView(id))
    },
  })
  return (
    <Form of={form}>
      <ChannelNameFields name={form.bind('name')} description={form.bind('description')} />
      <ChoiceField label={t('Who can read it')} options={kinds} {...form.bind('privacy')} />
      <FolderField {...form.bind('folderId')} />
      <PeoplePicker
        label={t('First subscribers besides you')}
        isExcluded={(userId) => userId === chat.ownUserId}
        {...form.bind('others')}
      />
      <FormEnd of={form} label={t('Create the channel')} />
    </Form>
  )
}

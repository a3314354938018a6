/** The form with which the user creates a channel. */
import { useSignal } from '@preact/signals'
import { type Chat, useChat } from '../../realm/chat.js'
import { mayInOrganization } from '../../realm/permissions.js'
import { open } from '../../routing/location.js'
import { channelView } from '../../routing/views.js'
import { ActionNote, useAction } from '../action.js'
import { ChoiceField, SelectField, TextField } from '../fields.js'
import { PeoplePicker } from '../people-picker.js'
import { type Privacy, privacyKinds, privacyParams } from './privacy.js'

/** The form. Afterwards the new channel is open. */
export const CreateChannel = () => {
  const chat = useChat()
  const action = useAction()
  const kinds = permittedKinds(chat)
  const name = useSignal('')
  const description = useSignal('')
  const privacy = useSignal<Privacy>(kinds[0]?.value ?? 'public')
  const folder = useSignal(0)
  const others = useSignal<number[]>([])
  const { max_stream_name_length, max_stream_description_length } = chat.organization.value
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    await action.run(async () => {
      const { id } = await chat.client.call('POST /channels/create', {
        name: name.value.trim(),
        description: description.value.trim(),
        ...privacyParams(privacy.value),
        ...(folder.value !== 0 && { folder_id: folder.value }),
        subscribers: [chat.ownUserId as number, ...others.value],
      })
      open(channelView(id))
    })
  }
  return (
    <form class="dialog-form" onSubmit={submit}>
      <TextField
        label="Name"
        value={name.value}
        maxLength={max_stream_name_length}
        isRequired
        onChange={(value) => {
          name.value = value
        }}
      />
      <TextField
        label="Description"
        value={description.value}
        maxLength={max_stream_description_length}
        rows={2}
        onChange={(value) => {
          description.value = value
        }}
      />
      <ChoiceField
        label="Who can read it"
        value={privacy.value}
        options={kinds}
        onChange={(value) => {
          privacy.value = value
        }}
      />
      <FolderField
        value={folder.value}
        onChange={(value) => {
          folder.value = value
        }}
      />
      <PeoplePicker
        label="First subscribers besides you"
        chosen={others.value}
        isExcluded={(userId) => userId === chat.ownUserId}
        onChange={(userIds) => {
          others.value = userIds
        }}
      />
      <ActionNote action={action} />
      <div class="form-buttons">
        <button class="button button-primary" type="submit" disabled={action.state.value.isBusy}>
          Create the channel
        </button>
      </div>
    </form>
  )
}

/** The kinds of channels that the user may create. */
const permittedKinds = (chat: Chat) => {
  const { server_web_public_streams_enabled, realm_enable_spectator_access } = chat.organization.value
  const mayPublic = mayInOrganization(chat, 'realm_can_create_public_channel_group')
  const mayPrivate = mayInOrganization(chat, 'realm_can_create_private_channel_group')
  const mayWebPublic =
    mayPublic &&
    server_web_public_streams_enabled === true &&
    realm_enable_spectator_access === true &&
    mayInOrganization(chat, 'realm_can_create_web_public_channel_group')
  return privacyKinds.filter(({ value }) => {
    if (value === 'public') return mayPublic
    return value === 'web-public' ? mayWebPublic : mayPrivate
  })
}

/** The folder of a channel; nothing in an organization without folders. */
export const FolderField = ({ value, onChange }: { value: number; onChange: (folderId: number) => void }) => {
  const folders = [...useChat().folders.value.values()].filter(({ is_archived }) => !is_archived)
  if (folders.length === 0) return null
  const options = [{ value: 0, label: 'No folder' }, ...folders.map(({ id, name }) => ({ value: id, label: name }))]
  return <SelectField label="Folder" value={value} options={options} onChange={onChange} />
}

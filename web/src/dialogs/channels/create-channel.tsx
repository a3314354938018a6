/** The form with which the user creates a channel. */
import { useSignal } from '@preact/signals'
import { ActionNote, useAction } from '../../forms/action.js'
import { ChoiceField } from '../../forms/fields.js'
import { useChat } from '../../realm/chat.js'
import { open } from '../../routing/location.js'
import { channelView } from '../../routing/views.js'
import { PeoplePicker } from '../people-picker.js'
import { ChannelNameFields } from './channel-name-fields.js'
import { FolderField } from './folder-field.js'
import { type Privacy, permittedKinds, privacyParams } from './privacy.js'

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
      <ChannelNameFields name={name} description={description} />
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

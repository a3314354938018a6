/** The form with which the user creates a group. */
import { useSignal } from '@preact/signals'
import { ActionNote, useAction } from '../../forms/action.js'
import { useChat } from '../../realm/chat.js'
import type { Holders } from '../../realm/groups.js'
import { openOverlay } from '../../routing/location.js'
import { HoldersPicker } from '../holders-picker.js'
import { GroupNameFields } from './group-name-fields.js'

/** The form. Afterwards the new group is open. */
export const CreateGroup = () => {
  const chat = useChat()
  const action = useAction()
  const name = useSignal('')
  const description = useSignal('')
  const members = useSignal<Holders>({ userIds: [chat.ownUserId as number], groupIds: [] })
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    await action.run(async () => {
      const { group_id } = await chat.client.call('POST /user_groups/create', {
        name: name.value.trim(),
        description: description.value.trim(),
        members: [...members.value.userIds],
        subgroups: [...members.value.groupIds],
      })
      openOverlay('groups', String(group_id))
    })
  }
  return (
    <form class="dialog-form" onSubmit={submit}>
      <GroupNameFields name={name} description={description} />
      <HoldersPicker
        label="First members"
        hint="People, and groups whose members belong to this one too."
        withPeople
        chosen={members.value}
        isOffered={(group) => group.name !== 'role:nobody' && group.name !== 'role:internet'}
        onChange={(holders) => {
          members.value = holders
        }}
      />
      <ActionNote action={action} />
      <div class="form-buttons">
        <button class="button button-primary" type="submit" disabled={action.state.value.isBusy}>
          Create the group
        </button>
      </div>
    </form>
  )
}

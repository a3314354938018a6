/** The form with which the user creates a group. */

import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import type { Holders } from '../../realm/groups.js'
import { openOverlay } from '../../routing/location.js'
import { HoldersPicker } from '../holders-picker.js'
import { GroupNameFields } from './group-name-fields.js'

/** The form. Afterwards the new group is open. */
export const CreateGroup = () => {
  const chat = useChat()
  const form = useForm({
    values: {
      name: '',
      description: '',
      members: { userIds: [chat.ownUserId as number], groupIds: [] } as Holders,
    },
    send: async ({ name, description, members }) => {
      const { group_id } = await chat.client.call('POST /user_groups/create', {
        name: name.trim(),
        description: description.trim(),
        members: [...members.userIds],
        subgroups: [...members.groupIds],
      })
      openOverlay('groups', String(group_id))
    },
  })
  return (
    <Form of={form}>
      <GroupNameFields name={form.bind('name')} description={form.bind('description')} />
      <HoldersPicker
        label={t('First members')}
        hint={t('People, and groups whose members belong to this one too.')}
        withPeople
        isOffered={(group) => group.name !== 'role:nobody' && group.name !== 'role:internet'}
        {...form.bind('members')}
      />
      <FormEnd of={form} label={t('Create the group')} />
    </Form>
  )
}

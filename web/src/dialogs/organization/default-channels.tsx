/** The channels that new users join: those that all join, and groups of channels among which they choose. */

import type { Channel } from '@parley/client/realm'
import { ActionStatus, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { changedTexts, Form, FormEnd, isEmpty, useForm } from '../../forms/form.js'
import { listNames } from '../../languages/lists.js'
import { t } from '../../languages/t.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { channelName } from '../../realm/names.js'
import { ChannelPicker } from '../channel-picker.js'
import { EditableEntry } from '../editable-entry.js'

/** The page "Default channels". */
export const DefaultChannels = () => (
  <>
    <ForEveryone />
    <Groups />
  </>
)

/** Whether new users can be subscribed to the channel. */
const isJoinable = ({ is_archived, invite_only }: Channel): boolean => !is_archived && !invite_only

const groupsOf = (chat: Chat) => chat.organization.value.realm_default_stream_groups ?? []

/** What was added to a list of ids, and what was removed from it. */
const compareLists = (before: readonly number[], after: readonly number[]) => ({
  added: after.filter((id) => !before.includes(id)),
  removed: before.filter((id) => !after.includes(id)),
})

const ForEveryone = () => {
  const chat = useChat()
  const action = useAction()
  const channelIds = chat.organization.value.realm_default_streams ?? []
  const grouped = new Set(groupsOf(chat).flatMap(({ streams }) => streams))
  const change = (chosen: readonly number[]) =>
    action.run(async () => {
      const { added, removed } = compareLists(channelIds, chosen)
      for (const stream_id of added) await chat.client.call('POST /default_streams', { stream_id })
      for (const stream_id of removed) await chat.client.call('DELETE /default_streams', { stream_id })
    }, t('Saved.'))
  return (
    <section class="dialog-group" aria-label={t('For every new user')}>
      <h3>{t('For every new user')}</h3>
      <ChannelPicker
        label={t('Channels that new users join')}
        hint={t('Who invites someone can leave them out. Accounts that exist do not change.')}
        value={channelIds}
        isOffered={(channel) => isJoinable(channel) && !grouped.has(channel.stream_id)}
        onChange={change}
      />
      <ActionStatus action={action} />
    </section>
  )
}

type Group = ReturnType<typeof groupsOf>[number]

const Groups = () => {
  const chat = useChat()
  const action = useAction()
  const groups = groupsOf(chat)
  const remove = ({ id: group_id }: Group) =>
    action.run(
      () => chat.client.call('DELETE /default_stream_groups/{group_id}', { group_id }),
      t('The group was removed. Its channels did not change.'),
    )
  return (
    <section class="dialog-group" aria-label={t('Groups of channels')}>
      <h3>{t('Groups of channels')}</h3>
      <p class="soft-text">{t('New users choose among these groups, and join all channels of a group at once.')}</p>
      <ul class="dialog-rows" aria-label={t('Groups of default channels')}>
        {groups.map((group) => (
          <EditableEntry
            key={group.id}
            name={group.name}
            summary={describeGroup(chat, group)}
            removal={{ label: t('Remove'), confirmLabel: t('Remove {name} now', { name: group.name }) }}
            onRemove={() => remove(group)}
          >
            <GroupForm group={group} />
          </EditableEntry>
        ))}
      </ul>
      <ActionStatus action={action} />
      <section class="dialog-group" aria-label={t('A new group of channels')}>
        <h3>{t('A new group of channels')}</h3>
        <NewGroup />
      </section>
    </section>
  )
}

const describeGroup = (chat: Chat, { description, streams }: Group): string => {
  const channels = listNames(streams.map((id) => `#${channelName(chat, id)}`))
  return [...(description === '' ? [] : [description]), channels === '' ? t('no channels') : channels].join(' · ')
}

/** The channels that can be in a group. Those for every new user cannot. */
const isOfferedTo = (chat: Chat) => (channel: Channel) =>
  isJoinable(channel) && chat.organization.value.realm_default_streams?.includes(channel.stream_id) !== true

const GroupForm = ({ group: { id: group_id, name, description, streams } }: { group: Group }) => {
  const chat = useChat()
  const form = useForm({
    values: { name, description },
    send: (values) => {
      const changes = changedTexts(values, { name, description })
      return chat.client.call('PATCH /default_stream_groups/{group_id}', {
        group_id,
        ...(changes.name !== undefined && { new_group_name: changes.name }),
        ...(changes.description !== undefined && { new_description: changes.description }),
      })
    },
    done: t('Saved.'),
  })
  const changeChannels = (chosen: readonly number[]) =>
    form.action.run(async () => {
      const { added, removed } = compareLists(streams, chosen)
      for (const [op, ids] of [['add', added] as const, ['remove', removed] as const]) {
        if (ids.length === 0) continue
        const stream_names = ids.map((id) => channelName(chat, id))
        await chat.client.call('PATCH /default_stream_groups/{group_id}/streams', { group_id, op, stream_names })
      }
    }, t('Saved.'))
  return (
    <Form of={form}>
      <ChannelPicker
        label={t('Channels of {name}', { name })}
        value={streams}
        isOffered={isOfferedTo(chat)}
        onChange={changeChannels}
      />
      <TextField label={t('Name of the group')} isRequired {...form.bind('name')} />
      <TextField label={t('Description')} {...form.bind('description')} />
      <FormEnd of={form} label={t('Save')} isDisabled={isEmpty(changedTexts(form.values, { name, description }))} />
    </Form>
  )
}

const NewGroup = () => {
  const chat = useChat()
  const form = useForm({
    values: { name: '', description: '', channelIds: [] as number[] },
    send: ({ name, description, channelIds }) =>
      chat.client.call('POST /default_stream_groups/create', {
        group_name: name.trim(),
        description: description.trim(),
        stream_names: channelIds.map((id) => channelName(chat, id)),
      }),
    done: t('The group was created.'),
    renews: 'all',
  })
  return (
    <Form of={form}>
      <div class="dialog-two-columns">
        <TextField label={t('Name of the group')} isRequired {...form.bind('name')} />
        <TextField label={t('Description')} {...form.bind('description')} />
      </div>
      <ChannelPicker label={t('Its channels')} isOffered={isOfferedTo(chat)} {...form.bind('channelIds')} />
      <FormEnd of={form} label={t('Create the group')} />
    </Form>
  )
}

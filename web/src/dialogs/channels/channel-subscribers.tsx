/** The subscribers of a channel, and the form with which others are added. */

import type { Channel, User } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { bind, Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { filterByName, sortByName } from '../../members/member-rows.js'
import { useChat } from '../../realm/chat.js'
import { mayAddSubscribers, mayRemoveSubscribers } from '../../realm/permissions.js'
import { PeopleList } from '../people-list.js'
import { PeoplePicker } from '../people-picker.js'

/** The page "Subscribers". */
export const ChannelSubscribers = ({ channel }: { channel: Channel }) => {
  const chat = useChat()
  const action = useAction()
  const words = useSignal('')
  const ids = chat.members(channel.stream_id).value
  const users = chat.users.value
  const sorted = useMemo(
    () => sortByName(new Map([...(ids ?? [])].flatMap((id) => (users.has(id) ? [[id, users.get(id) as User]] : [])))),
    [ids, users],
  )
  if (ids === undefined) return <p class="soft-text">{t('The list is being fetched…')}</p>
  const mayRemove = mayRemoveSubscribers(chat, channel)
  return (
    <>
      {mayAddSubscribers(chat, channel) && <AddSubscribers channel={channel} subscribed={ids} />}
      <TextField label={t('Search subscribers')} type="search" {...bind(words)} />
      <ActionStatus action={action} />
      <PeopleList
        label={t('Subscribers')}
        users={filterByName(sorted, words.value)}
        renderEnd={(user) => mayRemove && <RemoveButton channel={channel} user={user} action={action} />}
      />
    </>
  )
}

const AddSubscribers = ({ channel, subscribed }: { channel: Channel; subscribed: ReadonlySet<number> }) => {
  const chat = useChat()
  const form = useForm({
    values: { userIds: [] as number[] },
    send: ({ userIds }) =>
      chat.client.call('POST /users/me/subscriptions', {
        subscriptions: [{ name: channel.name }],
        principals: userIds,
      }),
    done: t('Added.'),
    renews: 'all',
  })
  const isBusy = form.action.state.value.isBusy
  return (
    <Form of={form}>
      <PeoplePicker label={t('Add people')} isExcluded={(userId) => subscribed.has(userId)} {...form.bind('userIds')} />
      <FormEnd of={form} label={t('Add')} isDisabled={form.values.userIds.length === 0 || isBusy} />
    </Form>
  )
}

const RemoveButton = ({ channel, user, action }: { channel: Channel; user: User; action: Action }) => {
  const chat = useChat()
  const remove = () =>
    chat.client.call('DELETE /users/me/subscriptions', { subscriptions: [channel.name], principals: [user.user_id] })
  return (
    <button
      type="button"
      class="button"
      aria-label={t('Remove {name}', { name: user.full_name })}
      onClick={() => action.run(remove, t('{name} was removed.', { name: user.full_name }))}
    >
      {t('Remove')}
    </button>
  )
}

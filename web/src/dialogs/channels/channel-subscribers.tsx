/** The subscribers of a channel, and the form with which others are added. */
import type { Channel, User } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { type Action, ActionNote, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
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
  if (ids === undefined) return <p class="soft-text">The list is being fetched…</p>
  const mayRemove = mayRemoveSubscribers(chat, channel)
  return (
    <>
      {mayAddSubscribers(chat, channel) && <AddSubscribers channel={channel} subscribed={ids} />}
      <TextField
        label="Search subscribers"
        type="search"
        value={words.value}
        onChange={(value) => {
          words.value = value
        }}
      />
      <ActionNote action={action} />
      <PeopleList
        label="Subscribers"
        users={filterByName(sorted, words.value)}
        renderEnd={(user) => mayRemove && <RemoveButton channel={channel} user={user} action={action} />}
      />
    </>
  )
}

const AddSubscribers = ({ channel, subscribed }: { channel: Channel; subscribed: ReadonlySet<number> }) => {
  const chat = useChat()
  const action = useAction()
  const chosen = useSignal<number[]>([])
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const call = () =>
      chat.client.call('POST /users/me/subscriptions', {
        subscriptions: [{ name: channel.name }],
        principals: chosen.value,
      })
    if (await action.run(call, 'Added.')) chosen.value = []
  }
  return (
    <form class="dialog-form" onSubmit={add}>
      <PeoplePicker
        label="Add people"
        chosen={chosen.value}
        isExcluded={(userId) => subscribed.has(userId)}
        onChange={(userIds) => {
          chosen.value = userIds
        }}
      />
      <ActionNote action={action} />
      <div class="form-buttons">
        <button
          class="button button-primary"
          type="submit"
          disabled={chosen.value.length === 0 || action.state.value.isBusy}
        >
          Add
        </button>
      </div>
    </form>
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
      aria-label={`Remove ${user.full_name}`}
      onClick={() => action.run(remove, `${user.full_name} was removed.`)}
    >
      Remove
    </button>
  )
}

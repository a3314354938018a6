/** The fields that say where a new message goes: a channel and a topic, or users. */

import type { Channel, User } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { findChannels, findTopics, findUsers } from '../finding/find.js'
import { t } from '../languages/t.js'
import { plainText } from '../messages/rendered/plain-text.js'
import { useChat } from '../realm/chat.js'
import { channelName, topicName, userName } from '../realm/names.js'
import { needsTopic } from '../realm/posting.js'
import { Avatar } from '../ui/avatar.js'
import { ChannelMark } from '../ui/channel-mark.js'
import { Icon } from '../ui/icon.js'
import { SuggestField } from '../ui/suggest-field.js'
import { focusCompose, type Target } from './compose-target.js'

interface TargetFormProps {
  target: Target
  onChange: (target: Target) => void
}

const MAX_SUGGESTIONS = 6

/** Shows the fields. */
export const TargetForm = ({ target, onChange }: TargetFormProps) => {
  const name = useId()
  return (
    <div class="target-form">
      <fieldset class="target-kinds">
        <legend class="only-for-screen-readers">{t('Send to')}</legend>
        <label>
          <input
            type="radio"
            name={name}
            checked={target.kind === 'topic'}
            onChange={() => onChange({ kind: 'topic', channelId: undefined, topic: '' })}
          />
          {t('Channel')}
        </label>
        <label>
          <input
            type="radio"
            name={name}
            checked={target.kind === 'direct'}
            onChange={() => onChange({ kind: 'direct', userIds: [] })}
          />
          {t('Direct message')}
        </label>
      </fieldset>
      {target.kind === 'topic' ? (
        <TopicFields target={target} onChange={onChange} />
      ) : (
        <UserField userIds={target.userIds} onChange={(userIds) => onChange({ kind: 'direct', userIds })} />
      )}
    </div>
  )
}

const TopicFields = ({
  target,
  onChange,
}: {
  target: Extract<Target, { kind: 'topic' }>
  onChange: (target: Target) => void
}) => {
  const chat = useChat()
  const topics = target.channelId === undefined ? [] : findTopics(chat, target.channelId, target.topic)
  const channel = target.channelId === undefined ? undefined : chat.channels.value.get(target.channelId)
  const isNeeded = channel !== undefined && needsTopic(chat, channel)
  return (
    <>
      <ChannelField target={target} onChange={onChange} />
      <SuggestField
        label={t('Topic')}
        placeholder={isNeeded ? t('Topic (needed)') : t('Topic ({topic})', { topic: topicName(chat, '') })}
        value={target.topic}
        most={chat.organization.value.max_topic_length}
        tabLeaves
        isFirst={target.channelId !== undefined}
        items={topics.filter(({ name }) => name !== target.topic).slice(0, MAX_SUGGESTIONS)}
        keyOf={({ name }) => name}
        render={({ name }) => (
          <span class="suggestion-label" dir="auto">
            {topicName(chat, name)}
          </span>
        )}
        onInput={(topic) => onChange({ ...target, topic })}
        onPick={({ name }) => onChange({ ...target, topic: name })}
      />
    </>
  )
}

type Recipient = { channel: Channel } | { user: User }

/** The field for the channel. It finds people too: choosing one makes the message a direct one. */
const ChannelField = ({
  target,
  onChange,
}: {
  target: Extract<Target, { kind: 'topic' }>
  onChange: (target: Target) => void
}) => {
  const chat = useChat()
  const query = useSignal<string | undefined>(undefined)
  const words = query.value?.replace(/^#/, '') ?? ''
  const channels = findChannels(chat, words)
    .filter(({ stream_id }) => words !== '' || chat.subscriptions.value.has(stream_id))
    .map((channel): Recipient => ({ channel }))
  const people = words === '' ? [] : findUsers(chat, words).map((user): Recipient => ({ user }))
  const chosen = target.channelId === undefined ? '' : `#${channelName(chat, target.channelId)}`
  return (
    <SuggestField
      label={t('Channel')}
      placeholder={t('Channel or person')}
      class="target-channel"
      value={query.value ?? chosen}
      isFirst={target.channelId === undefined}
      opensEmpty
      items={[...channels.slice(0, MAX_SUGGESTIONS), ...people.slice(0, 3)]}
      keyOf={(item) => ('channel' in item ? `channel${item.channel.stream_id}` : `user${item.user.user_id}`)}
      render={(item) =>
        'user' in item ? (
          <PersonRow user={item.user} />
        ) : (
          <>
            <ChannelMark channel={item.channel} />
            <span class="suggestion-label" dir="auto">
              {item.channel.name}
            </span>
            <span class="suggestion-detail">{plainText(item.channel.rendered_description)}</span>
          </>
        )
      }
      onInput={(text) => {
        query.value = text
      }}
      onLeave={() => {
        query.value = undefined
      }}
      onPick={(item) => {
        query.value = undefined
        if ('user' in item) onChange({ kind: 'direct', userIds: [item.user.user_id] })
        else onChange({ ...target, channelId: item.channel.stream_id })
        focusCompose()
      }}
    />
  )
}

const PersonRow = ({ user }: { user: User }) => {
  const chat = useChat()
  return (
    <>
      <Avatar user={user} size="small" />
      <span class="suggestion-label" dir="auto">
        {userName(chat, user.user_id)}
      </span>
      <span class="suggestion-detail">{user.delivery_email}</span>
    </>
  )
}

const UserField = ({
  userIds,
  onChange,
}: {
  userIds: readonly number[]
  onChange: (userIds: readonly number[]) => void
}) => {
  const chat = useChat()
  const query = useSignal('')
  const found = findUsers(chat, query.value).filter(({ user_id: id }) => !userIds.includes(id))
  return (
    <div class="target-users">
      {userIds.map((id) => (
        <span key={id} class="target-user">
          <bdi>{userName(chat, id)}</bdi>
          <button
            type="button"
            aria-label={t('Remove {name}', { name: userName(chat, id) })}
            onClick={() => onChange(userIds.filter((other) => other !== id))}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <SuggestField
        label={t('Recipients')}
        placeholder={t('Add a person')}
        value={query.value}
        isFirst
        opensEmpty={userIds.length === 0}
        items={found.slice(0, MAX_SUGGESTIONS)}
        keyOf={({ user_id }) => String(user_id)}
        render={(user) => <PersonRow user={user} />}
        onInput={(text) => {
          query.value = text
        }}
        onPick={({ user_id }) => {
          query.value = ''
          onChange([...userIds, user_id])
        }}
        onRemove={() => onChange(userIds.slice(0, -1))}
      />
    </div>
  )
}

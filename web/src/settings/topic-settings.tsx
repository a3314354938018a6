/** The topics that the user muted, unmuted or follows. */

import type { TopicPolicy, UserTopic } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { ListFilter } from '../dialogs/list-filter.js'
import { type Action, ActionStatus, useAction } from '../forms/action.js'
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { channelName, topicName } from '../realm/names.js'
import { linkTo } from '../routing/location.js'
import { topicView } from '../routing/views.js'
import { ChannelMark } from '../ui/channel-mark.js'
import { Icon } from '../ui/icon.js'
import { ShowMore } from '../ui/show-more.js'

const policies: readonly { value: TopicPolicy; label: string }[] = [
  { value: 3, label: t('Followed') },
  { value: 2, label: t('Not muted') },
  { value: 1, label: t('Muted') },
  { value: 0, label: t('As the channel') },
]

type Kind = 'all' | '1' | '2' | '3'

const kinds: { value: Kind; label: string }[] = [
  { value: 'all', label: t('All') },
  { value: '3', label: t('Followed topics') },
  { value: '1', label: t('Muted topics') },
  { value: '2', label: t('Topics of muted channels that are not muted') },
]

/** Topics that are shown at first, and with each press of the button. */
const STEP = 100

/** The page "Topics". */
export const TopicSettings = () => {
  const chat = useChat()
  const action = useAction()
  const words = useSignal('')
  const kind = useSignal<Kind>('all')
  const most = useSignal(STEP)
  const topics = listTopics(chat)
  const wanted = words.value.trim().toLowerCase()
  const found = topics.filter(
    ({ stream_id, topic_name, visibility_policy }) =>
      (kind.value === 'all' || String(visibility_policy) === kind.value) &&
      `${channelName(chat, stream_id)} ${topicName(chat, topic_name)}`.toLowerCase().includes(wanted),
  )
  if (topics.length === 0) {
    return <p class="soft-text">{t('You have muted or followed no topic. The menu of each topic does that.')}</p>
  }
  return (
    <>
      <ListFilter label={t('Find a topic')} words={words} kind={kind} kinds={kinds} />
      <ActionStatus action={action} />
      {found.length === 0 && <p class="soft-text">{t('No topic of this kind has these words.')}</p>}
      <ul class="dialog-rows" aria-label={t('Topics')}>
        {found.slice(0, most.value).map((topic) => (
          <TopicLine key={`${topic.stream_id} ${topic.topic_name}`} topic={topic} action={action} />
        ))}
      </ul>
      <ShowMore total={found.length} most={most} step={STEP} />
    </>
  )
}

/** The topics with a policy, by channel; those of channels that the user cannot see any more are left out. */
const listTopics = (chat: Chat): UserTopic[] =>
  [...chat.userTopics.value]
    .filter(([channelId]) => chat.channels.value.has(channelId))
    .flatMap(([, topics]) => [...topics.values()])
    .sort(
      (one, other) =>
        compareTexts(channelName(chat, one.stream_id), channelName(chat, other.stream_id)) ||
        compareTexts(one.topic_name, other.topic_name),
    )

const TopicLine = ({ topic, action }: { topic: UserTopic; action: Action }) => {
  const chat = useChat()
  const { stream_id, topic_name, visibility_policy } = topic
  const channel = chat.channels.value.get(stream_id)
  const name = topicName(chat, topic_name)
  return (
    <li class="dialog-row topic-row">
      <a class="dialog-row-main dialog-row-title" href={linkTo(topicView(stream_id, topic_name))}>
        {channel !== undefined && <ChannelMark channel={channel} />}
        <bdi>{channelName(chat, stream_id)}</bdi>
        <Icon name="right" size={12} />
        <bdi>{name}</bdi>
      </a>
      <select
        class="text-field topic-policy"
        aria-label={t('You and {topic}', { topic: name })}
        onChange={({ currentTarget: select }) => {
          const chosen = policies[select.selectedIndex]?.value
          // The field shows what is so, and changes when the new value arrives.
          select.selectedIndex = policies.findIndex(({ value }) => value === visibility_policy)
          if (chosen === undefined) return
          const params = { stream_id, topic: topic_name, visibility_policy: chosen }
          void action.run(() => chat.client.call('POST /user_topics', params), t('Saved.'))
        }}
      >
        {policies.map(({ value, label }) => (
          <option key={value} value={value} selected={value === visibility_policy}>
            {label}
          </option>
        ))}
      </select>
    </li>
  )
}

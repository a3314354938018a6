/** The view `#topics/channel/3-general`: all topics of a channel, those with the newest message first. */

import { useComputed, useSignal } from '@preact/signals'
import { isTopicMutedBy, TopicPolicy, topicPolicy } from '#rules/topic-policies.js'
import { t } from '../languages/t.js'
import { MenuButton } from '../menus/menu-button.js'
import { menuHandlers } from '../menus/open-menu.js'
import { useChat } from '../realm/chat.js'
import { topicName } from '../realm/names.js'
import { countIds, currentMuting } from '../realm/unread.js'
import { linkTo } from '../routing/location.js'
import { channelView, topicView } from '../routing/views.js'
import { Count } from '../ui/count.js'
import { Icon } from '../ui/icon.js'
import { EmptyPlace } from './empty-place.js'
import './places.css'

/** The list of the topics of a channel. */
export const TopicsView = ({ channelId }: { channelId: number }) => {
  const chat = useChat()
  const words = useSignal('')
  const topics = chat.topics(channelId)
  const shown = useComputed(() => {
    const wanted = words.value.trim().toLowerCase()
    return (topics.value ?? []).filter(({ name }) => topicName(chat, name).toLowerCase().includes(wanted))
  })
  if (!chat.channels.value.has(channelId)) {
    return (
      <EmptyPlace
        icon="channels"
        title={t('No such channel')}
        text={t('It does not exist, or you cannot access it.')}
      />
    )
  }
  if (topics.value === undefined) return <p class="place-page soft-text">{t('Loading…')}</p>
  if (topics.value.length === 0) {
    return <EmptyPlace icon="channels" title={t('No topics yet')} text={t('The topics of the channel appear here.')} />
  }
  return (
    <div class="place-page" tabIndex={-1}>
      <div class="place-content">
        <input
          class="text-field"
          type="search"
          placeholder={t('Find a topic')}
          aria-label={t('Find a topic')}
          onInput={(event) => {
            words.value = event.currentTarget.value
          }}
        />
        {shown.value.length === 0 && <p class="soft-text">{t('No topic has these words in its name.')}</p>}
        {shown.value.length > 0 && (
          <ul class="place-list">
            {shown.value.map(({ name }) => (
              <TopicRow key={name} channelId={channelId} topic={name} />
            ))}
          </ul>
        )}
        <p>
          <a href={linkTo(channelView(channelId))}>{t('All messages of the channel')}</a>
        </p>
      </div>
    </div>
  )
}

const TopicRow = ({ channelId, topic }: { channelId: number; topic: string }) => {
  const chat = useChat()
  const muting = currentMuting(chat)
  const isMuted = isTopicMutedBy(muting, channelId, topic)
  const target = { kind: 'topic', channelId, topic } as const
  const name = topicName(chat, topic)
  const unread = chat.unread.value
  return (
    <li class="place-row has-menu">
      <a class="place-main" href={linkTo(topicView(channelId, topic))} {...menuHandlers(target)}>
        <span class={isMuted ? 'place-title soft-text' : 'place-title'}>
          {topicPolicy(muting, channelId, topic) === TopicPolicy.followed && <Icon name="follow" size={14} />}
          <span dir="auto">{name}</span>
          {isMuted && <span class="only-for-screen-readers"> {t('(muted)')}</span>}
        </span>
      </a>
      <Count count={countIds(unread.channels.get(channelId)?.get(topic) ?? [], unread)} isSoft={isMuted} />
      <MenuButton target={target} label={name} />
    </li>
  )
}

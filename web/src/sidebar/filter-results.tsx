/** What the filter of the sidebar finds: direct messages, channels, and topics below their channels. */

import type { Channel } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { findKnownTopics } from '../finding/known-topics.js'
import { matchName, rankByName } from '../finding/rank.js'
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { directName, otherParticipants, topicName } from '../realm/names.js'
import { countChannel, countIds, currentMuting, noCount } from '../realm/unread.js'
import { channelView, directView, topicView } from '../routing/views.js'
import { ChannelMark } from '../ui/channel-mark.js'
import { Icon } from '../ui/icon.js'
import { PresenceMark } from '../ui/presence-mark.js'
import { SidebarLink } from './sidebar-link.js'

/** The lines of each kind. */
const MOST = 30
/** The topics below each channel. */
const MOST_TOPICS = 8
const PAUSE_MS = 250

/** The conversations whose names contain the text. */
export const FilterResults = ({ text }: { text: string }) => {
  const chat = useChat()
  const direct = findDirect(chat, text)
  const channels = groupByChannel(chat, text, useFoundTopics(chat, text))
  return (
    <div class="sidebar-section">
      <ul class="sidebar-list" aria-label={t('Found conversations')}>
        {direct.map(({ key, userIds, name }) => (
          <SidebarLink
            key={key}
            view={directView(userIds)}
            label={name}
            count={countIds(chat.unread.value.direct.get(key) ?? [], chat.unread.value)}
            menu={{ kind: 'direct', userIds }}
            mark={userIds.length > 1 ? <Icon name="people" size={16} /> : <PresenceMark userId={userIds[0]} />}
          />
        ))}
        {channels.map(({ channel, topics }) => (
          <FoundChannel key={channel.stream_id} channel={channel} topics={topics} />
        ))}
      </ul>
      {direct.length + channels.length === 0 && (
        <p class="sidebar-hint">{t('No channel, topic or direct message has this name.')}</p>
      )}
    </div>
  )
}

const FoundChannel = ({ channel, topics }: { channel: Channel; topics: readonly string[] }) => {
  const chat = useChat()
  const { stream_id: channelId } = channel
  const unread = chat.unread.value
  const hasUnread = unread.channels.has(channelId)
  return (
    <>
      <SidebarLink
        view={channelView(channelId)}
        label={channel.name}
        count={hasUnread ? countChannel(channelId, unread, currentMuting(chat)) : noCount}
        mark={<ChannelMark channel={channel} />}
        isMuted={chat.subscriptions.value.get(channelId)?.is_muted === true}
        menu={{ kind: 'channel', channelId }}
      />
      {topics.length > 0 && (
        <li>
          <ul class="sidebar-list sidebar-topics">
            {topics.map((topic) => (
              <SidebarLink
                key={topic}
                view={topicView(channelId, topic)}
                label={topicName(chat, topic)}
                count={countIds(unread.channels.get(channelId)?.get(topic) ?? [], unread)}
                isSoft
                menu={{ kind: 'topic', channelId, topic }}
              />
            ))}
          </ul>
        </li>
      )}
    </>
  )
}

const findDirect = (chat: Chat, text: string) =>
  [...chat.directConversations.value]
    .sort(([, one], [, other]) => other - one)
    .map(([key]) => {
      const userIds = otherParticipants(chat, key)
      return { key, userIds, name: directName(chat, userIds) }
    })
    .filter(({ name }) => matchName(name, text) !== undefined)
    .slice(0, MOST)

interface FoundTopic {
  channelId: number
  name: string
}

/** The channels whose names match, then those that only have a topic that matches. */
const groupByChannel = (chat: Chat, text: string, found: readonly FoundTopic[]) => {
  const visible: Channel[] = chat.ownUserId === undefined ? [...chat.channels.value.values()] : []
  const channels = [...visible, ...chat.subscriptions.value.values()].filter(({ is_archived }) => !is_archived)
  const named = rankByName(channels, text, ({ name }) => name)
  const topicsOf = new Map<number, string[]>()
  for (const { channelId, name } of [...findUnreadTopics(chat, text), ...findKnownTopics(chat, text), ...found]) {
    const topics = topicsOf.get(channelId) ?? []
    const isKnown = topics.some((topic) => topic.toLowerCase() === name.toLowerCase())
    if (!isKnown && topics.length < MOST_TOPICS) topics.push(name)
    topicsOf.set(channelId, topics)
  }
  const others = channels.filter((channel) => topicsOf.has(channel.stream_id) && !named.includes(channel))
  return [...named, ...others]
    .slice(0, MOST)
    .map((channel) => ({ channel, topics: topicsOf.get(channel.stream_id) ?? [] }))
}

const findUnreadTopics = (chat: Chat, text: string): FoundTopic[] =>
  [...chat.unread.value.channels].flatMap(([channelId, topics]) =>
    [...topics.keys()]
      .filter((name) => matchName(topicName(chat, name), text) !== undefined)
      .map((name) => ({ channelId, name })),
  )

/** The topics of all channels of the user that begin with the text, which the server knows. */
const useFoundTopics = (chat: Chat, text: string): readonly FoundTopic[] => {
  const found = useSignal<readonly FoundTopic[]>([])
  useEffect(() => {
    if (chat.ownUserId === undefined) return
    let isCurrent = true
    const ask = async () => {
      const { topics } = await chat.client.call('GET /messages/matching_topics', { begin: text })
      if (isCurrent) found.value = topics.map(({ stream_id, name }) => ({ channelId: stream_id, name }))
    }
    // Without an answer, what the page knows is shown.
    const timer = setTimeout(() => void ask().catch(() => undefined), PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [chat, text])
  return found.value.filter(({ name }) => matchName(name, text) !== undefined)
}

/** The topics of the channel that is open: the recent ones and all with unread messages. */

import { computed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { isTopicMutedBy, TopicPolicy, topicPolicy } from '#rules/topic-policies.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { topicName } from '../realm/names.js'
import { countIds, countTopicForLine, currentMuting, noCount } from '../realm/unread.js'
import { topicView } from '../routing/views.js'
import { Icon } from '../ui/icon.js'
import { SidebarLink } from './sidebar-link.js'

/** Topics that are shown before the user asks for more. */
const SHOWN = 10

/** The topics of a channel. */
export const ChannelTopics = ({ channelId }: { channelId: number }) => {
  const chat = useChat()
  const topics = chat.topics(channelId)
  const showsAll = useSignal(false)
  useEffect(() => {
    showsAll.value = false
  }, [channelId])
  const rows = useMemo(
    () =>
      computed(() => {
        const unread = chat.unread.value
        const muting = currentMuting(chat)
        return (topics.value ?? []).map(({ name: topic }) => {
          const ids = unread.channels.get(channelId)?.get(topic)
          return {
            topic,
            count: ids === undefined ? noCount : countIds(ids, unread),
            isMuted: isTopicMutedBy(muting, channelId, topic),
            isFollowed: topicPolicy(muting, channelId, topic) === TopicPolicy.followed,
          }
        })
      }),
    [chat, channelId],
  )
  const visible = rows.value.filter(
    (row, index) => showsAll.value || index < SHOWN || (row.count.unread > 0 && !row.isMuted),
  )
  return (
    <li>
      <ul class="sidebar-list sidebar-topics">
        {visible.map(({ topic, count, isMuted, isFollowed }) => (
          <SidebarLink
            key={topic}
            view={topicView(channelId, topic)}
            label={topicName(chat, topic)}
            count={countTopicForLine(chat, count, isMuted)}
            isMuted={isMuted}
            isSoft
            menu={{ kind: 'topic', channelId, topic }}
            mark={isFollowed ? <Icon name="follow" size={13} /> : undefined}
          />
        ))}
        {visible.length < rows.value.length && (
          <li>
            <button
              type="button"
              class="sidebar-more"
              onClick={() => {
                showsAll.value = true
              }}
            >
              {t('{count, plural, other {Show all # topics}}', { count: rows.value.length })}
            </button>
          </li>
        )}
      </ul>
    </li>
  )
}

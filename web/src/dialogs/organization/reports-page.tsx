/**
 * The queue of reports: the topics of the channel that gets them, those first that are not resolved. The server posts
 * the reports about a user to one topic, and moderators resolve it when it is settled.
 */
import { isResolved, toggleResolved as toggleTopic } from '#rules/topics.js'
import { t } from '../../languages/t.js'
import { toggleResolved } from '../../messages/actions/message-calls.js'
import { topicPermissions } from '../../messages/actions/permissions.js'
import type { Chat } from '../../realm/chat.js'
import { useChat } from '../../realm/chat.js'
import { mayReadChannel } from '../../realm/permissions.js'
import { linkTo } from '../../routing/location.js'
import { topicView } from '../../routing/views.js'

/** The channel that gets reports; undefined: there is none, or the user may not read it. */
const findReportChannel = (chat: Chat) => {
  const channel = chat.channels.value.get(chat.organization.value.realm_moderation_request_channel_id ?? -1)
  return channel !== undefined && mayReadChannel(chat, channel) ? channel : undefined
}

/** Whether the user reads the channel that gets reports. */
export const readsReports = (chat: Chat): boolean => findReportChannel(chat) !== undefined

/** The page "Reports". */
export const ReportsPage = () => {
  const chat = useChat()
  const channel = findReportChannel(chat)
  const topics = channel === undefined ? undefined : chat.topics(channel.stream_id).value
  if (channel === undefined || topics === undefined) return <p class="soft-text">{t('Loading…')}</p>
  const open = topics.filter(({ name }) => !isResolved(name))
  const settled = topics.filter(({ name }) => isResolved(name))
  return (
    <>
      <p class="soft-text">
        {t('Reports about one person are one topic. Mark it as resolved when nothing is left to do.')}
      </p>
      <h3>
        {t('{count, plural, =0 {No open reports} one {# topic with open reports} other {# topics with open reports}}', {
          count: open.length,
        })}
      </h3>
      <TopicList channelId={channel.stream_id} topics={open} label={t('Open reports')} />
      {settled.length > 0 && (
        <details>
          <summary>{t('Settled reports')}</summary>
          <TopicList channelId={channel.stream_id} topics={settled} label={t('Settled reports')} />
        </details>
      )}
    </>
  )
}

interface TopicListProps {
  channelId: number
  topics: readonly { name: string; max_id: number }[]
  label: string
}

const TopicList = ({ channelId, topics, label }: TopicListProps) => {
  const chat = useChat()
  const channel = chat.channels.value.get(channelId)
  if (topics.length === 0 || channel === undefined) return null
  return (
    <ul class="dialog-rows" aria-label={label}>
      {topics.map(({ name, max_id }) => (
        <li key={name} class="dialog-row">
          <a class="dialog-row-main" href={linkTo(topicView(channelId, name))}>
            <bdi>{isResolved(name) ? toggleTopic(name) : name}</bdi>
          </a>
          {topicPermissions(chat, { subject: name, timestamp: Date.now() / 1000 }, channel).resolve && (
            <button
              type="button"
              class="button"
              aria-label={
                isResolved(name)
                  ? t('Mark as not resolved: {topic}', { topic: toggleTopic(name) })
                  : t('Mark as resolved: {topic}', { topic: name })
              }
              onClick={() => toggleResolved(chat, { id: max_id, subject: name })}
            >
              {isResolved(name) ? t('Mark as not resolved') : t('Mark as resolved')}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

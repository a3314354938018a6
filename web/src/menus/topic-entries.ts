/** What the menu of a topic offers. */

import type { Message } from '@parley/client'
import { isTopicMutedBy, TopicPolicy, topicPolicy } from '#rules/topic-policies.js'
import { isResolved } from '#rules/topics.js'
import { t } from '../languages/t.js'
import { toggleResolved } from '../messages/actions/message-calls.js'
import { beginAction } from '../messages/actions/open-action.js'
import { topicPermissions } from '../messages/actions/permissions.js'
import { markAllAsRead } from '../messages/mark-as-read.js'
import { unreadIds } from '../messages/unread-ids.js'
import type { Chat } from '../realm/chat.js'
import { isAdministrator, mayReadChannel } from '../realm/permissions.js'
import { currentMuting } from '../realm/unread.js'
import { linkTo } from '../routing/location.js'
import { topicView } from '../routing/views.js'
import { copyText } from '../ui/copy-text.js'
import type { MenuEntry } from '../ui/menu.js'
import { attempt } from '../ui/status-line.js'
import { menuDialog } from './menu-dialog.js'

/** A topic of a channel. */
export interface TopicTarget {
  channelId: number
  topic: string
}

/** The groups of entries. */
export const topicEntries = (chat: Chat, { channelId, topic }: TopicTarget): MenuEntry[][] => {
  const channel = chat.channels.value.get(channelId)
  const copy: MenuEntry = { label: t('Copy the link'), icon: 'link', run: () => copyLink(chat, { channelId, topic }) }
  if (chat.ownUserId === undefined || channel === undefined) return [[copy]]
  const target = { kind: 'topic', channelId, topic } as const
  const read: MenuEntry[] =
    unreadIds(chat, target).length > 0
      ? [{ label: t('Mark the topic as read'), icon: 'check', run: () => markAllAsRead(chat, target) }]
      : []
  const can = topicPermissions(chat, { subject: topic, timestamp: Date.now() / 1000 }, channel)
  const isActive = !channel.is_archived && mayReadChannel(chat, channel)
  const changes: [boolean, MenuEntry][] = [
    [
      can.resolve,
      {
        label: isResolved(topic) ? t('Mark as not resolved') : t('Mark as resolved'),
        icon: 'check',
        run: () => withNewestMessage(chat, { channelId, topic }, (message) => toggleResolved(chat, message)),
      },
    ],
    [
      can.moveTopic || can.moveChannel,
      {
        label: can.moveTopic ? t('Rename or move') : t('Move'),
        icon: 'move',
        run: () =>
          withNewestMessage(chat, { channelId, topic }, (message) => beginAction('move', message, { isOnTopic: true })),
      },
    ],
    [
      isAdministrator(chat),
      {
        label: t('Delete the topic'),
        icon: 'trash',
        isDanger: true,
        run: () => {
          menuDialog.value = { name: 'delete-topic', channelId, topic }
        },
      },
    ],
  ]
  return [
    read,
    chat.subscriptions.value.has(channelId) ? policyEntries(chat, { channelId, topic }) : [],
    [copy],
    isActive ? changes.flatMap(([isOffered, entry]) => (isOffered ? [entry] : [])) : [],
  ]
}

/** How the user hears of the topic. */
const policyEntries = (chat: Chat, { channelId, topic }: TopicTarget): MenuEntry[] => {
  const muting = currentMuting(chat)
  const { inherit, muted, unmuted, followed } = TopicPolicy
  const isChannelMuted = muting.subscriptions.get(channelId)?.is_muted === true
  const policy = topicPolicy(muting, channelId, topic)
  const set = (visibility_policy: 0 | 1 | 2 | 3) => () =>
    attempt(chat.client.call('POST /user_topics', { stream_id: channelId, topic, visibility_policy }))
  const follow: MenuEntry =
    policy === followed
      ? { label: t('Unfollow the topic'), icon: 'follow', run: set(inherit) }
      : { label: t('Follow the topic'), icon: 'follow', run: set(followed) }
  const mute: MenuEntry = isTopicMutedBy(muting, channelId, topic)
    ? { label: t('Unmute the topic'), icon: 'mute', run: set(isChannelMuted ? unmuted : inherit) }
    : { label: t('Mute the topic'), icon: 'mute', run: set(isChannelMuted ? inherit : muted) }
  return [follow, mute]
}

/** The link names a message, so that it finds the topic also after it was moved. */
const copyLink = (chat: Chat, { channelId, topic }: TopicTarget): Promise<boolean> => {
  const known = chat.topics(channelId).peek()
  const newest = known?.find(({ name }) => name === topic)?.max_id
  const link = linkTo({ ...topicView(channelId, topic), ...(newest !== undefined && { with: newest }) })
  return copyText(new URL(link, location.href).href, t('The link to the topic was copied.'))
}

/** A topic is changed through one of its messages. */
const withNewestMessage = (chat: Chat, { channelId, topic }: TopicTarget, run: (message: Message) => unknown) =>
  attempt(
    (async () => {
      const { messages } = await chat.client.call('GET /messages', {
        narrow: [
          { operator: 'channel', operand: channelId },
          { operator: 'topic', operand: topic },
        ],
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        allow_empty_topic_name: true,
      })
      const [message] = messages
      if (message === undefined) throw new Error(t('The topic has no message any more.'))
      await run(message)
    })(),
  )

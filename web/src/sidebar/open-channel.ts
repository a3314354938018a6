/** What a click on the name of a channel opens: the view that the user chose for channels. */
import { effect } from '@preact/signals'
import { isTopicMutedBy } from '#rules/topic-policies.js'
import type { Chat } from '../realm/chat.js'
import { currentMuting } from '../realm/unread.js'
import type { View } from '../routing/fragment.js'
import { linkTo, open, view } from '../routing/location.js'
import { channelView, topicsView, topicView } from '../routing/views.js'

/** The values of the setting `web_channel_default_view`. */
const DefaultView = { topTopic: 1, feed: 2, topics: 3, topUnreadTopic: 4 }

/** The view of a channel that has an address before its topics are known. */
export const defaultChannelView = (chat: Chat, channelId: number): View =>
  chat.settings.value.web_channel_default_view === DefaultView.topics ? topicsView(channelId) : channelView(channelId)

/**
 * The attributes of a link to a channel. Its address is that of the list of topics or of all messages; a plain click
 * leads to the top topic where the user chose that.
 */
export const channelLink = (chat: Chat, channelId: number) => ({
  href: linkTo(defaultChannelView(chat, channelId)),
  onClick(event: MouseEvent) {
    const chosen = chat.settings.peek().web_channel_default_view ?? DefaultView.topTopic
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!isPlain || chosen === DefaultView.feed || chosen === DefaultView.topics) return
    // The topics cannot be fetched now: the address of the link shows what is known.
    if (chat.topics(channelId).peek() === undefined && chat.connection.peek().status !== 'open') return
    event.preventDefault()
    openTopTopic(chat, channelId, chosen === DefaultView.topUnreadTopic)
  },
})

/** Opens the top topic as soon as the topics are known, unless the user has opened something else meanwhile. */
const openTopTopic = (chat: Chat, channelId: number, isUnreadFirst: boolean): void => {
  const before = view.peek()
  const topics = chat.topics(channelId)
  const stop = effect(() => {
    const known = topics.value
    if (known === undefined && view.value === before) return
    queueMicrotask(() => stop())
    if (known === undefined || view.peek() !== before) return
    const names = known.map(({ name }) => name)
    const topic = findTopTopic(chat, channelId, names, isUnreadFirst)
    open(topic === undefined ? channelView(channelId) : topicView(channelId, topic))
  })
}

/** The newest topic that is not muted; with `isUnreadFirst`, one with unread messages before all others. */
const findTopTopic = (
  chat: Chat,
  channelId: number,
  names: readonly string[],
  isUnreadFirst: boolean,
): string | undefined => {
  const muting = currentMuting(chat)
  const heard = names.filter((name) => !isTopicMutedBy(muting, channelId, name))
  const unread = chat.unread.peek().channels.get(channelId)
  const hasUnread = (name: string) => (unread?.get(name)?.length ?? 0) > 0
  return (isUnreadFirst ? heard.find(hasUnread) : undefined) ?? heard[0] ?? names[0]
}

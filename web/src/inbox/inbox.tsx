/** The inbox: every conversation with unread messages, newest first. */
import { useComputed } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { markAsRead } from '../messages/reading.js'
import { type Chat, useChat } from '../realm/chat.js'
import { channelName, directName, otherParticipants, topicName } from '../realm/names.js'
import { currentMuting } from '../realm/unread.js'
import { linkTo } from '../routing/location.js'
import { channelView, directView, topicView } from '../routing/views.js'
import { ChannelMark } from '../sidebar/channel-mark.js'
import { Boundary } from '../ui/boundary.js'
import { Count } from '../ui/count.js'
import { Icon } from '../ui/icon.js'
import { moveFocus } from '../ui/move-focus.js'
import { PresenceMark } from '../ui/presence-mark.js'
import { useShortcuts } from '../ui/shortcuts.js'
import { arrangeInbox, type InboxChannel, type InboxDirect } from './inbox-rows.js'
import './inbox.css'

/** The centre of the page while the inbox is open. */
export const Inbox = () => {
  const chat = useChat()
  const content = useComputed(() => arrangeInbox(chat.unread.value, currentMuting(chat)))
  const { direct, channels } = content.value
  const root = useRef<HTMLDivElement>(null)
  useShortcuts({
    nextConversation: () => moveFocus(root.current, '.inbox-link', 1),
    previousConversation: () => moveFocus(root.current, '.inbox-link', -1),
  })
  if (direct.length === 0 && channels.length === 0) return <NothingUnread />
  return (
    <div class="inbox-page" ref={root} tabIndex={-1}>
      <div class="inbox-content">
        {direct.length > 0 && (
          <section class="inbox-group" aria-labelledby="inbox-direct">
            <h2 class="inbox-heading" id="inbox-direct">
              <Icon name="direct" size={16} /> Direct messages
            </h2>
            <ul>
              {direct.map((row) => (
                <Boundary key={row.key} name="This conversation" of={row}>
                  <DirectRow row={row} />
                </Boundary>
              ))}
            </ul>
          </section>
        )}
        {channels.map((channel) => (
          <Boundary key={channel.channelId} name="This channel" of={channel}>
            <ChannelGroup group={channel} />
          </Boundary>
        ))}
      </div>
    </div>
  )
}

const NothingUnread = () => (
  <div class="inbox-empty">
    <Icon name="check" size={40} />
    <p class="inbox-empty-title">You have read everything</p>
    <p class="soft-text">New messages appear here. Open a channel on the left to read on.</p>
  </div>
)

const ChannelGroup = ({ group: { channelId, topics } }: { group: InboxChannel }) => {
  const chat = useChat()
  const channel = chat.channels.value.get(channelId)
  return (
    <section class="inbox-group" aria-label={channelName(chat, channelId)}>
      <h2 class="inbox-heading">
        {channel !== undefined && <ChannelMark channel={channel} />}
        <a href={linkTo(channelView(channelId))}>{channelName(chat, channelId)}</a>
      </h2>
      <ul>
        {topics.map(({ topic, ids, mentions }) => (
          <InboxRow
            key={topic}
            chat={chat}
            ids={ids}
            mentions={mentions}
            href={linkTo(topicView(channelId, topic))}
            label={topicName(chat, topic)}
          />
        ))}
      </ul>
    </section>
  )
}

const DirectRow = ({ row: { key, ids } }: { row: InboxDirect }) => {
  const chat = useChat()
  const userIds = otherParticipants(chat, key)
  const label = directName(chat, userIds)
  const mark = userIds.length === 1 ? <PresenceMark userId={userIds[0]} /> : <Icon name="people" size={16} />
  return <InboxRow chat={chat} ids={ids} mentions={0} href={linkTo(directView(userIds))} label={label} mark={mark} />
}

interface InboxRowProps {
  chat: Chat
  ids: readonly number[]
  mentions: number
  href: string
  label: string
  mark?: preact.ComponentChildren
}

const InboxRow = ({ chat, ids, mentions, href, label, mark }: InboxRowProps) => (
  <li class="inbox-row">
    <a class="inbox-link" href={href}>
      {mark}
      <span class="inbox-label" dir="auto">
        {label}
      </span>
      <Count count={{ unread: ids.length, mentions }} />
    </a>
    <button
      type="button"
      class="icon-button"
      title="Mark as read"
      aria-label={`Mark ${label} as read`}
      onClick={() => markAsRead(chat, ids)}
    >
      <Icon name="check" size={16} />
    </button>
  </li>
)

/** The inbox: every conversation with unread messages, newest first. */

import { useComputed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { FirstSteps } from '../first-use/first-steps.js'
import { t } from '../languages/t.js'
import { MenuButton } from '../menus/menu-button.js'
import { type MenuTarget, menuHandlers } from '../menus/open-menu.js'
import { markAllAsRead } from '../messages/mark-as-read.js'
import type { ReadTarget } from '../messages/unread-ids.js'
import { type Chat, useChat } from '../realm/chat.js'
import { channelName, directName, otherParticipants, topicName } from '../realm/names.js'
import { currentMuting } from '../realm/unread.js'
import { linkTo } from '../routing/location.js'
import { directView, topicView } from '../routing/views.js'
import { channelLink } from '../sidebar/open-channel.js'
import { Boundary } from '../ui/boundary.js'
import { ChannelMark } from '../ui/channel-mark.js'
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
  const folders =
    chat.settings.value.web_inbox_show_channel_folders === false
      ? [{ id: 0, name: '', channels }]
      : inFolders(chat, channels)
  const root = useRef<HTMLDivElement>(null)
  useShortcuts({
    nextConversation: () => moveFocus(root.current, '.inbox-link', 1),
    previousConversation: () => moveFocus(root.current, '.inbox-link', -1),
  })
  if (direct.length === 0 && channels.length === 0) return <NothingUnread />
  return (
    <div class="inbox-page" ref={root} tabIndex={-1}>
      <div class="inbox-content">
        <FirstSteps />
        <div class="inbox-tools">
          <button type="button" class="button" onClick={() => markAllAsRead(chat, { kind: 'everything' })}>
            <Icon name="check" size={16} /> {t('Mark all as read')}
          </button>
        </div>
        {direct.length > 0 && (
          <section class="inbox-group" aria-labelledby="inbox-direct">
            <h2 class="inbox-heading" id="inbox-direct">
              <Icon name="direct" size={16} /> {t('Direct messages')}
            </h2>
            <ul>
              {direct.map((row) => (
                <Boundary key={row.key} note={t('This conversation cannot be shown.')} of={row}>
                  <DirectRow row={row} />
                </Boundary>
              ))}
            </ul>
          </section>
        )}
        {folders.map(({ id, name, channels: inFolder }) => (
          <FolderGroup key={id} name={name}>
            {inFolder.map((channel) => (
              <Boundary key={channel.channelId} note={t('This channel cannot be shown.')} of={channel}>
                <ChannelGroup group={channel} />
              </Boundary>
            ))}
          </FolderGroup>
        ))}
      </div>
    </div>
  )
}

/** The channels of a folder under its name; those of no folder need none if there are no folders. */
const FolderGroup = ({ name, children }: { name: string; children: ComponentChildren }) =>
  name === '' ? (
    children
  ) : (
    <section class="inbox-folder" aria-label={name}>
      <p class="inbox-folder-name" dir="auto">
        {name}
      </p>
      {children}
    </section>
  )

interface InboxFolder {
  id: number
  /** '' without a heading */
  name: string
  channels: InboxChannel[]
}

/** The channels by folder, in the order of the folders; those of no folder are last. */
const inFolders = (chat: Chat, channels: readonly InboxChannel[]): InboxFolder[] => {
  const folderOf = ({ channelId }: InboxChannel) => chat.channels.value.get(channelId)?.folder_id ?? 0
  const known = [...chat.folders.value.values()].map(({ id, name }) => ({
    id,
    name,
    channels: channels.filter((channel) => folderOf(channel) === id),
  }))
  const filled = known.filter((folder) => folder.channels.length > 0)
  const others = channels.filter((channel) => !filled.some(({ id }) => id === folderOf(channel)))
  const rest = { id: 0, name: filled.length === 0 ? '' : t('Other channels'), channels: others }
  return others.length === 0 ? filled : [...filled, rest]
}

const NothingUnread = () => (
  <div class="inbox-page nothing-unread" tabIndex={-1}>
    <FirstSteps />
    <div class="inbox-empty">
      <Icon name="check" size={40} />
      <p class="inbox-empty-title">{t('You have read everything')}</p>
      <p class="soft-text">{t('New messages appear here. Open a channel on the left to read on.')}</p>
    </div>
  </div>
)

const ChannelGroup = ({ group: { channelId, topics } }: { group: InboxChannel }) => {
  const chat = useChat()
  const channel = chat.channels.value.get(channelId)
  const name = channelName(chat, channelId)
  const target = { kind: 'channel', channelId } as const
  return (
    <section class="inbox-group" aria-label={name}>
      <h2 class="inbox-heading has-menu">
        {channel !== undefined && <ChannelMark channel={channel} />}
        <a {...channelLink(chat, channelId)} dir="auto" {...menuHandlers(target)}>
          {name}
        </a>
        <span class="inbox-heading-tools">
          <ReadButton target={target} label={name} />
          <MenuButton target={target} label={name} />
        </span>
      </h2>
      <ul>
        {topics.map(({ topic, ids, mentions }) => (
          <InboxRow
            key={topic}
            target={{ kind: 'topic', channelId, topic }}
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
  return (
    <InboxRow
      target={{ kind: 'direct', userIds }}
      ids={ids}
      mentions={0}
      href={linkTo(directView(userIds))}
      label={label}
      mark={mark}
    />
  )
}

interface InboxRowProps {
  target: MenuTarget & ReadTarget
  ids: readonly number[]
  mentions: number
  href: string
  label: string
  mark?: ComponentChildren
}

const InboxRow = ({ target, ids, mentions, href, label, mark }: InboxRowProps) => (
  <li class="inbox-row has-menu">
    <a class="inbox-link" href={href} {...menuHandlers(target)}>
      {mark}
      <span class="inbox-label" dir="auto">
        {label}
      </span>
      <Count count={{ unread: ids.length, mentions }} />
    </a>
    <ReadButton target={target} label={label} />
    <MenuButton target={target} label={label} />
  </li>
)

const ReadButton = ({ target, label }: { target: ReadTarget; label: string }) => {
  const chat = useChat()
  return (
    <button
      type="button"
      class="icon-button"
      title={t('Mark as read')}
      aria-label={t('Mark {conversation} as read', { conversation: label })}
      onClick={() => markAllAsRead(chat, target)}
    >
      <Icon name="check" size={16} />
    </button>
  )
}

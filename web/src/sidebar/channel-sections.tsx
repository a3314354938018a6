/** The channels in folders, and the topics of the channel that is open. */
import type { Channel } from '@parley/client/realm'
import { useComputed } from '@preact/signals'
import { useChat } from '../realm/chat.js'
import { type Count as Counted, countForLine, noCount } from '../realm/unread.js'
import { view } from '../routing/location.js'
import { shownConversation } from '../routing/views.js'
import { ChannelMark } from '../ui/channel-mark.js'
import { Count } from '../ui/count.js'
import { arrangeChannels, inactivity } from './arrange-channels.js'
import { ChannelTopics } from './channel-topics.js'
import { channelLink, defaultChannelView } from './open-channel.js'
import { SidebarLink } from './sidebar-link.js'
import { SidebarSection } from './sidebar-section.js'

/** The sections of channels: the pinned ones, those of each folder, the others. */
export const ChannelSections = () => {
  const chat = useChat()
  const sections = useComputed(() => {
    const subscribed = [...chat.subscriptions.value.values()]
    const visible = chat.ownUserId === undefined ? [...chat.channels.value.values()] : subscribed
    const { web_left_sidebar_show_channel_folders: hasFolders, demote_inactive_streams: policy } = chat.settings.value
    const folders = hasFolders === false ? [] : [...chat.folders.value.values()]
    return arrangeChannels(visible, folders, inactivity(policy, subscribed.length))
  })
  const counts = useComputed(
    () => new Map([...chat.unread.value.channels.keys()].map((id) => [id, countForLine(chat, id)] as const)),
  )
  const hasSummary = chat.settings.value.web_left_sidebar_unreads_count_summary !== false
  return (
    <>
      {sections.value.map(({ id, title, channels }) => (
        <SidebarSection
          key={id}
          id={id}
          title={title}
          summary={hasSummary && <Count count={sum(channels, counts.value)} isSoft />}
        >
          <ul class="sidebar-list">
            {channels.map((channel) => (
              <ChannelLine key={channel.stream_id} channel={channel} count={counts.value.get(channel.stream_id)} />
            ))}
          </ul>
        </SidebarSection>
      ))}
    </>
  )
}

const ChannelLine = ({ channel, count }: { channel: Channel; count: Counted | undefined }) => {
  const chat = useChat()
  const id = channel.stream_id
  const isMuted = chat.subscriptions.value.get(id)?.is_muted === true
  const conversation = shownConversation(view.value)
  const isOpen = conversation !== undefined && conversation.kind !== 'direct' && conversation.channelId === id
  return (
    <>
      <SidebarLink
        view={defaultChannelView(chat, id)}
        onClick={channelLink(chat, id).onClick}
        label={channel.name}
        count={count ?? noCount}
        mark={<ChannelMark channel={channel} />}
        isMuted={isMuted}
        className="sidebar-channel"
        menu={{ kind: 'channel', channelId: id }}
      />
      {isOpen && <ChannelTopics channelId={id} />}
    </>
  )
}

const sum = (channels: readonly Channel[], counts: ReadonlyMap<number, Counted>): Counted => {
  const total = { unread: 0, mentions: 0 }
  for (const { stream_id } of channels) {
    const count = counts.get(stream_id)
    total.unread += count?.unread ?? 0
    total.mentions += count?.mentions ?? 0
  }
  return total
}

/** The channels in folders, and the topics of the channel that is open. */
import type { Channel } from '@parley/client/realm'
import { useComputed } from '@preact/signals'
import { useChat } from '../realm/chat.js'
import { type Count as Counted, countChannel, currentMuting, noCount } from '../realm/unread.js'
import { view } from '../routing/location.js'
import { channelView, conversationOf } from '../routing/views.js'
import { ChannelMark } from '../ui/channel-mark.js'
import { Count } from '../ui/count.js'
import { arrangeChannels } from './arrange-channels.js'
import { ChannelTopics } from './channel-topics.js'
import { SidebarLink } from './sidebar-link.js'
import { SidebarSection } from './sidebar-section.js'

/** The sections of channels: the pinned ones, those of each folder, the others. */
export const ChannelSections = () => {
  const chat = useChat()
  const sections = useComputed(() => {
    const subscribed = [...chat.subscriptions.value.values()]
    const visible = chat.ownUserId === undefined ? [...chat.channels.value.values()] : subscribed
    return arrangeChannels(visible, [...chat.folders.value.values()])
  })
  const counts = useComputed(() => {
    const unread = chat.unread.value
    const muting = currentMuting(chat)
    return new Map([...unread.channels.keys()].map((id) => [id, countChannel(id, unread, muting)] as const))
  })
  return (
    <>
      {sections.value.map(({ id, title, channels }) => (
        <SidebarSection key={id} id={id} title={title} summary={<Count count={sum(channels, counts.value)} isSoft />}>
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
  const conversation = view.value.name === 'messages' ? conversationOf(view.value.terms) : undefined
  const isOpen = conversation !== undefined && conversation.kind !== 'direct' && conversation.channelId === id
  return (
    <>
      <SidebarLink
        view={channelView(id)}
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

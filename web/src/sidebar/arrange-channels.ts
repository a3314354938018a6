/** Arranges channels in the sections of the sidebar. */
import type { Channel, Folder, Subscription } from '@parley/client/realm'

export interface ChannelSection {
  id: string
  title: string
  channels: Channel[]
}

/**
 * Arranges channels in sections: pinned ones, each folder's, and the others. The folders keep their order. Muted
 * channels are last.
 */
export const arrangeChannels = (
  channels: readonly (Channel | Subscription)[],
  folders: readonly Folder[],
): ChannelSection[] => {
  const pinned: ChannelSection = { id: 'pinned', title: 'Pinned', channels: [] }
  const others: ChannelSection = { id: 'channels', title: 'Channels', channels: [] }
  const byFolder = new Map(
    folders.map(({ id, name }) => [id, { id: `folder-${id}`, title: name, channels: [] as Channel[] }]),
  )
  for (const channel of [...channels].sort(compareChannels)) {
    if (channel.is_archived) continue
    const folder = channel.folder_id === null ? undefined : byFolder.get(channel.folder_id)
    const section = isPinned(channel) ? pinned : (folder ?? others)
    section.channels.push(channel)
  }
  if (byFolder.size > 0) others.title = 'Other channels'
  return [pinned, ...byFolder.values(), others].filter((section) => section.channels.length > 0)
}

const isPinned = (channel: Channel | Subscription): boolean => 'pin_to_top' in channel && channel.pin_to_top

const isMuted = (channel: Channel | Subscription): boolean => 'is_muted' in channel && channel.is_muted

const compareChannels = (one: Channel, other: Channel): number =>
  Number(isMuted(one)) - Number(isMuted(other)) || one.name.localeCompare(other.name)

/** Arranges channels in the sections of the sidebar. */

import type { Channel, Folder, Subscription } from '@parley/client/realm'
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'

export interface ChannelSection {
  id: string
  title: string
  channels: Channel[]
}

/**
 * Arranges channels in sections: pinned ones, each folder's, and the others. The folders keep their order. Inactive
 * channels, and then muted ones, are last.
 * @param isInactive whether a channel counts as inactive; a pinned one never does
 */
export const arrangeChannels = (
  channels: readonly (Channel | Subscription)[],
  folders: readonly Folder[],
  isInactive: (channel: Channel) => boolean = () => false,
): ChannelSection[] => {
  const rank = (channel: Channel | Subscription) =>
    2 * Number(isMuted(channel)) + Number(!isPinned(channel) && isInactive(channel))
  const compareChannels = (one: Channel, other: Channel) =>
    rank(one) - rank(other) || compareTexts(one.name, other.name)
  const pinned: ChannelSection = { id: 'pinned', title: t('Pinned'), channels: [] }
  const others: ChannelSection = { id: 'channels', title: t('Channels'), channels: [] }
  const byFolder = new Map(
    folders.map(({ id, name }) => [id, { id: `folder-${id}`, title: name, channels: [] as Channel[] }]),
  )
  for (const channel of [...channels].sort(compareChannels)) {
    if (channel.is_archived) continue
    const folder = channel.folder_id === null ? undefined : byFolder.get(channel.folder_id)
    const section = isPinned(channel) ? pinned : (folder ?? others)
    section.channels.push(channel)
  }
  if (byFolder.size > 0) others.title = t('Other channels')
  return [pinned, ...byFolder.values(), others].filter((section) => section.channels.length > 0)
}

const isPinned = (channel: Channel | Subscription): boolean => 'pin_to_top' in channel && channel.pin_to_top

const isMuted = (channel: Channel | Subscription): boolean => 'is_muted' in channel && channel.is_muted

/** So many channels are a long list, from which inactive ones are taken out of the way. */
const MANY_CHANNELS = 30

/** Which channels count as inactive. @param policy of `demote_inactive_streams`: 1 in a long list, 2 always, 3 never */
export const inactivity = (policy: number | undefined, subscribed: number): ((channel: Channel) => boolean) =>
  policy === 2 || (policy === 1 && subscribed >= MANY_CHANNELS)
    ? ({ is_recently_active }) => !is_recently_active
    : () => false

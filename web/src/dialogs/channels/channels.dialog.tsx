/**
 * The dialog of channels: `#channels/all` lists them, `#channels/archived` those in the archive, `#channels/new`
 * creates one, and `#channels/3/general/personal` has the settings of one, on the pages `personal`, `general`,
 * `subscribers` and, for users who may administer the channel, `administration` and `permissions`.
 */
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { mayAdministerChannel, mayCreateChannel } from '../../realm/permissions.js'
import { AddressDialog, type DialogAddress } from '../address-dialog.js'
import { DialogPages } from '../dialog-pages.js'
import { ArchivedChannels, findArchivedChannels } from './archived-channels.js'
import { BrowseChannels } from './browse-channels.js'
import { ChannelAdministration } from './channel-administration.js'
import { ChannelGeneral } from './channel-general.js'
import { ChannelPermissions } from './channel-permissions.js'
import { ChannelPersonal } from './channel-personal.js'
import { ChannelSubscribers } from './channel-subscribers.js'
import { CreateChannel } from './create-channel.js'

/** The dialog of channels. */
const ChannelsDialog = ({ path }: DialogAddress) => {
  const [first = 'all'] = path
  if (/^\d+$/.test(first)) return <OneChannel channelId={Number(first)} page={path[2]} />
  return <AllChannels page={first} />
}

export default ChannelsDialog

const AllChannels = ({ page }: { page: string }) => {
  const chat = useChat()
  const mayCreate = mayCreateChannel(chat, 'public') || mayCreateChannel(chat, 'private')
  const isNew = page === 'new'
  const isArchive = page === 'archived'
  const archived = findArchivedChannels(chat).length
  const tabs = [
    { label: t('All channels'), href: '#channels/all', isCurrent: !isNew && !isArchive },
    ...(mayCreate ? [{ label: t('Create a channel'), href: '#channels/new', isCurrent: isNew }] : []),
    ...(archived > 0 || isArchive
      ? [
          {
            label: t('Archived channels ({count, number})', { count: archived }),
            href: '#channels/archived',
            isCurrent: isArchive,
          },
        ]
      : []),
  ]
  const titles: Record<string, string> = { new: t('Create a channel'), archived: t('Archived channels') }
  return (
    <AddressDialog title={titles[page] ?? t('Channels')} size="large">
      <DialogPages label={t('Channels')} tabs={tabs}>
        {isArchive && <ArchivedChannels />}
        {isNew && mayCreate && <CreateChannel />}
        {!isArchive && !(isNew && mayCreate) && <BrowseChannels />}
      </DialogPages>
    </AddressDialog>
  )
}

const OneChannel = ({ channelId, page }: { channelId: number; page: string | undefined }) => {
  const chat = useChat()
  const channel = chat.channels.value.get(channelId)
  if (channel === undefined) {
    return (
      <AddressDialog title={t('Unknown channel')}>
        <p>{t('There is no such channel, or you may not see it.')}</p>
      </AddressDialog>
    )
  }
  const isSubscribed = chat.subscriptions.value.has(channelId)
  const pages = [
    ...(isSubscribed ? [{ name: 'personal', label: t('For you'), Content: ChannelPersonal }] : []),
    { name: 'general', label: t('About'), Content: ChannelGeneral },
    { name: 'subscribers', label: t('Subscribers'), Content: ChannelSubscribers },
    ...(mayAdministerChannel(chat, channel)
      ? [
          { name: 'administration', label: t('Privacy and more'), Content: ChannelAdministration },
          { name: 'permissions', label: t('Permissions'), Content: ChannelPermissions },
        ]
      : []),
  ]
  const current = pages.find(({ name }) => name === page) ?? pages[0]
  const tabs = pages.map(({ name, label }) => ({
    label,
    href: `#channels/${channelId}/settings/${name}`,
    isCurrent: name === current?.name,
  }))
  return (
    <AddressDialog title={`#${channel.name}`} size="large">
      <DialogPages
        label={t('Pages of the channel')}
        tabs={[...tabs, { label: t('All channels'), href: '#channels/all', isCurrent: false }]}
      >
        {current !== undefined && <current.Content key={channelId} channel={channel} />}
      </DialogPages>
    </AddressDialog>
  )
}

/** What the menu of a channel offers. */

import type { Subscription } from '@parley/client/realm'
import { composeTo } from '../compose/compose-target.js'
import { t } from '../languages/t.js'
import { markAllAsRead } from '../messages/mark-as-read.js'
import { unreadIds } from '../messages/unread-ids.js'
import type { Chat } from '../realm/chat.js'
import { mayJoinChannel, mayReturnToChannel } from '../realm/permissions.js'
import { linkTo, open, openOverlay } from '../routing/location.js'
import { channelView } from '../routing/views.js'
import { copyText } from '../ui/copy-text.js'
import type { MenuEntry } from '../ui/menu.js'
import { attempt, say } from '../ui/status-line.js'
import { coloredChannel, menuDialog } from './menu-dialog.js'
import { openedMenu } from './open-menu.js'

/** The groups of entries; no entry changes anything for a visitor. */
export const channelEntries = (chat: Chat, channelId: number): MenuEntry[][] => {
  const channel = chat.channels.value.get(channelId)
  if (channel === undefined) return []
  const copy: MenuEntry = { label: t('Copy the link'), icon: 'link', run: () => copyLink(channelId) }
  if (chat.ownUserId === undefined) return [[copy]]
  const subscription = chat.subscriptions.value.get(channelId)
  const about: MenuEntry = {
    label: t('Settings of the channel'),
    icon: 'settings',
    run: () => openOverlay('channels', String(channelId), 'settings'),
  }
  const target = { kind: 'channel', channelId } as const
  const read: MenuEntry[] =
    unreadIds(chat, target).length > 0
      ? [{ label: t('Mark the channel as read'), icon: 'check', run: () => markAllAsRead(chat, target) }]
      : []
  const write: MenuEntry[] = channel.is_archived
    ? []
    : [{ label: t('New topic'), icon: 'edit', run: () => writeTo(channelId) }]
  if (subscription === undefined) {
    const join: MenuEntry = { label: t('Join the channel'), icon: 'plus', run: () => joinChannel(chat, channelId) }
    return [read, [copy, about], mayJoinChannel(chat, channel) ? [join] : []]
  }
  return [read, [...write, ...arrangeEntries(chat, subscription)], [copy, about], [leaveEntry(chat, subscription)]]
}

/** What changes the line of the channel in the sidebar. */
const arrangeEntries = (chat: Chat, { stream_id, is_muted, pin_to_top }: Subscription): MenuEntry[] => {
  const set = (property: 'is_muted' | 'pin_to_top', value: boolean) => () =>
    attempt(
      chat.client.call('POST /users/me/subscriptions/properties', {
        subscription_data: [{ stream_id, property, value }],
      }),
    )
  return [
    { label: pin_to_top ? t('Unpin') : t('Pin to the top'), icon: 'pin', run: set('pin_to_top', !pin_to_top) },
    {
      label: is_muted ? t('Unmute the channel') : t('Mute the channel'),
      icon: 'mute',
      run: set('is_muted', !is_muted),
    },
    { label: t('Change the colour'), icon: 'color', run: chooseColor(stream_id, openedMenu.peek()?.anchor) },
  ]
}

const chooseColor = (channelId: number, anchor: HTMLElement | undefined) => () => {
  if (anchor !== undefined) coloredChannel.value = { channelId, anchor }
}

const copyLink = (channelId: number): Promise<boolean> =>
  copyText(new URL(linkTo(channelView(channelId)), location.href).href, t('The link to the channel was copied.'))

const writeTo = (channelId: number): void => {
  open(channelView(channelId))
  composeTo({ kind: 'topic', channelId, topic: '' })
}

const joinChannel = async (chat: Chat, channelId: number): Promise<void> => {
  const name = chat.channels.peek().get(channelId)?.name ?? ''
  await attempt(
    chat.client
      .call('POST /users/me/subscriptions', { subscriptions: [{ name }] })
      .then(() => say({ text: t('You joined #{name}.', { name }) })),
  )
}

/** Leaves at once where the user can come back; where not, a dialog asks first. */
const leaveEntry = (chat: Chat, subscription: Subscription): MenuEntry => {
  const { stream_id: channelId } = subscription
  return {
    label: t('Leave the channel'),
    icon: 'close',
    isDanger: true,
    run() {
      if (mayReturnToChannel(chat, subscription)) return leaveChannel(chat, channelId, true)
      menuDialog.value = { name: 'leave-channel', channelId }
    },
  }
}

/** Unsubscribes the user. @param canReturn whether Undo is offered */
export const leaveChannel = (chat: Chat, channelId: number, canReturn: boolean): Promise<void> => {
  const name = chat.channels.peek().get(channelId)?.name ?? ''
  const undo = () => joinChannel(chat, channelId)
  return attempt(
    chat.client
      .call('DELETE /users/me/subscriptions', { subscriptions: [name] })
      .then(() =>
        say({ text: t('You left #{name}.', { name }), ...(canReturn && { action: { label: t('Undo'), run: undo } }) }),
      ),
  )
}

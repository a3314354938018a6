/** The menu with everything that the user may do with a message. */

import type { Message } from '@parley/client'
import { isResolved } from '#rules/topics.js'
import { t } from '../../languages/t.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { Menu, type MenuEntry } from '../../ui/menu.js'
import { keyOf } from '../../ui/shortcut-table.js'
import { copyLink, forward, markAsUnreadFrom, quote, reply, toggleResolved } from './message-calls.js'
import { beginAction } from './open-action.js'
import { messagePermissions } from './permissions.js'

/** Shows the menu beside its button. */
export const MessageMenu = ({
  message,
  anchor,
  onClose,
}: {
  message: Message
  anchor: HTMLElement
  onClose: () => void
}) => <Menu label={t('Actions')} groups={[menuEntries(useChat(), message)]} anchor={anchor} onClose={onClose} />

const menuEntries = (chat: Chat, message: Message): MenuEntry[] => {
  const can = messagePermissions(chat, message)
  const begin = (name: Parameters<typeof beginAction>[0]) => () => beginAction(name, message)
  const offered: [boolean, MenuEntry][] = [
    [true, { label: t('Reply'), icon: 'back', hint: keyOf('reply'), run: () => reply(chat, message) }],
    [true, { label: t('Quote and reply'), icon: 'quote', hint: keyOf('quote'), run: () => quote(chat, message) }],
    [true, { label: t('Forward'), icon: 'forward', hint: keyOf('forward'), run: () => forward(chat, message) }],
    [can.edit, { label: t('Edit'), icon: 'edit', hint: keyOf('edit'), run: begin('edit') }],
    [can.moveTopic || can.moveChannel, { label: t('Move'), icon: 'move', hint: keyOf('move'), run: begin('move') }],
    [
      can.resolve,
      {
        label: isResolved(message.subject) ? t('Mark the topic as not resolved') : t('Mark the topic as resolved'),
        icon: 'check',
        run: () => toggleResolved(chat, message),
      },
    ],
    [
      true,
      {
        label: t('Mark as unread from here'),
        icon: 'inbox',
        hint: keyOf('markAsUnread'),
        run: () => markAsUnreadFrom(chat, message),
      },
    ],
    [true, { label: t('Copy the link'), icon: 'link', hint: keyOf('copyLink'), run: () => copyLink(chat, message) }],
    [true, { label: t('Remind me'), icon: 'clock', run: begin('remind') }],
    [
      can.receipts,
      { label: t('Who has read it'), icon: 'follow', hint: keyOf('showReceipts'), run: begin('receipts') },
    ],
    [message.reactions.length > 0, { label: t('Who reacted'), icon: 'smile', run: begin('reactions') }],
    [can.history, { label: t('History'), icon: 'history', hint: keyOf('showHistory'), run: begin('history') }],
    [can.report, { label: t('Report to the moderators'), icon: 'flag', run: begin('report') }],
    [can.delete, { label: t('Delete'), icon: 'trash', run: begin('delete') }],
  ]
  return offered.flatMap(([isOffered, entry]) => (isOffered ? [entry] : []))
}

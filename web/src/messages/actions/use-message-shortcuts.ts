/** The keys that act on the message that the user reads. */
import type { Message } from '@parley/client'
import { useChat } from '../../realm/chat.js'
import { useShortcuts } from '../../ui/shortcuts.js'
import { PICTURE_LINK } from '../pictures/pictures.js'
import { copyLink, forward, markAsUnreadFrom, quote, reply, toggleStar } from './message-calls.js'
import { beginAction } from './open-action.js'
import { messagePermissions } from './permissions.js'

/** Adds the keys. @param selected returns that message */
export const useMessageShortcuts = (selected: () => Message | undefined): void => {
  const chat = useChat()
  const onSelected = (run: (message: Message) => unknown) => () => {
    const message = selected()
    if (message !== undefined && chat.ownUserId !== undefined) void run(message)
  }
  const can = (message: Message) => messagePermissions(chat, message)
  const press = (selector: string) =>
    onSelected(({ id }) => document.querySelector<HTMLElement>(`article[data-id="${id}"] ${selector}`)?.click())
  useShortcuts({
    reply: onSelected((message) => reply(chat, message)),
    quote: onSelected((message) => quote(chat, message)),
    forward: onSelected((message) => forward(chat, message)),
    star: onSelected((message) => toggleStar(chat, message)),
    react: press('[data-tool="react"]'),
    openMenu: press('[data-tool="menu"]'),
    toggleFold: press('[data-tool="fold"]'),
    showPictures: press(PICTURE_LINK),
    edit: onSelected((message) => can(message).edit && beginAction('edit', message)),
    move: onSelected((message) => (can(message).moveTopic || can(message).moveChannel) && beginAction('move', message)),
    markAsUnread: onSelected((message) => markAsUnreadFrom(chat, message)),
    copyLink: onSelected((message) => copyLink(chat, message)),
    showReceipts: onSelected((message) => can(message).receipts && beginAction('receipts', message)),
    showHistory: onSelected((message) => can(message).history && beginAction('history', message)),
  })
}

/** The keys that act on the message with the focus. */
import type { Message } from '@parley/client'
import { useChat } from '../../realm/chat.js'
import { type Shortcut, useShortcuts } from '../../ui/shortcuts.js'
import { copyLink, markAsUnreadFrom, quote, reply, toggleStar } from './message-calls.js'
import { beginAction } from './open-action.js'
import { messagePermissions } from './permissions.js'

/** Adds the keys. @param selected returns the message with the focus */
export const useMessageShortcuts = (selected: () => Message | undefined): void => {
  const chat = useChat()
  const on = (keys: string[], label: string, run: (message: Message) => unknown): Shortcut => ({
    keys,
    label,
    run() {
      const message = selected()
      if (message !== undefined && chat.ownUserId !== undefined) void run(message)
    },
  })
  const can = (message: Message) => messagePermissions(chat, message)
  const press = (selector: string) => (message: Message) =>
    document.querySelector<HTMLElement>(`article[data-id="${message.id}"] ${selector}`)?.click()
  useShortcuts([
    on(['r'], 'Reply', (message) => reply(chat, message)),
    on(['>'], 'Quote and reply', (message) => quote(chat, message)),
    on(['*'], 'Star', (message) => toggleStar(chat, message)),
    on([':', '+'], 'React', press('[data-tool="react"]')),
    on(['.'], 'More actions', press('[data-tool="menu"]')),
    on(['e'], 'Edit', (message) => can(message).edit && beginAction('edit', message)),
    on(
      ['m'],
      'Move',
      (message) => (can(message).moveTopic || can(message).moveChannel) && beginAction('move', message),
    ),
    on(['U'], 'Mark as unread from here', (message) => markAsUnreadFrom(chat, message)),
    on(['l'], 'Copy the link', (message) => copyLink(chat, message)),
    on(['V'], 'Who has read it', (message) => can(message).receipts && beginAction('receipts', message)),
    on(['H'], 'History', (message) => can(message).history && beginAction('history', message)),
  ])
}

/** The menu with everything that the user may do with a message. */
import type { Message } from '@parley/client'
import { RESOLVED } from '@parley/client/realm'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Chat, useChat } from '../../realm/chat.js'
import { Icon, type IconName } from '../../ui/icon.js'
import { Popup } from '../../ui/popup.js'
import { keyOf, type ShortcutName } from '../../ui/shortcut-table.js'
import { copyLink, markAsUnreadFrom, quote, reply, toggleResolved } from './message-calls.js'
import { beginAction } from './open-action.js'
import { messagePermissions } from './permissions.js'

interface Entry {
  label: string
  icon: IconName
  shortcut?: ShortcutName
  run: () => unknown
}

/** Shows the menu beside its button. Arrow keys move, as in every menu. */
export const MessageMenu = ({
  message,
  anchor,
  onClose,
}: {
  message: Message
  anchor: HTMLElement
  onClose: () => void
}) => {
  const chat = useChat()
  const list = useRef<HTMLDivElement>(null)
  const items = () => [...(list.current?.querySelectorAll('button') ?? [])]
  useLayoutEffect(() => items()[0]?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const current = all.indexOf(document.activeElement as HTMLButtonElement)
    const places: Record<string, number> = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: -1 }
    const next = places[event.key]
    if (event.key === 'Tab') onClose()
    if (next === undefined) return
    event.preventDefault()
    all.at(next % all.length)?.focus()
  }
  return (
    <Popup anchor={anchor} label="Actions" role="menu" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: The keys belong to the menu around it. */}
      <div class="message-menu" ref={list} onKeyDown={onKeyDown}>
        {menuEntries(chat, message).map(({ label, icon, shortcut, run }) => (
          <button
            key={label}
            type="button"
            class="menu-item"
            role="menuitem"
            onClick={() => {
              onClose()
              anchor.focus()
              void run()
            }}
          >
            <Icon name={icon} size={16} />
            <span class="menu-label">{label}</span>
            {shortcut !== undefined && <kbd>{keyOf(shortcut)}</kbd>}
          </button>
        ))}
      </div>
    </Popup>
  )
}

const menuEntries = (chat: Chat, message: Message): Entry[] => {
  const can = messagePermissions(chat, message)
  const isResolved = message.subject.startsWith(RESOLVED)
  const begin = (name: Parameters<typeof beginAction>[0]) => () => beginAction(name, message)
  const offered: [boolean, Entry][] = [
    [true, { label: 'Reply', icon: 'back', shortcut: 'reply', run: () => reply(chat, message) }],
    [true, { label: 'Quote and reply', icon: 'quote', shortcut: 'quote', run: () => quote(chat, message) }],
    [can.edit, { label: 'Edit', icon: 'edit', shortcut: 'edit', run: begin('edit') }],
    [can.moveTopic || can.moveChannel, { label: 'Move', icon: 'move', shortcut: 'move', run: begin('move') }],
    [
      can.resolve,
      {
        label: isResolved ? 'Mark the topic as not resolved' : 'Mark the topic as resolved',
        icon: 'check',
        run: () => toggleResolved(chat, message),
      },
    ],
    [
      true,
      {
        label: 'Mark as unread from here',
        icon: 'inbox',
        shortcut: 'markAsUnread',
        run: () => markAsUnreadFrom(chat, message),
      },
    ],
    [true, { label: 'Copy the link', icon: 'link', shortcut: 'copyLink', run: () => copyLink(chat, message) }],
    [can.receipts, { label: 'Who has read it', icon: 'follow', shortcut: 'showReceipts', run: begin('receipts') }],
    [message.reactions.length > 0, { label: 'Who reacted', icon: 'smile', run: begin('reactions') }],
    [can.history, { label: 'History', icon: 'history', shortcut: 'showHistory', run: begin('history') }],
    [can.delete, { label: 'Delete', icon: 'trash', run: begin('delete') }],
  ]
  return offered.flatMap(([isOffered, entry]) => (isOffered ? [entry] : []))
}

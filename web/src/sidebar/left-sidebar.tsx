/** The left column: views, direct messages and channels, with what is unread in them. */
import { useComputed, useSignalEffect } from '@preact/signals'
import { useChat } from '../realm/chat.js'
import { countAll, currentMuting, noCount } from '../realm/unread.js'
import { view } from '../routing/location.js'
import { propertyView } from '../routing/views.js'
import { Boundary } from '../ui/boundary.js'
import { moveFocus } from '../ui/move-focus.js'
import { ChannelSections } from './channel-sections.js'
import { DirectMessages } from './direct-messages.js'
import { FilterResults } from './filter-results.js'
import { SidebarActions } from './sidebar-actions.js'
import { clearFilter, filterText, SidebarFilter } from './sidebar-filter.js'
import { SidebarLink } from './sidebar-link.js'
import './sidebar.css'

/** The left column. The filter ends with the view that it found. */
export const LeftSidebar = () => {
  const chat = useChat()
  const total = useComputed(() => countAll(chat.unread.value, currentMuting(chat)))
  useSignalEffect(() => {
    if (view.value !== undefined) clearFilter()
  })
  const mentions = useComputed(() => ({ unread: chat.unread.value.mentions.size, mentions: 0 }))
  return (
    <nav class="left-sidebar" id="left-sidebar" aria-label="Conversations" onKeyDown={moveWithArrows}>
      {chat.ownUserId !== undefined && (
        <ul class="sidebar-list">
          <SidebarLink
            icon="inbox"
            view={{ name: 'inbox' }}
            count={total.value}
            label="Inbox"
            menu={{ kind: 'everything' }}
          />
          <SidebarLink icon="history" view={{ name: 'recent' }} count={noCount} label="Recent conversations" />
          <SidebarLink icon="feed" view={{ name: 'messages', terms: [] }} count={noCount} label="All messages" />
          <SidebarLink icon="at" view={propertyView('mentioned')} count={mentions.value} label="Mentions" />
          <SidebarLink icon="star" view={propertyView('starred')} count={noCount} label="Starred" />
          <SidebarLink
            icon="edit"
            view={{ name: 'drafts' }}
            count={noCount}
            label="Drafts"
            tally={chat.drafts.value.size}
          />
          <SidebarLink
            icon="clock"
            view={{ name: 'scheduled' }}
            count={noCount}
            label="Scheduled messages"
            tally={chat.scheduledMessages.value.size}
          />
          <SidebarLink icon="bell" view={{ name: 'reminders' }} count={noCount} label="Reminders" />
        </ul>
      )}
      <SidebarFilter />
      {filterText.value === '' ? (
        <>
          <Boundary name="The list of direct messages" of={chat.directConversations.value}>
            {chat.ownUserId !== undefined && <DirectMessages />}
          </Boundary>
          <Boundary name="The list of channels" of={chat.channels.value}>
            <ChannelSections />
          </Boundary>
        </>
      ) : (
        <Boundary name="The list of found conversations" of={filterText.value}>
          <FilterResults text={filterText.value} />
        </Boundary>
      )}
      {chat.ownUserId !== undefined && <SidebarActions />}
    </nav>
  )
}

/** The arrow keys move the focus from line to line. */
const moveWithArrows = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  moveFocus(event.currentTarget, 'a, button:not([aria-haspopup])', event.key === 'ArrowDown' ? 1 : -1)
}

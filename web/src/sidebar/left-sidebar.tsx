/** The left column: views, direct messages and channels, with what is unread in them. */

import { useSignalEffect } from '@preact/signals'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { view } from '../routing/location.js'
import { Boundary } from '../ui/boundary.js'
import { moveFocus } from '../ui/move-focus.js'
import { ChannelSections } from './channel-sections.js'
import { DirectMessages } from './direct-messages.js'
import { FilterResults } from './filter-results.js'
import { SidebarActions } from './sidebar-actions.js'
import { clearFilter, filterText, SidebarFilter } from './sidebar-filter.js'
import { SidebarViews } from './sidebar-views.js'
import './sidebar.css'

/** The left column. The filter ends with the view that it found. */
export const LeftSidebar = () => {
  const chat = useChat()
  useSignalEffect(() => {
    if (view.value !== undefined) clearFilter()
  })
  return (
    <nav class="left-sidebar" id="left-sidebar" aria-label={t('Conversations')} onKeyDown={moveWithArrows}>
      {chat.ownUserId !== undefined && <SidebarViews />}
      <SidebarFilter />
      {filterText.value === '' ? (
        <>
          <Boundary note={t('The list of direct messages cannot be shown.')} of={chat.directConversations.value}>
            {chat.ownUserId !== undefined && <DirectMessages />}
          </Boundary>
          <Boundary note={t('The list of channels cannot be shown.')} of={chat.channels.value}>
            <ChannelSections />
          </Boundary>
        </>
      ) : (
        <Boundary note={t('The list of found conversations cannot be shown.')} of={filterText.value}>
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

/** The first lines of the sidebar: the views of the page, and those that the user pinned. */

import { useComputed, useSignal } from '@preact/signals'
import { t } from '../languages/t.js'
import { unreadIds } from '../messages/unread-ids.js'
import { type Chat, useChat } from '../realm/chat.js'
import { type ListedView, listViews } from '../realm/navigation-views.js'
import { type Count, countAll, countIds, currentMuting, noCount } from '../realm/unread.js'
import { view } from '../routing/location.js'
import { conversationOf, viewKey } from '../routing/views.js'
import { Icon, type IconName } from '../ui/icon.js'
import { SidebarLink } from './sidebar-link.js'

/** The icons of the views of the page. A view that the user pinned has a pin. */
const icons: Readonly<Record<string, IconName>> = {
  inbox: 'inbox',
  recent: 'history',
  feed: 'feed',
  'narrow/is/mentioned': 'at',
  'narrow/has/reaction/sender/me': 'smile',
  'narrow/is/starred': 'star',
  drafts: 'edit',
  scheduled: 'clock',
  reminders: 'bell',
}

/** The list. Views that are not pinned are below "More views", as is the one that is open. */
export const SidebarViews = () => {
  const chat = useChat()
  const isOpen = useSignal(false)
  const views = useComputed(() => listViews(chat)).value
  const hidden = views.filter(({ isPinned }) => !isPinned)
  const isShown = (listed: ListedView) => isOpen.value || viewKey(listed.view) === viewKey(view.value)
  return (
    <ul class="sidebar-list">
      {views
        .filter(({ isPinned }) => isPinned)
        .map((listed) => (
          <ViewLink key={listed.fragment} listed={listed} />
        ))}
      <li>
        <button
          type="button"
          class="sidebar-link sidebar-other-views"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          <Icon name={isOpen.value ? 'down' : 'right'} size={16} />
          <span class="sidebar-label">{t('More views')}</span>
        </button>
      </li>
      {hidden.filter(isShown).map((listed) => (
        <ViewLink key={listed.fragment} listed={listed} />
      ))}
      {isOpen.value && (
        <li>
          <a class="sidebar-link" href="#settings/sidebar">
            <Icon name="settings" size={16} />
            <span class="sidebar-label">{t('Choose the views')}</span>
          </a>
        </li>
      )}
    </ul>
  )
}

const ViewLink = ({ listed }: { listed: ListedView }) => {
  const chat = useChat()
  const { fragment, name, isOfPage, view: target } = listed
  const count = useComputed(() => countOf(chat, listed))
  return (
    <SidebarLink
      icon={isOfPage ? (icons[fragment] ?? 'pin') : 'pin'}
      view={target}
      count={count.value}
      label={name}
      tally={tallyOf(chat, listed)}
      {...(fragment === 'inbox' && { menu: { kind: 'everything' } })}
    />
  )
}

/** What is unread in a view: in the inbox, among the mentions, and in a conversation. */
const countOf = (chat: Chat, { fragment, view: target }: ListedView): Count => {
  if (fragment === 'inbox') {
    const hasSummary = chat.settings.value.web_left_sidebar_unreads_count_summary !== false
    return hasSummary ? countAll(chat.unread.value, currentMuting(chat)) : noCount
  }
  if (fragment === 'narrow/is/mentioned') return { unread: chat.unread.value.mentions.size, mentions: 0 }
  const conversation = target.name === 'messages' ? conversationOf(target.terms) : undefined
  return conversation === undefined ? noCount : countIds(unreadIds(chat, conversation), chat.unread.value)
}

const tallyOf = (chat: Chat, { fragment }: ListedView): number => {
  if (fragment === 'drafts') return chat.drafts.value.size
  if (fragment === 'narrow/is/starred') {
    return chat.settings.value.starred_message_counts === false ? 0 : chat.starred.value.size
  }
  return fragment === 'scheduled' ? chat.scheduledMessages.value.size : 0
}

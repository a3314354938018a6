/** The page of the chat: a bar, and three columns. On small screens the outer columns are drawers. */

import { directKey } from '@parley/client/realm'
import { useSignalEffect } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { ComposeArea } from '../compose/compose-area.js'
import { newTarget } from '../compose/compose-target.js'
import { FileDrop } from '../compose/file-drop.js'
import { followUses } from '../finding/uses.js'
import { Inbox } from '../inbox/inbox.js'
import { arrangeInbox, nextUnreadDirect, nextUnreadTopic } from '../inbox/inbox-rows.js'
import { followLanguage, t } from '../languages/t.js'
import { MemberList } from '../members/member-list.js'
import { MenuHost } from '../menus/menu-host.js'
import { openedMenu } from '../menus/open-menu.js'
import { followMoves } from '../messages/follow-moves.js'
import { MessageView } from '../messages/message-view.js'
import { openSent } from '../messages/show-sent.js'
import { viewTitle } from '../messages/view-title.js'
import { markIcon } from '../notifications/icon-mark.js'
import { showNotifications } from '../notifications/show-notifications.js'
import { titleCount } from '../notifications/title-count.js'
import { PlaceView } from '../places/place-view.js'
import { TopicsView } from '../places/topics-view.js'
import { type Chat, useChat } from '../realm/chat.js'
import { homeView } from '../realm/home-view.js'
import { otherParticipants } from '../realm/names.js'
import { currentMuting } from '../realm/unread.js'
import { rememberViews } from '../routing/back-view.js'
import type { View } from '../routing/fragment.js'
import { followLocation, open, openOverlay, overlay, view } from '../routing/location.js'
import { directView, shownConversation, topicView } from '../routing/views.js'
import { LeftSidebar } from '../sidebar/left-sidebar.js'
import { OpenSwitcher } from '../switcher/open-switcher.js'
import { Boundary } from '../ui/boundary.js'
import { listenForDismissal } from '../ui/dismiss-hover.js'
import { listenForShortcuts, useShortcuts } from '../ui/shortcuts.js'
import { StatusLine } from '../ui/status-line.js'
import { AppBar } from './app-bar.js'
import { Dialogs, dialogNames } from './dialogs.js'
import { drawer, isMembersLeft } from './drawer.js'
import { suggestTimeZone } from './suggest-time-zone.js'
import './layout.css'

/** The page of the chat. */
export const ChatPage = () => {
  const chat = useChat()
  useLayoutEffect(listenForShortcuts, [])
  useEffect(() => {
    const stopDismissing = listenForDismissal()
    const names = {
      channel: (id: number) => chat.channels.peek().get(id)?.name,
      user: (id: number) => chat.users.peek().get(id)?.full_name,
    }
    const stopFollowing = followLocation(names, dialogNames, () => homeView(chat))
    const stopRemembering = rememberViews()
    return () => {
      stopDismissing()
      stopFollowing()
      stopRemembering()
    }
  }, [chat])
  useEffect(() => showNotifications(chat), [chat])
  useEffect(() => followUses(chat), [chat])
  useEffect(() => followMoves(chat), [chat])
  useEffect(() => openSent(chat), [chat])
  useEffect(() => suggestTimeZone(chat), [chat])
  useSignalEffect(() => {
    if (chat.ownUserId !== undefined) followLanguage(chat.settings.value.default_language)
  })
  useSignalEffect(() => {
    const unread = titleCount(chat)
    const title = `${viewTitle(chat, view.value)} · ${chat.organization.value.realm_name}`
    document.title = unread > 0 ? `(${unread}) ${title}` : title
    markIcon(unread)
  })
  useEffect(() => () => markIcon(0), [])
  useSignalEffect(() => {
    // A view that was opened from a drawer closes it.
    if (view.value !== undefined) drawer.value = undefined
  })
  useShortcuts({
    showShortcuts: () => openOverlay('keyboard-shortcuts'),
    leave: () => leave(chat),
    nextTopic: () => openNextTopic(chat),
    nextDirect: () => openNextDirect(chat),
    allMessages: () => open({ name: 'messages', terms: [] }),
    inbox: () => open({ name: 'inbox' }),
    recent: () => open({ name: 'recent' }),
    drafts: () => open({ name: 'drafts' }),
    filterConversations: focusFilter,
    searchMembers: focusMembers,
  })
  const isVisitor = chat.ownUserId === undefined
  const shown = shownConversation(view.value)
  return (
    <div
      class={isVisitor ? 'chat-page visitor-page' : 'chat-page'}
      data-drawer={drawer.value ?? 'none'}
      data-members={isMembersLeft(chat) ? 'left' : 'right'}
    >
      <nav aria-label={t('Skip links')}>
        <button type="button" class="skip-link" onClick={skipToMessages}>
          {t('Skip to the messages')}
        </button>
        <button type="button" class="skip-link" onClick={skipToText}>
          {t('Skip to the text field')}
        </button>
      </nav>
      <Boundary note={t('The bar cannot be shown.')} of={view.value}>
        <AppBar />
      </Boundary>
      <Boundary note={t('The list of conversations cannot be shown.')}>
        <LeftSidebar />
      </Boundary>
      <main class="chat-centre">
        <StatusLine />
        <FileDrop newTarget={isVisitor ? undefined : newTarget(shown)} />
        {view.value.name !== 'messages' ? (
          <>
            <Boundary note={t('This view cannot be shown.')} of={view.value}>
              <Place view={view.value} />
            </Boundary>
            <Boundary note={t('The text field cannot be shown.')}>
              <ComposeArea conversation={shown} />
            </Boundary>
          </>
        ) : (
          <Boundary note={t('This view cannot be shown.')} of={view.value}>
            <MessageView view={view.value} />
          </Boundary>
        )}
        <Boundary note={t('This menu cannot be shown.')} of={openedMenu.value}>
          <MenuHost />
        </Boundary>
      </main>
      {!isVisitor && (
        <Boundary note={t('The list of members cannot be shown.')}>
          <MemberList />
        </Boundary>
      )}
      {drawer.value !== undefined && (
        <button type="button" class="drawer-shade" aria-label={t('Close the panel')} onClick={closeDrawer} />
      )}
      <Boundary note={t('This dialog cannot be shown.')} of={overlay.value}>
        <Dialogs />
      </Boundary>
      <Boundary note={t('The switcher cannot be shown.')} of={view.value}>
        <OpenSwitcher />
      </Boundary>
    </div>
  )
}

/** A view that shows no messages. */
const Place = ({ view: shown }: { view: Exclude<View, { name: 'messages' }> }) => {
  if (shown.name === 'inbox') return <Inbox />
  if (shown.name === 'topics') return <TopicsView key={shown.channelId} channelId={shown.channelId} />
  return <PlaceView key={shown.name} name={shown.name} />
}

const closeDrawer = (): void => {
  drawer.value = undefined
}

const leave = (chat: Chat): void => {
  if (drawer.value !== undefined) closeDrawer()
  else if (chat.settings.peek().web_escape_navigates_to_home_view !== false) open(homeView(chat))
}

const openNextTopic = (chat: Chat): void => {
  const current = shownConversation(view.value)
  const content = arrangeInbox(chat.unread.value, currentMuting(chat))
  const next = nextUnreadTopic(content, current?.kind === 'topic' ? current : undefined)
  open(next === undefined ? { name: 'inbox' } : topicView(next.channelId, next.topic))
}

const openNextDirect = (chat: Chat): void => {
  const current = shownConversation(view.value)
  const content = arrangeInbox(chat.unread.value, currentMuting(chat))
  const key = current?.kind === 'direct' ? directKey([...current.userIds, chat.ownUserId ?? 0]) : undefined
  const next = nextUnreadDirect(content, key)
  open(next === undefined ? { name: 'inbox' } : directView(otherParticipants(chat, next)))
}

const focusFilter = (): void => focusInDrawer('left', '#sidebar-filter')

const focusMembers = (): void => focusInDrawer('right', '#members input')

/** On a small screen the column can have the focus as soon as it is drawn as a drawer. */
const focusInDrawer = (side: 'left' | 'right', selector: string): void => {
  drawer.value = side
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}

/** The fragment of the address names the view, so a skip link moves the focus itself. */
const skipToMessages = (): void => {
  const list = document.querySelector<HTMLElement>('.message-scroller, .inbox-page, .place-page')
  if (list === null) focusMain()
  else list.focus()
}

/** A view without messages has no part for the focus. Elsewhere, a click must not give it to the whole view. */
const focusMain = (): void => {
  const main = document.querySelector('main')
  if (main === null) return
  main.tabIndex = -1
  main.addEventListener('blur', () => main.removeAttribute('tabindex'), { once: true })
  main.focus()
}

const skipToText = (): void => document.querySelector<HTMLElement>('#compose')?.focus()

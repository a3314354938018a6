/** The centre of the page while messages are open: the list, and how to get to its end. */

import { ApiError, type Message } from '@parley/client'
import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { ComposeArea } from '../compose/compose-area.js'
import { OutgoingMessages } from '../compose/outgoing-messages.js'
import { showWindow } from '../finding/shown-messages.js'
import { errorText } from '../languages/error-text.js'
import { t } from '../languages/t.js'
import { type Chat, type OpenWindow, useChat } from '../realm/chat.js'
import { open } from '../routing/location.js'
import { conversationOf, conversationView } from '../routing/views.js'
import { Boundary } from '../ui/boundary.js'
import { useShortcuts } from '../ui/shortcuts.js'
import { attempt } from '../ui/status-line.js'
import { ActionDialogs } from './actions/action-dialogs.js'
import { beginAction, openAction } from './actions/open-action.js'
import { messagePermissions } from './actions/permissions.js'
import { useMessageShortcuts } from './actions/use-message-shortcuts.js'
import { findDeadLink } from './dead-link.js'
import { EmptyView } from './empty-view.js'
import { endMoveLine, leadView } from './follow-moves.js'
import { ListFoot } from './list-foot.js'
import { MessageList, type SeenEnd, unseenEnd } from './message-list.js'
import { findLinkedTopic, type MessagesView, type Opened, openAt } from './open-window.js'
import { conversationOfMessage } from './parts/conversation-bar.js'
import { PictureViewer } from './pictures/picture-viewer.js'
import { placeKey, rememberPlace } from './places.js'
import { openReader } from './reading.js'
import { hasFoundLittle, SearchCorrections } from './search-corrections.js'
import { useShowSent } from './show-sent.js'
import { viewTitle } from './view-title.js'
import './messages.css'
import './rendered/rendered.css'
import './rendered/code.css'

/** The messages of a narrow. */
export const MessageView = ({ view }: { view: MessagesView }) => {
  const chat = useChat()
  const opened = useSignal<Opened | undefined>(undefined)
  const failure = useSignal('')
  const end = useSignal<SeenEnd>(unseenEnd)
  const list = useRef<MessageList>(null)
  const reader = useMemo(() => openReader(chat), [chat])
  const key = placeKey(view)

  const held = useRef<OpenWindow | undefined>(undefined)
  const loads = useRef(0)
  /** how often the view was loaded again, because the connection is back */
  const retries = useSignal(0)

  useEffect(() => {
    // The window followed its messages to this view.
    if (opened.peek()?.key === key) return
    endMoveLine()
    loads.current += 1
    const load = loads.current
    const isCurrent = () => loads.current === load
    opened.value = undefined
    failure.value = ''
    end.value = unseenEnd
    held.current?.close()
    held.current = undefined
    const show = async () => {
      const linked = await findLinkedTopic(chat, view)
      if (!isCurrent()) return
      if (linked !== undefined) return open(linked, { replace: true })
      const window = chat.messages(view.terms, { followsMoves: true })
      held.current = window
      const result = await openAt(chat, window, view)
      if (!isCurrent()) return
      if ('leadsTo' in result) open(result.leadsTo, { replace: true })
      else opened.value = result
    }
    show().catch((error: Error) => {
      if (isCurrent()) failure.value = (error instanceof ApiError && findDeadLink(chat, view.terms)) || errorText(error)
    })
  }, [key, retries.value])

  useSignalEffect(() => {
    if (chat.connection.value.status === 'open' && failure.peek() !== '') retries.value = retries.peek() + 1
  })

  useEffect(() => {
    const stop = leadView(
      chat,
      () => opened.peek()?.window,
      (next) => {
        const followed = opened.peek()
        if (followed !== undefined) opened.value = { ...followed, key: placeKey(next) }
      },
    )
    return () => {
      stop()
      loads.current += 1
      held.current?.close()
      reader.close()
    }
  }, [])

  useShortcuts({
    nextMessage: () => list.current?.move(1),
    previousMessage: () => list.current?.move(-1),
    newestMessage: () => void showNewest(opened.value, list.current, { isFocused: true }),
    openTopic: () => openConversation(chat, list.current?.selected),
  })

  useShowSent(view, () => void showNewest(opened.value, list.current))
  useMessageShortcuts(() => list.current?.selected)

  // While another view is loaded, what is open is still that of the last one.
  const current = opened.value?.key === key ? opened.value : undefined
  const shown = current?.window.view.value
  // The signal has what was loaded one frame later.
  const isLoaded = shown !== undefined && (shown.status !== 'loading' || shown.messages.length > 0)
  useEffect(() => showWindow(current?.window), [current?.window])
  const isEmpty = isLoaded && shown.messages.length === 0 && failure.value === ''
  const deadLink = isEmpty || failure.value !== '' ? findDeadLink(chat, view.terms) : undefined
  const hasLittle = isLoaded && shown.hasOldest && shown.hasNewest && hasFoundLittle(view, shown.messages.length)
  const label = t('Messages of {view}', { view: viewTitle(chat, view) })
  const conversation = conversationOf(view.terms)
  return (
    <div class="message-view">
      {failure.value !== '' && (
        <p class="error-note message-view-note" role="alert">
          {failure.value}
        </p>
      )}
      {!isLoaded && failure.value === '' && <p class="message-view-note soft-text">{t('Loading…')}</p>}
      {isEmpty && deadLink === undefined && <EmptyView view={view} />}
      {isEmpty && deadLink !== undefined && (
        <p class="message-view-note empty-view" role="alert">
          {deadLink}
        </p>
      )}
      {hasLittle && <SearchCorrections view={view} />}
      {current !== undefined && isLoaded && (
        <MessageList
          listRef={list}
          key={current.window}
          window={current.window}
          target={current.target}
          end={end}
          firstUnreadId={current.firstUnreadId}
          onPlace={(anchor) => rememberPlace(chat, key, { anchor, firstUnreadId: current.firstUnreadId })}
          isMixed={conversation === undefined || conversation.kind === 'channel'}
          label={label}
          onRead={(message: Message) => marksAsRead(chat, view) && reader.read(message.id)}
        >
          <OutgoingMessages conversation={conversation} arrived={shown.messages} />
        </MessageList>
      )}
      {(current === undefined || !isLoaded) && <OutgoingMessages conversation={conversation} />}
      <Boundary note={t('This picture cannot be shown.')} of={shown}>
        {current !== undefined && <PictureViewer window={current.window} />}
      </Boundary>
      <Boundary note={t('This dialog cannot be shown.')} of={openAction.value}>
        <ActionDialogs />
      </Boundary>
      <ListFoot
        conversation={conversation}
        window={isLoaded ? current?.window : undefined}
        end={end}
        onJump={() => showNewest(opened.value, list.current, { isFocused: true })}
      />
      <Boundary note={t('The text field cannot be shown.')} of={key}>
        <ComposeArea
          conversation={deadLink === undefined ? conversation : undefined}
          onEditLast={() => void editLast(chat, current?.window, list.current)}
        />
      </Boundary>
    </div>
  )
}

/** Whether reading marks messages as read here: a setting of the user allows it always, in conversations, or never. */
const marksAsRead = (chat: Chat, view: MessagesView): boolean => {
  if (chat.ownUserId === undefined) return false
  const policy = chat.settings.value.web_mark_read_on_scroll_policy
  return policy === 1 || (policy === 2 && conversationOf(view.terms) !== undefined)
}

const showNewest = async (
  opened: Opened | undefined,
  list: MessageList | null,
  focus: { isFocused?: boolean } = {},
): Promise<void> => {
  if (opened === undefined) return
  if (!opened.window.get().hasNewest) await attempt(opened.window.jumpTo('newest'))
  list?.showEnd(focus)
}

/** Opens the last message that the user sent to the view, if its text may still be edited. */
const editLast = async (chat: Chat, window: OpenWindow | undefined, list: MessageList | null): Promise<void> => {
  if (window === undefined) return
  if (!window.get().hasNewest) await attempt(window.jumpTo('newest'))
  const last = window.get().messages.findLast(({ sender_id }) => sender_id === chat.ownUserId)
  if (last === undefined || !messagePermissions(chat, last).edit) return
  list?.show(last.id, { isHighlighted: false })
  beginAction('edit', last, { returnsTo: document.activeElement })
}

const openConversation = (chat: Chat, message: Message | undefined): void => {
  if (message !== undefined) open(conversationView(conversationOfMessage(chat, message), message.id))
}

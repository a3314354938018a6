/** The centre of the page while messages are open: the list, and how to get to its end. */

import type { Message } from '@parley/client'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ComposeArea } from '../compose/compose-area.js'
import { OutgoingMessages } from '../compose/outgoing-messages.js'
import { type Chat, type OpenWindow, useChat } from '../realm/chat.js'
import type { View } from '../routing/fragment.js'
import { open } from '../routing/location.js'
import { conversationOf, conversationView, viewKey } from '../routing/views.js'
import { Icon } from '../ui/icon.js'
import { useShortcuts } from '../ui/shortcuts.js'
import { ActionDialogs } from './actions/action-dialogs.js'
import { useMessageShortcuts } from './actions/use-message-shortcuts.js'
import { conversationOfMessage } from './conversation-bar.js'
import { hasFlag } from './flags.js'
import { MessageList, type Target } from './message-list.js'
import { PictureViewer } from './pictures/picture-viewer.js'
import { openReader } from './reading.js'
import { TypingLine } from './typing-line.js'
import { viewTitle } from './view-title.js'
import './messages.css'
import './rendered/rendered.css'
import './rendered/code.css'

type MessagesView = Extract<View, { name: 'messages' }>

interface Opened {
  window: OpenWindow
  target: Target
  firstUnreadId: number | undefined
}

/** The messages of a narrow. */
export const MessageView = ({ view }: { view: MessagesView }) => {
  const chat = useChat()
  const opened = useSignal<Opened | undefined>(undefined)
  const failure = useSignal('')
  const list = useRef<MessageList>(null)
  const reader = useRef(openReader(chat))
  const key = viewKey(view)

  useEffect(() => () => reader.current.close(), [])

  useEffect(() => {
    const window = chat.messages(view.terms)
    let isCurrent = true
    opened.value = undefined
    failure.value = ''
    openAt(chat, window, view)
      .then((result) => {
        if (isCurrent) opened.value = result
      })
      .catch((error: Error) => {
        if (isCurrent) failure.value = error.message
      })
    return () => {
      isCurrent = false
      window.close()
    }
  }, [key, view.near])

  useShortcuts({
    nextMessage: () => list.current?.move(1),
    previousMessage: () => list.current?.move(-1),
    newestMessage: () => void showNewest(opened.value, list.current),
    openTopic: () => openConversation(chat, list.current?.selected),
  })

  useMessageShortcuts(() => list.current?.selected)

  const hasNewest = useComputed(() => opened.value?.window.view.value.hasNewest !== false)
  const isEmpty = useComputed(() => opened.value?.window.view.value.messages.length === 0)
  const label = `Messages of ${viewTitle(chat, view)}`
  const conversation = conversationOf(view.terms)
  return (
    <div class="message-view">
      {failure.value !== '' && (
        <p class="error-note message-view-note" role="alert">
          {failure.value}
        </p>
      )}
      {opened.value === undefined && failure.value === '' && <p class="message-view-note soft-text">Loading…</p>}
      {isEmpty.value && <p class="message-view-note soft-text">There are no messages here.</p>}
      {opened.value !== undefined && (
        <MessageList
          listRef={list}
          key={key}
          window={opened.value.window}
          target={opened.value.target}
          firstUnreadId={opened.value.firstUnreadId}
          isMixed={conversation === undefined || conversation.kind === 'channel'}
          label={label}
          onRead={(message: Message) => marksAsRead(chat, view) && reader.current.read(message.id)}
        >
          <OutgoingMessages
            isShown={(message) => JSON.stringify(message.conversation) === JSON.stringify(conversation)}
          />
        </MessageList>
      )}
      {!hasNewest.value && (
        <button type="button" class="button to-newest" onClick={() => showNewest(opened.value, list.current)}>
          <Icon name="down" size={16} /> Newest messages
        </button>
      )}
      {opened.value !== undefined && <PictureViewer window={opened.value.window} />}
      <ActionDialogs />
      <TypingLine conversation={conversation} />
      <ComposeArea conversation={conversation} />
    </div>
  )
}

/** Whether reading marks messages as read here: a setting of the user allows it always, in conversations, or never. */
const marksAsRead = (chat: Chat, view: MessagesView): boolean => {
  if (chat.ownUserId === undefined) return false
  const policy = chat.settings.value.web_mark_read_on_scroll_policy
  return policy === 1 || (policy === 2 && conversationOf(view.terms) !== undefined)
}

/** A link names a message that says which topic is meant: if the topic was moved, its new place is opened. */
const followMove = async (chat: Chat, view: MessagesView): Promise<boolean> => {
  if (view.with === undefined) return false
  const { message } = await chat.client.call('GET /messages/{message_id}', { message_id: view.with })
  const moved = conversationView(conversationOfMessage(chat, message), view.near)
  if (viewKey(moved) === viewKey(view)) return false
  open(moved, { replace: true })
  return true
}

/** Loads the messages around the place where the view opens: a message, the first unread one, or the newest. */
const openAt = async (chat: Chat, window: OpenWindow, view: MessagesView): Promise<Opened> => {
  // A message that cannot be read any more does not say where its topic is: the link's own topic is opened.
  await followMove(chat, view).catch(() => false)
  await window.jumpTo(view.near ?? (chat.ownUserId === undefined ? 'newest' : 'first_unread'))
  const { messages, anchor } = window.get()
  const firstUnreadId = messages.find((message) => !hasFlag(message, 'read'))?.id
  if (view.near !== undefined && anchor !== undefined) {
    return { window, target: { id: anchor, isHighlighted: true }, firstUnreadId }
  }
  const target: Target = firstUnreadId === undefined ? 'newest' : { id: firstUnreadId, isHighlighted: false }
  return { window, target, firstUnreadId }
}

const showNewest = async (opened: Opened | undefined, list: MessageList | null): Promise<void> => {
  if (opened === undefined) return
  if (!opened.window.get().hasNewest) await opened.window.jumpTo('newest')
  list?.showEnd()
}

const openConversation = (chat: Chat, message: Message | undefined): void => {
  if (message !== undefined) open(conversationView(conversationOfMessage(chat, message), message.id))
}

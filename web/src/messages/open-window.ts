/** Opens the messages of a view at the right place: where the user was, a message of a link, or the first unread one. */
import type { Message } from '@parley/client'
import type { Chat, OpenWindow } from '../realm/chat.js'
import type { View } from '../routing/fragment.js'
import { cameByHistory, open } from '../routing/location.js'
import { conversationView, viewKey } from '../routing/views.js'
import { conversationOfMessage } from './conversation-bar.js'
import { hasFlag } from './flags.js'
import type { Target } from './message-list.js'
import { findPlace, type Place, placeKey } from './places.js'

export type MessagesView = Extract<View, { name: 'messages' }>

/** A window of messages that is loaded, and where its list opens. */
export interface Opened {
  /** the view, as `placeKey` names it */
  key: string
  window: OpenWindow
  target: Target
  firstUnreadId: number | undefined
}

/**
 * Leads to the new place of a moved topic, if the link of the view names a message of it.
 * @returns whether the view is that of another place now
 */
export const followLink = (chat: Chat, view: MessagesView): Promise<boolean> =>
  // A message that cannot be read any more does not say where its topic is: the link's own topic is opened.
  followMove(chat, view).catch(() => false)

/** Loads the messages around the place where the view opens. The window has to be new: it loads nothing else then. */
export const openAt = async (chat: Chat, window: OpenWindow, view: MessagesView): Promise<Opened> => {
  const key = placeKey(view)
  const place = findPlace(chat, key)
  // The place of the user, unless that was the end: then what is new follows it.
  const returnTo = place?.anchor === 'end' ? undefined : place
  if (returnTo !== undefined && cameByHistory()) return returnToPlace(key, window, returnTo)
  await window.jumpTo(view.near ?? (chat.ownUserId === undefined ? 'newest' : 'first_unread'))
  const { messages, anchor } = window.get()
  const firstUnreadId = findUnread(messages)
  if (view.near !== undefined && anchor !== undefined) {
    return { key, window, target: { id: anchor, isHighlighted: true }, firstUnreadId }
  }
  if (firstUnreadId === undefined && returnTo !== undefined) return returnToPlace(key, window, returnTo)
  const target: Target = firstUnreadId === undefined ? 'newest' : { id: firstUnreadId, isHighlighted: false }
  return { key, window, target, firstUnreadId }
}

const returnToPlace = async (key: string, window: OpenWindow, { anchor, firstUnreadId }: Place): Promise<Opened> => {
  if (anchor === 'end') throw new Error('The end of a list is no place to return to.')
  await window.jumpTo(anchor.id)
  const { messages } = window.get()
  // The message may be gone: then the next one is shown where it was.
  const shown = messages.find(({ id }) => id >= anchor.id) ?? messages.at(-1)
  const target: Target = shown === undefined ? 'newest' : { id: shown.id, isHighlighted: false, offset: anchor.offset }
  return { key, window, target, firstUnreadId: firstUnreadId ?? findUnread(messages) }
}

const findUnread = (messages: readonly Message[]): number | undefined =>
  messages.find((message) => !hasFlag(message, 'read'))?.id

/** A link names a message that says which topic is meant: if the topic was moved, its new place is opened. */
const followMove = async (chat: Chat, view: MessagesView): Promise<boolean> => {
  if (view.with === undefined) return false
  const { message } = await chat.client.call('GET /messages/{message_id}', { message_id: view.with })
  const moved = conversationView(conversationOfMessage(chat, message), view.near)
  if (viewKey(moved) === viewKey(view)) return false
  open(moved, { replace: true })
  return true
}

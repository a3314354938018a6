/**
 * Opens the messages of a view at the right place: where the user was, a message of a link, or the first unread one.
 */

import { ApiError, type Message } from '@parley/client'
import { t } from '../languages/t.js'
import type { Chat, OpenWindow } from '../realm/chat.js'
import type { Term, View } from '../routing/fragment.js'
import { cameByHistory } from '../routing/location.js'
import { conversationOf, conversationView, topicView, viewKey } from '../routing/views.js'
import { say } from '../ui/status-line.js'
import { findMovedTopic } from './follow-moves.js'
import type { Target } from './message-list.js'
import { conversationOfMessage } from './parts/conversation-bar.js'
import { hasFlag } from './parts/flags.js'
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

/** Another view, in which the messages of a link are now. */
interface Elsewhere {
  leadsTo: View
}

/**
 * Where the topic of a link with `with` is, if it was moved. A message that cannot be read any more does not say that:
 * then the link's own topic is opened.
 */
export const findLinkedTopic = async (chat: Chat, view: MessagesView): Promise<View | undefined> => {
  const found = view.with === undefined ? undefined : await findMessage(chat, view.with).catch(() => undefined)
  if (found === undefined) return undefined
  const moved = conversationView(conversationOfMessage(chat, found), view.near)
  return viewKey(moved) === viewKey(view) ? undefined : moved
}

/**
 * Loads the messages around the place where the view opens. The window has to be new: it loads nothing else then.
 * Throws ApiError or ConnectionError when the view cannot be shown.
 */
export const openAt = async (chat: Chat, window: OpenWindow, view: MessagesView): Promise<Opened | Elsewhere> => {
  const key = placeKey(view)
  const place = findPlace(chat, key)
  // The place of the user, unless that was the end: then what is new follows it.
  const returnTo = place?.anchor === 'end' ? undefined : place
  if (returnTo !== undefined && cameByHistory()) return returnToPlace(key, window, returnTo)
  if (view.near !== undefined) return openNear(chat, window, view, view.near)
  return openUnread(chat, window, view, returnTo)
}

/** Opens a view at the message of a link, or the conversation in which that message is now. */
const openNear = async (
  chat: Chat,
  window: OpenWindow,
  view: MessagesView,
  near: number,
): Promise<Opened | Elsewhere> => {
  const key = placeKey(view)
  const failure = await window.jumpTo(near).then(noFailure, (error: Error) => error)
  const { messages } = window.get()
  if (messages.some(({ id }) => id === near)) {
    return { key, window, target: { id: near, isHighlighted: true }, firstUnreadId: findUnread(messages) }
  }
  if (view.terms.length > 0 && conversationOf(view.terms) === undefined && !hasChannelName(view.terms)) {
    if (failure !== undefined) throw failure
    // What a search finds around the message.
    const next = messages.find(({ id }) => id > near) ?? messages.at(-1)
    const target: Target = next === undefined ? 'newest' : { id: next.id, isHighlighted: true }
    return { key, window, target, firstUnreadId: findUnread(messages) }
  }
  const found = await findMessage(chat, near)
  const leadsTo = found === undefined ? undefined : conversationView(conversationOfMessage(chat, found), near)
  if (leadsTo !== undefined && viewKey(leadsTo) !== viewKey(view)) return { leadsTo }
  if (failure !== undefined) throw failure
  say({ text: t('The message of this link cannot be shown: it was deleted, or you may not read it.'), isFailure: true })
  return openUnread(chat, window, view, undefined)
}

/** Opens a view at the first unread message; without one at the place where the user was, or at the end. */
const openUnread = async (
  chat: Chat,
  window: OpenWindow,
  view: MessagesView,
  returnTo: Place | undefined,
): Promise<Opened | Elsewhere> => {
  const key = placeKey(view)
  await window.jumpTo(chat.ownUserId === undefined ? 'newest' : 'first_unread')
  const { messages } = window.get()
  const conversation = conversationOf(view.terms)
  if (messages.length === 0 && conversation?.kind === 'topic') {
    const moved = findMovedTopic(chat, conversation)
    if (moved !== undefined) return { leadsTo: topicView(moved.channelId, moved.topic) }
  }
  const firstUnreadId = findUnread(messages)
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

/** A message, wherever it is; undefined if it was deleted or the user may not read it. */
const findMessage = async (chat: Chat, message_id: number): Promise<Message | undefined> => {
  try {
    const { message } = await chat.client.call('GET /messages/{message_id}', {
      message_id,
      allow_empty_topic_name: true,
    })
    return message as Message
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}

/** An old link can name a channel that has another name now. */
const hasChannelName = (terms: readonly Term[]): boolean =>
  terms.some(({ operator, operand }) => operator === 'channel' && typeof operand === 'string')

const noFailure = (): undefined => undefined

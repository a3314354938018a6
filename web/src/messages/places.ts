/**
 * Where the user was in each view of messages, until the page is closed.
 *
 * The back and forward buttons return there. A link to the view does so too, unless there is something new to read.
 */
import type { Chat } from '../realm/chat.js'
import type { View } from '../routing/fragment.js'
import { viewKey } from '../routing/views.js'
import type { Anchor } from './list-scroller.js'

/** What a list showed when the user left it. */
export interface Place {
  anchor: Anchor
  /** the message above which the line of unread messages was */
  firstUnreadId: number | undefined
}

/** The number of views that are remembered. */
const MAX_PLACES = 200

const placesOf = new WeakMap<Chat, Map<string, Place>>()

/** A text that is equal for two views that open at the same place. */
export const placeKey = (view: View): string => `${viewKey(view)} ${view.name === 'messages' ? (view.near ?? '') : ''}`

/** Remembers where the user is in a view. */
export const rememberPlace = (chat: Chat, key: string, place: Place): void => {
  const places = placesOf.get(chat) ?? new Map<string, Place>()
  placesOf.set(chat, places)
  // The view that was seen last is the last one.
  places.delete(key)
  places.set(key, place)
  const [oldest] = places.keys()
  if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest)
}

/** Where the user was in a view; undefined if it was not open before. */
export const findPlace = (chat: Chat, key: string): Place | undefined => placesOf.get(chat)?.get(key)

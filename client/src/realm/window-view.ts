/**
 * What a window of messages shows, as a state machine without requests.
 *
 * Each transition takes a view and returns the next one. The status of a view is `loading`, `ready` or `failed`:
 *
 * | status | transition | next status |
 * | --- | --- | --- |
 * | any | beginJump | loading: what was shown stays until the answer |
 * | loading | showPage | ready |
 * | any | extendView: older or newer messages have arrived | ready |
 * | any | showFailure: a request failed | failed |
 * | any | insertMessages, replaceMessages, refreshPart, changeMessages | the same |
 */
import type { Message, Narrow, Result } from '../kernel/api.js'
import { findIndex, type Messages, merge } from './message-changes.js'
import type { MessagesView } from './types.js'

/** A window with more messages drops some of them, until KEPT_MESSAGES are left. */
export const MAX_MESSAGES = 1_500
const KEPT_MESSAGES = 1_200

/** An answer of the server. The events that arrived during the request are applied to its messages. */
export type Page = Pick<Result<'GET /messages'>, 'anchor' | 'found_oldest' | 'found_newest'> & { messages: Messages }

/** Which end of a window grows. */
export type Direction = 'older' | 'newer'

/**
 * How far a view extends.
 * - `unknown`: it has no messages, and the narrow can have some
 * - `empty`: the narrow has no messages
 * - `atNewest`: its last message is the newest one: new messages are added as they arrive
 * - `behind`: there is a gap between its last message and those that arrive
 */
export type Extent = 'unknown' | 'empty' | 'atNewest' | 'behind'

/** Finds how far a view extends. */
export const findExtent = ({ messages, hasOldest, hasNewest }: MessagesView): Extent => {
  if (messages.length > 0) return hasNewest ? 'atNewest' : 'behind'
  return hasOldest && hasNewest ? 'empty' : 'unknown'
}

/** The view before the first request. */
export const openView = (narrow: Narrow): MessagesView => ({
  narrow,
  messages: [],
  hasOldest: false,
  hasNewest: false,
  status: 'loading',
})

/** Whether a message belongs between the ends of a view. */
export const isInRange = (view: MessagesView, id: number): boolean => {
  const [first, last] = [view.messages[0]?.id ?? 0, view.messages.at(-1)?.id ?? 0]
  switch (findExtent(view)) {
    case 'unknown':
      return false
    case 'empty':
      return true
    case 'atNewest':
      return view.hasOldest || id >= first
    case 'behind':
      return (view.hasOldest || id >= first) && id <= last
  }
}

/** The user goes to another place. */
export const beginJump = (view: MessagesView): MessagesView => ({ ...view, status: 'loading' })

/** A request failed. */
export const showFailure = (view: MessagesView, error: Error): MessagesView => ({ ...view, status: 'failed', error })

/** The messages around the place of a jump have arrived. */
export const showPage = (
  { narrow }: MessagesView,
  { messages, anchor, found_oldest, found_newest }: Page,
): MessagesView => {
  const isShown = anchor !== undefined && messages.some(({ id }) => id >= anchor)
  return {
    narrow,
    messages,
    hasOldest: found_oldest,
    hasNewest: found_newest,
    status: 'ready',
    ...(isShown ? { anchor } : {}),
  }
}

/** Messages next to one end of the view have arrived. */
export const extendView = (
  view: MessagesView,
  direction: Direction,
  { messages, found_oldest, found_newest }: Page,
  reading: number | undefined,
): MessagesView => {
  const end = direction === 'older' ? { hasOldest: found_oldest } : { hasNewest: found_newest }
  const all = merge(view.messages, messages)
  return setMessages({ ...view, ...end, status: 'ready' }, all, direction === 'older' ? 'newest' : 'oldest', reading)
}

/** An event changed some messages, or moved some of them out of the narrow. */
export const changeMessages = (view: MessagesView, messages: Messages): MessagesView =>
  messages === view.messages ? view : { ...view, messages }

/** Messages that are in the narrow are new, or have entered it. */
export const insertMessages = (view: MessagesView, messages: Messages, reading: number | undefined): MessagesView => {
  const inside = messages.filter(({ id }) => isInRange(view, id))
  return inside.length === 0 ? view : setMessages(view, merge(view.messages, inside), 'oldest', reading)
}

/** The server told which of some messages are in the narrow. No others are shown. */
export const replaceMessages = (
  view: MessagesView,
  asked: readonly number[],
  found: Messages,
  reading: number | undefined,
): MessagesView => {
  const ids = new Set(asked)
  const others = view.messages.filter(({ id }) => !ids.has(id))
  const inside = found.filter(({ id }) => isInRange(view, id))
  return setMessages(view, merge(others, inside), 'oldest', reading)
}

/**
 * A part of the view was fetched again. What is missing in the answer is not in the narrow any more.
 * @param range the ids between which the answer is complete
 * @param arrived messages that can be newer than the answer
 * @returns the same view if nothing differs
 */
export const refreshPart = (
  view: MessagesView,
  { messages, found_newest }: Page,
  range: { readonly from: number; readonly to: number },
  arrived: ReadonlySet<number>,
  { isAtEnd, reading }: { isAtEnd: boolean; reading: number | undefined },
): MessagesView => {
  const shown = view.messages
  const others = shown.filter(({ id }) => id < range.from || id > range.to || arrived.has(id))
  const before = new Map(shown.map((message) => [message.id, message]))
  const fresh = messages
    .filter(({ id }) => isInRange(view, id))
    .map((message) => {
      const previous = before.get(message.id)
      return previous !== undefined && isEqual(previous, message) ? previous : message
    })
  const all = merge(others, fresh)
  const isSame = all.length === shown.length && all.every((message, index) => message === shown[index])
  if (isSame) return view
  return setMessages(isAtEnd ? { ...view, hasNewest: found_newest } : view, all, 'oldest', reading)
}

/** Sets the messages, and drops those furthest from what is read, or else at one end, if there are too many. */
const setMessages = (
  view: MessagesView,
  messages: Messages,
  drop: 'oldest' | 'newest',
  reading: number | undefined,
): MessagesView => {
  if (messages.length <= MAX_MESSAGES) return { ...view, messages }
  const index = reading === undefined ? undefined : findIndex(messages, reading)
  const end = index === undefined ? drop : index < messages.length / 2 ? 'newest' : 'oldest'
  return end === 'oldest'
    ? { ...view, messages: messages.slice(-KEPT_MESSAGES), hasOldest: false }
    : { ...view, messages: messages.slice(0, KEPT_MESSAGES), hasNewest: false }
}

/** Whether two messages have the same fields. Answers have them in one order. */
const isEqual = (one: Message, other: Message): boolean => JSON.stringify(one) === JSON.stringify(other)

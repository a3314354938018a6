/** What a window of messages asks the server for, and what it does with the answers. */
import type { Client } from '../client.js'
import type { Params, Result } from '../kernel/api.js'
import type { WritableStore } from '../kernel/store.js'
import { type DatedEvent, findIndex, type Messages } from './message-changes.js'
import { matchesNarrow, type NarrowContext } from './narrow.js'
import type { MessagesView, MessageWindow } from './types.js'
import { applyEvents, findEntered, listArrivals } from './window-events.js'
import type { WindowRequests } from './window-requests.js'
import {
  beginJump,
  type Direction,
  extendView,
  findExtent,
  insertMessages,
  isInRange,
  refreshPart,
  replaceMessages,
  showFailure,
  showPage,
} from './window-view.js'

/** What lasts as long as a window. */
export interface WindowParts {
  readonly client: Client
  readonly context: NarrowContext
  readonly view: WritableStore<MessagesView>
  readonly requests: WindowRequests
  /** the message that the user reads; undefined: the newest ones */
  reading: number | undefined
  /** the timer of the jump to the same place that an event caused */
  reloading: ReturnType<typeof setTimeout> | undefined
}

/** Where a jump leads. */
export type JumpTarget = Parameters<MessageWindow['jumpTo']>[0]

type Answer = Result<'GET /messages'>
type Use = (answer: Answer, events: readonly DatedEvent[]) => void

const PAGE = 100
/** messages that a refresh fetches again */
const REFRESHED = 50
const RELOAD_DELAY_MS = 50

/** The form of messages in windows: as in the events of the realm. */
const rendering = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true }

/** The error of a request that nobody awaits is in the view. */
export const ignore = (): void => {}

/** Shows another place. */
export const jump = async (window: WindowParts, target: JumpTarget): Promise<void> => {
  const { view, requests } = window
  requests.beginPhase()
  window.reading = typeof target === 'number' ? target : undefined
  view.set(beginJump(view.get()))
  const before = target === 'oldest' ? 0 : PAGE
  const after = target === 'newest' ? 0 : PAGE
  const params = { anchor: String(target), num_before: before, num_after: after }
  const use: Use = (answer, events) => {
    const messages = applyAll(window, answer.messages, events)
    view.set(showPage(view.get(), { ...answer, messages }))
    if (answer.found_newest) arrive(window, events)
  }
  await track(window, params, use, { beginsPhase: true })
}

/** Shows the same place again, once for several events that follow each other. */
export const reload = (window: WindowParts): void => {
  clearTimeout(window.reloading)
  window.reloading = setTimeout(() => jump(window, findTarget(window)).catch(ignore), RELOAD_DELAY_MS)
}

/** Fetches a window again that has lost all of its messages, but may not be empty. @param before what it had */
export const reloadIfEmptied = (window: WindowParts, before: Messages): void => {
  const view = window.view.get()
  if (before.length > 0 && view.status !== 'loading' && findExtent(view) === 'unknown') reload(window)
}

/** Finds where the window is. */
export const findTarget = ({ view, reading }: WindowParts): JumpTarget => {
  if (reading !== undefined) return reading
  const { messages } = view.get()
  const middle = messages[messages.length >> 1]?.id ?? 'newest'
  return findExtent(view.get()) === 'behind' ? middle : 'newest'
}

/** Adds messages at one end, unless it is complete. */
export const extendOnce = (window: WindowParts, direction: Direction, count = PAGE): Promise<void> => {
  const { hasOldest, hasNewest } = window.view.get()
  const isComplete = direction === 'older' ? hasOldest : hasNewest
  return window.requests.extendOnce(direction, isComplete, () => extend(window, direction, count))
}

const extend = async (window: WindowParts, direction: Direction, count: number): Promise<void> => {
  const { view } = window
  const { messages } = view.get()
  const isOlder = direction === 'older'
  const edge = isOlder ? messages[0] : messages.at(-1)
  if (edge === undefined) return jump(window, 'newest')
  const anchor = { anchor: String(edge.id), include_anchor: false }
  await track(
    window,
    { ...anchor, num_before: isOlder ? count : 0, num_after: isOlder ? 0 : count },
    (answer, events) => {
      const added = { ...answer, messages: applyAll(window, answer.messages, events) }
      view.set(extendView(view.get(), direction, added, window.reading))
      if (!isOlder && answer.found_newest) arrive(window, events)
    },
  )
}

/** Adds the new messages of some events that are in the narrow. For some narrows, only the server can tell. */
export const arrive = (window: WindowParts, events: readonly DatedEvent[]): void => {
  const { context, view, reading } = window
  const { narrow } = view.get()
  const messages = applyAll(window, listArrivals(events), events)
  const matching = messages.filter((message) => matchesNarrow(context, narrow, message) === true)
  view.set(insertMessages(view.get(), matching, reading))
  const unclear = messages.filter((message) => matchesNarrow(context, narrow, message) === undefined)
  const ids = unclear.map(({ id }) => id)
  fetchByIds(window, ids).catch(ignore)
}

/** Fetches the messages that events let into the narrow. Those that the window has are left out. */
export const fetchEntered = (window: WindowParts, events: readonly DatedEvent[]): void => {
  const { context, view } = window
  const ids = new Set(events.flatMap((event) => findEntered(context, view.get(), event)))
  fetchByIds(window, [...ids]).catch(ignore)
}

/** Fetches those of some messages that are in the narrow. The window shows no others of them. */
export const fetchByIds = async (window: WindowParts, ids: readonly number[]): Promise<void> => {
  const { view } = window
  const wanted = ids.filter((id) => isInRange(view.get(), id))
  if (wanted.length === 0) return
  await track(window, { message_ids: wanted }, ({ messages }, events) => {
    view.set(replaceMessages(view.get(), wanted, applyAll(window, messages, events), window.reading))
  })
}

/**
 * Fetches the newest messages and those around the place of reading again. A failure leaves the window as it is.
 * @returns whether any message has changed
 */
export const refresh = async (window: WindowParts): Promise<boolean> => {
  const { view, requests } = window
  const { messages, hasNewest, status } = view.get()
  if (status !== 'ready' || requests.isExtending) return false
  const last = messages.at(-1)
  if (hasNewest) {
    const atEnd =
      last === undefined
        ? { anchor: 'newest', num_before: PAGE, num_after: 0 }
        : { anchor: String(last.id), num_before: REFRESHED, num_after: PAGE }
    await fetchAgain(window, atEnd, true)
  }
  const { reading } = window
  const read = messages[reading === undefined ? messages.length >> 1 : findIndex(messages, reading)]
  const isFarFromEnd = read !== undefined && findIndex(messages, read.id) < messages.length - REFRESHED
  if (read !== undefined && (!hasNewest || (reading !== undefined && isFarFromEnd))) {
    await fetchAgain(window, { anchor: String(read.id), num_before: REFRESHED, num_after: REFRESHED }, false)
  }
  return view.get().messages !== messages
}

const fetchAgain = (window: WindowParts, params: Params<'GET /messages'>, isAtEnd: boolean): Promise<void> => {
  const { view } = window
  return window.requests.run(
    () => fetchMessages(window, params),
    (answer, events) => {
      const { messages, found_oldest, found_newest } = answer
      const from = found_oldest ? 0 : (messages[0]?.id ?? Number.POSITIVE_INFINITY)
      const to = found_newest ? Number.POSITIVE_INFINITY : (messages.at(-1)?.id ?? 0)
      const arrived = new Set(listArrivals(events).map(({ id }) => id))
      const page = { ...answer, messages: applyAll(window, messages, events) }
      const { reading } = window
      view.set(refreshPart(view.get(), page, { from, to }, arrived, { isAtEnd, reading }))
    },
  )
}

/** Makes a request whose failure the view shows. */
const track = (
  window: WindowParts,
  params: Params<'GET /messages'>,
  use: Use,
  { beginsPhase = false } = {},
): Promise<void> => {
  const { view, requests } = window
  const onFailure = (error: Error) => view.set(showFailure(view.get(), error))
  const useWithEvents: Use = (answer, events) => {
    use(answer, events)
    fetchEntered(window, events)
    reloadIfEmptied(window, answer.messages)
  }
  return requests.run(() => fetchMessages(window, params), useWithEvents, { onFailure, beginsPhase })
}

const fetchMessages = ({ client, view }: WindowParts, params: Params<'GET /messages'>): Promise<Answer> =>
  client.call('GET /messages', { ...rendering, narrow: [...view.get().narrow], ...params })

const applyAll = ({ context, view }: WindowParts, messages: Messages, events: readonly DatedEvent[]): Messages =>
  applyEvents(context, view.get().narrow, messages, events)

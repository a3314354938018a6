/**
 * A window of the messages of a narrow.
 *
 * 1. The messages between the first and the last one of the window are all messages of the narrow between them.
 * 2. An answer can be older than an event that arrived before it. So the events that arrive during a request are applied
 *    to its answer too.
 * 3. A message stays in the window when only a flag changes, so that messages do not vanish while they are read.
 * 4. A jump makes the answers to earlier requests void.
 */

import type { Event, Message, Narrow, Reset } from '../api.js'
import type { Client } from '../client.js'
import { createStore } from '../store.js'
import { applyEvent, findIndex, type Messages, merge } from './message-changes.js'
import { dependsOnFlag, dependsOnPlace, matchesNarrow, type NarrowContext } from './narrow.js'
import type { MessagesView, MessageWindow } from './types.js'

/** A window with more messages drops some of them, until KEPT_MESSAGES are left. */
export const MAX_MESSAGES = 1_500
const KEPT_MESSAGES = 1_200
const PAGE = 100

/** A window, and its part of each event. */
export interface OpenWindow extends MessageWindow {
  receive(event: Event | Reset): void
}

type Place = Parameters<MessageWindow['jumpTo']>[0]

/** Opens a window. @param onClose is called when the window is closed */
export const openMessageWindow = (
  client: Client,
  context: NarrowContext,
  narrow: Narrow,
  onClose: (window: OpenWindow) => void,
): OpenWindow => {
  const store = createStore<MessagesView>({ messages: [], hasOldest: false, hasNewest: false, status: 'loading' })
  /** the events that arrived during each request */
  const journals = new Set<Event[]>()
  let generation = 0
  let reading: number | undefined
  const extending = new Map<'older' | 'newer', Promise<void>>()

  const patch = (fields: Partial<MessagesView>) => store.set({ ...store.get(), ...fields })

  /** Makes a request. Returns its answer and the events that arrived meanwhile; undefined after a jump. */
  const track = async <T>(request: () => Promise<T>): Promise<{ answer: T; events: Event[] } | undefined> => {
    const begun = generation
    const events: Event[] = []
    journals.add(events)
    try {
      const answer = await request()
      return begun === generation ? { answer, events } : undefined
    } catch (error) {
      if (begun !== generation) return undefined
      patch({ status: 'failed', error: error as Error })
      throw error
    } finally {
      journals.delete(events)
    }
  }

  const fetchMessages = (params: { anchor: string; num_before: number; num_after: number; include_anchor?: boolean }) =>
    client.call('GET /messages', { ...form, narrow: [...narrow], ...params })

  const applyAll = (messages: Messages, events: readonly Event[]): Messages =>
    events.reduce((changed, event) => keepMatching(applyEvent(context, changed, event), event), messages)

  /** Drops the messages that an event moved out of the narrow. */
  const keepMatching = (messages: Messages, event: Event): Messages => {
    if (event.type !== 'update_message' || event.orig_subject === undefined || !dependsOnPlace(narrow)) return messages
    const moved = new Set(event.message_ids)
    return messages.filter((message) => !moved.has(message.id) || matchesNarrow(context, narrow, message) !== false)
  }

  /** Whether a message belongs between the ends of the window. */
  const isInRange = (id: number): boolean => {
    const { messages, hasOldest, hasNewest } = store.get()
    const [first, last] = [messages[0], messages.at(-1)]
    if (first === undefined || last === undefined) return hasOldest && hasNewest
    return (hasOldest || id >= first.id) && (hasNewest || id <= last.id)
  }

  const insert = (messages: Messages) => {
    const inside = messages.filter(({ id }) => isInRange(id))
    if (inside.length > 0) setMessages(merge(store.get().messages, inside), 'oldest')
  }

  /** Sets the messages, and drops those furthest from what is read, or else at one end, if there are too many. */
  const setMessages = (messages: Messages, drop: 'oldest' | 'newest', more: Partial<MessagesView> = {}) => {
    if (messages.length <= MAX_MESSAGES) return patch({ messages, ...more })
    const place = reading === undefined ? undefined : findIndex(messages, reading)
    const end = place === undefined ? drop : place < messages.length / 2 ? 'newest' : 'oldest'
    if (end === 'oldest') patch({ ...more, messages: messages.slice(-KEPT_MESSAGES), hasOldest: false })
    else patch({ ...more, messages: messages.slice(0, KEPT_MESSAGES), hasNewest: false })
  }

  /** Adds new messages that are in the narrow. For some narrows, only the server can tell. */
  const arrive = async (messages: Messages) => {
    insert(messages.filter((message) => matchesNarrow(context, narrow, message) === true))
    const unclear = messages.filter((message) => matchesNarrow(context, narrow, message) === undefined)
    if (unclear.length > 0) await fetchByIds(unclear.map(({ id }) => id))
  }

  /** Fetches those of some messages that are in the narrow, and adds them. */
  const fetchByIds = async (ids: readonly number[]) => {
    const wanted = ids.filter(isInRange)
    if (wanted.length === 0) return
    const found = await track(() => client.call('GET /messages', { ...form, narrow: [...narrow], message_ids: wanted }))
    if (found !== undefined) insert(applyAll(found.answer.messages, found.events))
  }

  const arrivals = (events: readonly Event[]): Message[] =>
    events.flatMap((event) => (event.type === 'message' ? [{ ...event.message, flags: event.flags } as Message] : []))

  const extend = async (direction: 'older' | 'newer', count: number) => {
    const { messages } = store.get()
    const isOlder = direction === 'older'
    const edge = isOlder ? messages[0] : messages.at(-1)
    if (edge === undefined) return jumpTo('newest')
    const page = await track(() =>
      fetchMessages({
        anchor: String(edge.id),
        include_anchor: false,
        num_before: isOlder ? count : 0,
        num_after: isOlder ? 0 : count,
      }),
    )
    if (page === undefined) return
    const { messages: fetched, found_oldest, found_newest } = page.answer
    const all = merge(store.get().messages, applyAll(fetched, page.events))
    const end = isOlder ? { hasOldest: found_oldest } : { hasNewest: found_newest }
    setMessages(all, isOlder ? 'newest' : 'oldest', { ...end, status: 'ready' })
    if (!isOlder && found_newest) await arrive(applyAll(arrivals(page.events), page.events) as Message[])
  }

  const extendOnce = (direction: 'older' | 'newer', isComplete: boolean, count: number): Promise<void> => {
    const running = extending.get(direction)
    if (running !== undefined || isComplete) return running ?? Promise.resolve()
    const begun = extend(direction, count).finally(() => extending.delete(direction))
    extending.set(direction, begun)
    return begun
  }

  const jumpTo = async (place: Place): Promise<void> => {
    generation += 1
    extending.clear()
    reading = typeof place === 'number' ? place : undefined
    patch({ status: 'loading' })
    const page = await track(() =>
      fetchMessages({
        anchor: String(place),
        num_before: place === 'oldest' ? 0 : PAGE,
        num_after: place === 'newest' ? 0 : PAGE,
      }),
    )
    if (page === undefined) return
    const { messages, anchor, found_oldest, found_newest } = page.answer
    const shown = applyAll(messages, page.events)
    const isShown = anchor !== undefined && shown.some(({ id }) => id >= anchor)
    store.set({
      messages: shown,
      hasOldest: found_oldest,
      hasNewest: found_newest,
      status: 'ready',
      ...(isShown ? { anchor } : {}),
    })
    if (found_newest) await arrive(applyAll(arrivals(page.events), page.events) as Message[])
  }

  /** After a new registration: fetches the same place again. */
  const reload = () => {
    const { messages, hasNewest } = store.get()
    const middle = messages[messages.length >> 1]?.id
    jumpTo(reading ?? (hasNewest ? 'newest' : (middle ?? 'newest'))).catch(ignore)
  }

  /** Adds the messages that an event moved into the narrow, or that it flagged so that they are in it. */
  const fetchEntered = (event: Event) => {
    const isMove = event.type === 'update_message' && event.orig_subject !== undefined && dependsOnPlace(narrow)
    const isFlag =
      event.type === 'update_message_flags' &&
      dependsOnFlag(narrow, event.flag === 'read' ? 'unread' : event.flag) &&
      (event.op === 'add') === (event.flag !== 'read')
    if (!isMove && !isFlag) return
    const ids = isMove ? event.message_ids : (event as { messages: number[] }).messages
    const { messages } = store.get()
    const missing = ids.filter((id) => messages[findIndex(messages, id)]?.id !== id)
    if (isMove && !mayEnter(event)) return
    fetchByIds(missing).catch(ignore)
  }

  /** Whether a message at the place to which an event moved it can be in the narrow. */
  const mayEnter = ({
    stream_id,
    new_stream_id,
    orig_subject,
    subject,
  }: Extract<Event, { type: 'update_message' }>) => {
    const terms = narrow.filter((term) => dependsOnPlace([term]))
    const place = { type: 'stream', stream_id: new_stream_id ?? stream_id, subject: subject ?? orig_subject }
    return matchesNarrow(context, terms, place as Message) !== false
  }

  const window: OpenWindow = {
    get: store.get,
    subscribe: store.subscribe,
    loadOlder: (count = PAGE) => extendOnce('older', store.get().hasOldest, count),
    loadNewer: (count = PAGE) => extendOnce('newer', store.get().hasNewest, count),
    jumpTo,
    setReading(id) {
      reading = id
    },
    receive(event) {
      if (event.type === 'reset') return reload()
      for (const journal of journals) journal.push(event)
      const { messages, hasNewest } = store.get()
      if (event.type === 'message') {
        if (hasNewest) arrive(arrivals([event])).catch(ignore)
        return
      }
      const changed = keepMatching(applyEvent(context, messages, event), event)
      if (changed !== messages) patch({ messages: changed })
      fetchEntered(event)
    },
    close() {
      generation += 1
      onClose(window)
    },
  }
  queueMicrotask(() => {
    if (generation === 0) jumpTo('first_unread').catch(ignore)
  })
  return window
}

/** The form of messages in windows: as in the events of the realm. */
const form = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true }

/** The error of a request that nobody awaits is in the view. */
const ignore = () => {}

/**
 * A window of the messages of a narrow.
 *
 * 1. The messages between the first and the last one of the window are all messages of the narrow between them.
 * 2. An answer can be older than an event that arrived before it. So the events that arrive during a request are
 *    applied to its answer too.
 * 3. A message stays in the window when only a flag changes, so that messages do not vanish while they are read.
 * 4. A jump makes the answers to earlier requests void.
 * 5. No event says which messages a user may see from now on, or not any more, when their rights or subscriptions
 *    change: then the window is fetched again.
 * 6. A window that follows moves shows another topic when the conversation moves there. Its messages stay, and those
 *    that the other topic has already are fetched.
 */

import type { Client } from '../client.js'
import type { Event, EventOf, Message, Narrow, Reset } from '../kernel/api.js'
import { createStore } from '../kernel/store.js'
import { applyEvent, type DatedEvent, findIndex, type Messages, merge } from './message-changes.js'
import { isSameTopic, type Move, moveNarrow, readMove, topicOfNarrow } from './moves.js'
import { dependsOnFlag, dependsOnPlace, matchesNarrow, type NarrowContext, needsServer } from './narrow.js'
import type { MessagesView, MessageWindow, WindowOptions } from './types.js'

/** A window with more messages drops some of them, until KEPT_MESSAGES are left. */
export const MAX_MESSAGES = 1_500
const KEPT_MESSAGES = 1_200
const PAGE = 100
/** messages that a refresh fetches again */
const REFRESHED = 50
const RELOAD_DELAY_MS = 50

/** A window, and its part of each event. */
export interface OpenWindow extends MessageWindow {
  receive(event: DatedEvent | Reset): void
  /**
   * Fetches the newest messages and those around the place of reading again, for a window of which no events tell.
   * Returns whether any has changed. A failure leaves the window as it is.
   */
  refresh(): Promise<boolean>
}

type Place = Parameters<MessageWindow['jumpTo']>[0]

/** Opens a window. @param onClose is called when the window is closed */
export const openMessageWindow = (
  client: Client,
  context: NarrowContext,
  firstNarrow: Narrow,
  { followsMoves = false }: WindowOptions,
  onClose: (window: OpenWindow) => void,
): OpenWindow => {
  let narrow = firstNarrow
  const store = createStore<MessagesView>({
    narrow,
    messages: [],
    hasOldest: false,
    hasNewest: false,
    status: 'loading',
  })
  /** the events that arrived during each request */
  const journals = new Set<DatedEvent[]>()
  let generation = 0
  let reading: number | undefined
  const extending = new Map<'older' | 'newer', Promise<void>>()

  const patch = (fields: Partial<MessagesView>) => store.set({ ...store.get(), ...fields })

  /**
   * Makes a request, and uses its answer together with the events that arrived meanwhile; after a jump, does nothing
   * with it. No event can come between the last of these events and the use.
   */
  const track = async <T>(
    request: () => Promise<T>,
    use: (answer: T, events: readonly DatedEvent[]) => void,
    { isQuiet = false } = {},
  ) => {
    const begun = generation
    const events: DatedEvent[] = []
    journals.add(events)
    try {
      const answer = await request()
      if (begun === generation) use(answer, events)
    } catch (error) {
      if (begun !== generation) return
      if (isQuiet) throw error
      patch({ status: 'failed', error: error as Error })
      throw error
    } finally {
      journals.delete(events)
    }
  }

  const fetchMessages = (params: { anchor: string; num_before: number; num_after: number; include_anchor?: boolean }) =>
    client.call('GET /messages', { ...form, narrow: [...narrow], ...params })

  const applyAll = (messages: Messages, events: readonly DatedEvent[]): Messages =>
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

  /** Adds the new messages of some events that are in the narrow. For some narrows, only the server can tell. */
  const arrive = (events: readonly DatedEvent[]) => {
    const messages = applyAll(arrivals(events), events)
    insert(messages.filter((message) => matchesNarrow(context, narrow, message) === true))
    const unclear = messages.filter((message) => matchesNarrow(context, narrow, message) === undefined)
    if (unclear.length > 0) fetchByIds(unclear.map(({ id }) => id)).catch(ignore)
  }

  /** Fetches those of some messages that are in the narrow, and shows these of them and no others. */
  const fetchByIds = async (ids: readonly number[]) => {
    const wanted = ids.filter(isInRange)
    if (wanted.length === 0) return
    const request = () => client.call('GET /messages', { ...form, narrow: [...narrow], message_ids: wanted })
    await track(request, ({ messages }, events) => {
      const asked = new Set(wanted)
      const others = store.get().messages.filter(({ id }) => !asked.has(id))
      const inside = applyAll(messages, events).filter(({ id }) => isInRange(id))
      setMessages(merge(others, inside), 'oldest')
    })
  }

  const arrivals = (events: readonly DatedEvent[]): Message[] =>
    events.flatMap((event) => (event.type === 'message' ? [{ ...event.message, flags: event.flags } as Message] : []))

  const extend = async (direction: 'older' | 'newer', count: number) => {
    const { messages } = store.get()
    const isOlder = direction === 'older'
    const edge = isOlder ? messages[0] : messages.at(-1)
    if (edge === undefined) return jumpTo('newest')
    const anchor = { anchor: String(edge.id), include_anchor: false }
    const request = () => fetchMessages({ ...anchor, num_before: isOlder ? count : 0, num_after: isOlder ? 0 : count })
    await track(request, ({ messages: fetched, found_oldest, found_newest }, events) => {
      const all = merge(store.get().messages, applyAll(fetched, events))
      const end = isOlder ? { hasOldest: found_oldest } : { hasNewest: found_newest }
      setMessages(all, isOlder ? 'newest' : 'oldest', { ...end, status: 'ready' })
      if (!isOlder && found_newest) arrive(events)
    })
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
    const request = () =>
      fetchMessages({
        anchor: String(place),
        num_before: place === 'oldest' ? 0 : PAGE,
        num_after: place === 'newest' ? 0 : PAGE,
      })
    await track(request, ({ messages, anchor, found_oldest, found_newest }, events) => {
      const shown = applyAll(messages, events)
      const isShown = anchor !== undefined && shown.some(({ id }) => id >= anchor)
      store.set({
        narrow,
        messages: shown,
        hasOldest: found_oldest,
        hasNewest: found_newest,
        status: 'ready',
        ...(isShown ? { anchor } : {}),
      })
      if (found_newest) arrive(events)
    })
  }

  const currentPlace = (): Place => {
    const { messages, hasNewest } = store.get()
    const middle = messages[messages.length >> 1]?.id
    return reading ?? (hasNewest ? 'newest' : (middle ?? 'newest'))
  }

  /** Fetches the same place again, once for several events that follow each other. */
  const reload = () => {
    clearTimeout(reloading)
    reloading = setTimeout(() => jumpTo(currentPlace()).catch(ignore), RELOAD_DELAY_MS)
  }
  let reloading: ReturnType<typeof setTimeout> | undefined

  const refresh = async (): Promise<boolean> => {
    const { messages, hasNewest, status } = store.get()
    if (status !== 'ready' || extending.size > 0) return false
    const last = messages.at(-1)
    if (hasNewest) {
      await fetchAgain(
        last === undefined
          ? { anchor: 'newest', num_before: PAGE, num_after: 0 }
          : { anchor: String(last.id), num_before: REFRESHED, num_after: PAGE },
        { isAtEnd: true },
      )
    }
    const place = messages[reading === undefined ? messages.length >> 1 : findIndex(messages, reading)]
    const isFarFromEnd = place !== undefined && findIndex(messages, place.id) < messages.length - REFRESHED
    if (place !== undefined && (!hasNewest || (reading !== undefined && isFarFromEnd))) {
      const around = { anchor: String(place.id), num_before: REFRESHED, num_after: REFRESHED }
      await fetchAgain(around, { isAtEnd: false })
    }
    return store.get().messages !== messages
  }

  /** Fetches a part of the window again: what is missing in the answer is not in the narrow any more. */
  const fetchAgain = (params: Parameters<typeof fetchMessages>[0], { isAtEnd }: { isAtEnd: boolean }) =>
    track(
      () => fetchMessages(params),
      ({ messages, found_oldest, found_newest }, events) => {
        const shown = store.get().messages
        const from = found_oldest ? 0 : (messages[0]?.id ?? Number.POSITIVE_INFINITY)
        const to = found_newest ? Number.POSITIVE_INFINITY : (messages.at(-1)?.id ?? 0)
        const arrived = new Set(arrivals(events).map(({ id }) => id))
        const others = shown.filter(({ id }) => id < from || id > to || arrived.has(id))
        const known = new Map(shown.map((message) => [message.id, message]))
        const fresh = applyAll(messages, events)
          .filter(({ id }) => isInRange(id))
          .map((message) => (isEqual(known.get(message.id), message) ? (known.get(message.id) as Message) : message))
        const all = merge(others, fresh)
        const isSame = all.length === shown.length && all.every((message, index) => message === shown[index])
        if (!isSame) setMessages(all, 'oldest', isAtEnd ? { hasNewest: found_newest } : {})
      },
      { isQuiet: true },
    )

  /** Adds the messages that an event moved into the narrow, or flagged or edited so that they are in it. */
  const fetchEntered = (event: Event) => {
    const { messages } = store.get()
    const isMissing = (id: number) => messages[findIndex(messages, id)]?.id !== id
    let ids: readonly number[] = []
    if (event.type === 'update_message') {
      const isMove = event.orig_subject !== undefined
      // Only the server knows which messages a search finds now.
      if (needsServer(context, narrow)) ids = isMove ? event.message_ids : [event.message_id]
      else if (isMove && dependsOnPlace(narrow) && mayEnter(event)) ids = event.message_ids.filter(isMissing)
    } else if (event.type === 'update_message_flags') {
      const { flag, op } = event
      const isEntry = flag === 'read' ? op === 'remove' : op === 'add'
      if (isEntry && dependsOnFlag(narrow, flag === 'read' ? 'unread' : flag)) ids = event.messages.filter(isMissing)
    }
    if (ids.length > 0) fetchByIds(ids).catch(ignore)
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

  /** Whether what the user reads here is at another place after a move. */
  const isLedAway = ({ from, to, scope, messageIds }: Move): boolean => {
    const topic = topicOfNarrow(context, narrow)
    if (topic === undefined || !isSameTopic(topic, from)) return false
    if (scope === 'all') return true
    if (isSameTopic(from, to)) return false
    const { messages } = store.get()
    const moved = new Set(messageIds)
    if (scope === 'later' && moved.has(reading ?? messages.at(-1)?.id ?? 0)) return true
    return messages.length > 0 && messages.every(({ id }) => moved.has(id))
  }

  /** Shows another topic from now on. The messages that were moved stay; those that it has already are fetched. */
  const follow = (event: EventOf<'update_message'>, { from, to }: Move) => {
    narrow = moveNarrow(narrow, to)
    patch({ narrow, messages: keepMatching(applyEvent(context, store.get().messages, event), event) })
    if (!isSameTopic(from, to)) jumpTo(currentPlace()).catch(ignore)
  }

  const window: OpenWindow = {
    get: store.get,
    subscribe: store.subscribe,
    loadOlder: (count = PAGE) => extendOnce('older', store.get().hasOldest, count),
    loadNewer: (count = PAGE) => extendOnce('newer', store.get().hasNewest, count),
    jumpTo,
    refresh,
    setReading(id) {
      reading = id
    },
    receive(event) {
      if (event.type === 'reset' || changesAccess(event, context.self.get().user_id)) reload()
      if (event.type === 'reset') return
      for (const journal of journals) journal.push(event)
      const { messages, hasNewest } = store.get()
      if (event.type === 'message') {
        if (hasNewest) arrive([event])
        return
      }
      if (followsMoves && event.type === 'update_message') {
        const move = readMove(event)
        if (move !== undefined && isLedAway(move)) return follow(event, move)
      }
      const changed = keepMatching(applyEvent(context, messages, event), event)
      if (changed !== messages) patch({ messages: changed })
      fetchEntered(event)
    },
    close() {
      generation += 1
      clearTimeout(reloading)
      onClose(window)
    },
  }
  queueMicrotask(() => {
    if (generation === 0) jumpTo('first_unread').catch(ignore)
  })
  return window
}

/** Whether other messages may be visible to the user after an event. */
const changesAccess = (event: Event, selfId: number): boolean => {
  if (event.type === 'stream') {
    if (event.op !== 'update') return true
    return event.property === 'invite_only' || event.property === 'is_archived'
  }
  if (event.type === 'subscription') return event.op === 'add' || event.op === 'remove'
  return (
    event.type === 'realm_user' && event.op === 'update' && event.person.user_id === selfId && 'role' in event.person
  )
}

/** Whether two messages have the same fields. Answers have them in one order. */
const isEqual = (one: Message | undefined, other: Message): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The form of messages in windows: as in the events of the realm. */
const form = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true }

/** The error of a request that nobody awaits is in the view. */
const ignore = () => {}

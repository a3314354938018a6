/**
 * Marks messages as read while the user reads them.
 *
 * 1. A message is read when its end was in sight while the page had the focus.
 * 2. Ids are collected for a moment and sent in one call. A call that fails is made again with the next ones.
 * 3. A message that the user made unread stays so, also in sight, until another view is opened.
 */
import type { Chat } from '../realm/chat.js'
import { view } from '../routing/location.js'
import { viewKey } from '../routing/views.js'

const COLLECT_MS = 600
const RETRY_MS = 5_000
/** The number of messages in one call. */
const BATCH = 1_000

/** What a change of the flag `read` did. */
export interface ReadChange {
  /** the messages whose flag was changed; not all of them if there is an error */
  marked: number[]
  /** channels whose messages stay read, because the user is not subscribed */
  ignoredChannels: number[]
  error?: Error
}

/** Marks messages as read, or as unread, in batches. */
export const changeReadFlag = async (chat: Chat, ids: readonly number[], op: 'add' | 'remove'): Promise<ReadChange> => {
  const change: ReadChange = { marked: [], ignoredChannels: [] }
  for (let start = 0; start < ids.length; start += BATCH) {
    const messages = ids.slice(start, start + BATCH)
    try {
      const answer = await chat.client.call('POST /messages/flags', { messages, op, flag: 'read' })
      change.ignoredChannels.push(...answer.ignored_because_not_subscribed_channels)
    } catch (error) {
      return { ...change, error: error as Error }
    }
    change.marked.push(...messages)
  }
  return change
}

/** Marks messages as read now. */
const markAsRead = async (chat: Chat, ids: readonly number[]): Promise<void> => {
  const { error } = await changeReadFlag(chat, ids, 'add')
  if (error !== undefined) throw error
}

/** Collects the messages that were read in a list. */
export interface Reader {
  read(id: number): void
  /** Sends what was collected, and ends. */
  close(): void
}

/** Opens a reader. */
export const openReader = (chat: Chat): Reader => {
  const sent = new Set<number>()
  const kept = new Set<number>()
  let waiting = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = (delay: number) => {
    timer ??= setTimeout(send, delay)
  }
  const send = async () => {
    timer = undefined
    const ids = [...waiting]
    waiting = new Set()
    for (const id of ids) sent.add(id)
    try {
      await markAsRead(chat, ids)
    } catch {
      for (const id of ids) sent.delete(id)
      for (const id of ids) waiting.add(id)
      schedule(RETRY_MS)
    }
  }
  let key = viewKey(view.peek())
  const stopFollowing = view.subscribe((next) => {
    if (viewKey(next) === key) return
    key = viewKey(next)
    sent.clear()
    kept.clear()
  })
  const stopListening = chat.realm.onEvent((event) => {
    if (event.type !== 'update_message_flags' || event.flag !== 'read' || event.op !== 'remove') return
    for (const id of event.messages) kept.add(id)
  })
  return {
    read(id) {
      if (sent.has(id) || waiting.has(id) || kept.has(id)) return
      waiting.add(id)
      schedule(COLLECT_MS)
    },
    close() {
      stopFollowing()
      stopListening()
      clearTimeout(timer)
      timer = undefined
      if (waiting.size > 0) void markAsRead(chat, [...waiting]).catch(() => undefined)
    },
  }
}

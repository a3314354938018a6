/**
 * Marks messages as read while the user reads them.
 *
 * 1. A message is read when its end was in sight while the page had the focus.
 * 2. Ids are collected for a moment and sent in one call. A call that fails is made again with the next ones.
 */
import type { Chat } from '../realm/chat.js'

const COLLECT_MS = 600
const RETRY_MS = 5_000
/** The number of messages in one call. */
const BATCH = 1_000

/** Marks messages as read now. */
export const markAsRead = async (chat: Chat, ids: readonly number[]): Promise<void> => {
  for (let start = 0; start < ids.length; start += BATCH) {
    await chat.client.call('POST /messages/flags', {
      messages: ids.slice(start, start + BATCH),
      op: 'add',
      flag: 'read',
    })
  }
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
  return {
    read(id) {
      if (sent.has(id) || waiting.has(id)) return
      waiting.add(id)
      schedule(COLLECT_MS)
    },
    close() {
      clearTimeout(timer)
      timer = undefined
      if (waiting.size > 0) void markAsRead(chat, [...waiting]).catch(() => undefined)
    },
  }
}

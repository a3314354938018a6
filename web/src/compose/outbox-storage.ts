/**
 * Keeps the messages of the outbox in the storage of the browser, so that they outlive the page.
 *
 * 1. Every kept message belongs to one open page, which alone sends it.
 * 2. A page takes over messages of pages that were closed. Before it does, it asks the other pages: one that has a
 *    message says so. Of two pages that ask for the same message at once, the one with the smaller id gets it.
 */
import { userStorage } from '../session/user-storage.js'
import type { Outgoing } from './outgoing.js'

/** The kept messages of one page. */
export interface KeptMessages {
  /** Keeps these messages of the page, and no others of it. */
  keep(messages: readonly Outgoing[]): void
  /** Takes over what belongs to no open page any more. */
  takeOver(): void
  /** The page does not send any more: another one can take its messages over. */
  close(): void
}

interface Note {
  type: 'ask' | 'have'
  page: number
  ids: string[]
}

/** How long other pages have to answer. */
const ANSWER_MS = 300

/** @param onTaken gets the messages that were taken over, the oldest first */
export const openKeptMessages = (userId: number, onTaken: (messages: readonly Outgoing[]) => void): KeptMessages => {
  const prefix = `${userStorage(userId)}unsent.`
  const page = Math.random()
  /** what is stored of the messages of this page, by their ids */
  const own = new Map<string, string>()
  const asked = new Set<string>()
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(prefix)
  let timer: ReturnType<typeof setTimeout> | undefined

  channel?.addEventListener('message', ({ data }: MessageEvent<Note>) => {
    if (data.type === 'have' || data.page < page) for (const id of data.ids) asked.delete(id)
    if (data.type === 'have') return
    const ids = data.ids.filter((id) => own.has(id) || asked.has(id))
    if (ids.length > 0) channel.postMessage({ type: 'have', page, ids } satisfies Note)
  })

  const take = () => {
    timer = undefined
    const taken: Outgoing[] = []
    for (const id of asked) {
      const text = read(prefix + id)
      const message = text === undefined ? undefined : parse(text)
      if (text === undefined || message === undefined) continue
      own.set(id, text)
      taken.push(message)
    }
    asked.clear()
    if (taken.length > 0) onTaken(taken)
  }

  return {
    keep(messages) {
      const kept = messages.filter(({ state }) => state !== 'sent')
      for (const id of [...own.keys()]) {
        if (kept.some(({ localId }) => localId === id)) continue
        own.delete(id)
        write(prefix + id, undefined)
      }
      for (const message of kept) {
        const text = JSON.stringify(message)
        if (own.get(message.localId) === text) continue
        own.set(message.localId, text)
        write(prefix + message.localId, text)
      }
    },
    takeOver() {
      if (timer !== undefined) return
      for (const id of listIds(prefix)) if (!own.has(id)) asked.add(id)
      if (asked.size === 0) return
      channel?.postMessage({ type: 'ask', page, ids: [...asked] } satisfies Note)
      timer = setTimeout(take, channel === undefined ? 0 : ANSWER_MS)
    },
    close() {
      clearTimeout(timer)
      channel?.close()
    },
  }
}

/** The ids of all kept messages, the oldest first: an id begins with the time at which it was written. */
const listIds = (prefix: string): string[] => {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length))
      .sort((one, other) => Number.parseFloat(one) - Number.parseFloat(other))
  } catch {
    return []
  }
}

const read = (key: string): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Without storage, or when it is full, a message lives as long as the page. */
const write = (key: string, text: string | undefined): void => {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // The browser allows no storage here.
  }
}

const parse = (text: string): Outgoing | undefined => {
  try {
    const message = JSON.parse(text)
    return typeof message?.localId === 'string' && typeof message.content === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps the messages of the outbox over a reload of the page, in the storage of the tab.
 *
 * Another tab has an outbox of its own, so no two tabs send the same message.
 */
import type { Outgoing } from './outbox.js'

const storageKey = (userId: number): string => `parley.outbox.${userId}`

/** Keeps these messages, and no others. Without storage, or when it is full, they live as long as the page. */
export const keepMessages = (userId: number, messages: readonly Outgoing[]): void => {
  try {
    if (messages.length === 0) sessionStorage.removeItem(storageKey(userId))
    else sessionStorage.setItem(storageKey(userId), JSON.stringify(messages))
  } catch {
    // The browser allows no storage here.
  }
}

/** The messages that the page kept before it was loaded again. */
export const readKeptMessages = (userId: number): readonly Outgoing[] => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey(userId)) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

/**
 * Keeps the texts that the server does not have as drafts yet, in the storage of the browser: what is written without a
 * connection, and a text that is longer than a message may be, which the server would cut.
 */
import { userStorage } from '../session/user-storage.js'

interface KeptText {
  readonly content: string
  /** when it was written, in seconds */
  readonly timestamp: number
}

const storageKey = (userId: number | undefined, key: string): string => `${userStorage(userId)}text.${key}`

/** Keeps the text of a compose box; an empty one is forgotten. */
export const keepText = (userId: number | undefined, key: string, content: string): void => {
  try {
    if (content.trim() === '') localStorage.removeItem(storageKey(userId, key))
    else {
      const kept: KeptText = { content, timestamp: Math.floor(Date.now() / 1000) }
      localStorage.setItem(storageKey(userId, key), JSON.stringify(kept))
    }
  } catch {
    // Without storage, or when it is full, the text lives as long as the page.
  }
}

/** The text that was kept for a compose box, if any. */
export const readKeptText = (userId: number | undefined, key: string): KeptText | undefined => {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey(userId, key)) ?? 'null')
    return typeof kept?.content === 'string' && typeof kept.timestamp === 'number' ? kept : undefined
  } catch {
    return undefined
  }
}

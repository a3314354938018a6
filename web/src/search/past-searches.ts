/** The searches that the user made in this browser. They are kept until the user logs out, at most MOST of them. */
import { userStorage } from '../session/user-storage.js'

const MOST = 30
const MAX_LENGTH = 200

const storageKey = (userId: number | undefined): string => `${userStorage(userId)}searches`

/** The texts of past searches, the latest first. */
export const pastSearches = (userId: number | undefined): string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(userId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((text): text is string => typeof text === 'string') : []
  } catch {
    return []
  }
}

/** Keeps a search. */
export const keepSearch = (userId: number | undefined, text: string): void => {
  if (text.length <= MAX_LENGTH) write(userId, [text, ...pastSearches(userId).filter((other) => other !== text)])
}

/** Forgets a search, which the user does not want to see again. */
export const forgetSearch = (userId: number | undefined, text: string): void =>
  write(
    userId,
    pastSearches(userId).filter((other) => other !== text),
  )

const write = (userId: number | undefined, texts: readonly string[]): void => {
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify(texts.slice(0, MOST)))
  } catch {
    // Without storage, or when it is full, the search is not proposed again.
  }
}

/**
 * Finds the past searches that match a text. They continue the text, or have a word that begins with it. For an empty
 * text, it returns all of them.
 */
export const findPastSearches = (userId: number | undefined, typed: string): string[] => {
  const wanted = typed.trim().toLowerCase()
  const begins = (text: string) => text.toLowerCase().startsWith(wanted)
  const hasWord = (text: string) => new RegExp(`[^\\p{L}\\p{N}]${escapePattern(wanted)}`, 'u').test(text.toLowerCase())
  const all = pastSearches(userId).filter((text) => text !== typed.trim())
  return [...all.filter(begins), ...all.filter((text) => !begins(text) && hasWord(text))]
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

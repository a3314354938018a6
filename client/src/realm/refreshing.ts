/**
 * Keeps windows up to date of which no events tell: those of channels to which the user is not subscribed, and all
 * windows of a visitor, who has no event queue. The library asks the server again and again.
 *
 * 1. The pause between two requests grows while nothing changes, and is the shortest one again after a change.
 * 2. A request follows the answer to the one before. A refusal of the server names the pause, if it is longer.
 * 3. Nothing is asked while the application says that nobody reads.
 */
import type { Message } from '../kernel/api.js'
import { ApiError } from '../kernel/errors.js'
import type { OpenWindow } from './message-window.js'

const SHORTEST_MS = 4_000
const LONGEST_MS = 20_000
const GROWTH = 1.4
/** The topics of the channel are fetched after a change, and with each third request. */
const TOPIC_ROUNDS = 3

/** What the refresher asks about a window. */
interface Surroundings {
  /** Whether events leave the window out, at this moment. */
  hasNoEvents(): boolean
  /** Whether nobody reads now. */
  isPaused(): boolean
  /** Messages are new. */
  note(messages: readonly Message[]): void
  refreshTopics(): void
}

/** Refreshes a window until the returned function is called. */
export const keepRefreshing = (window: OpenWindow, around: Surroundings): (() => void) => {
  let pause = SHORTEST_MS
  let round = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const refresh = async () => {
    const before = window.get().messages
    const hasChanged = await window.refresh()
    const newest = before.at(-1)?.id ?? 0
    if (hasChanged) around.note(window.get().messages.filter(({ id }) => id > newest))
    round = hasChanged ? 0 : (round + 1) % TOPIC_ROUNDS
    if (round === 0) around.refreshTopics()
    pause = hasChanged ? SHORTEST_MS : Math.min(LONGEST_MS, pause * GROWTH)
  }

  const run = async () => {
    try {
      if (!around.hasNoEvents() || around.isPaused()) pause = SHORTEST_MS
      else await refresh()
    } catch (error) {
      const seconds = error instanceof ApiError ? (error.retryAfter ?? 0) : 0
      pause = Math.max(LONGEST_MS, seconds * 1_000)
    }
    if (!isClosed) timer = setTimeout(run, pause)
  }

  timer = setTimeout(run, pause)
  return () => {
    isClosed = true
    clearTimeout(timer)
  }
}

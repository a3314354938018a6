/**
 * The requests of a window, and when their answers are used.
 *
 * 1. An answer can be older than an event that arrived before it. So the events that arrive during a request are kept
 *    for its answer. No event comes between the last of these events and the use of the answer.
 * 2. A jump begins a phase, and its answer begins another one, because what was asked for meanwhile belongs to messages
 *    that are not shown any more. The answers to requests of an earlier phase are not used, and their errors are not
 *    thrown.
 * 3. Each end of a window is extended by one request at a time.
 */
import type { DatedEvent } from './message-changes.js'
import type { Direction } from './window-view.js'

/** The requests of one window. */
export interface WindowRequests {
  /** Whether a phase has begun. */
  readonly hasBegun: boolean
  readonly isExtending: boolean
  /** Begins a phase. Before the first one, the window has asked for nothing. */
  beginPhase(): void
  /** Keeps an event for the requests that have no answer yet. */
  note(event: DatedEvent): void
  /**
   * Makes a request, and uses its answer together with the events that arrived meanwhile. Throws what the request
   * throws.
   */
  run<T>(
    request: () => Promise<T>,
    use: (answer: T, events: readonly DatedEvent[]) => void,
    options?: RequestOptions,
  ): Promise<void>
  /** Extends one end. Returns the extension that is in progress, if there is one. */
  extendOnce(direction: Direction, isComplete: boolean, extend: () => Promise<void>): Promise<void>
}

/** How a request is made. */
export interface RequestOptions {
  /** is called before the error is thrown */
  onFailure?: (error: Error) => void
  /** whether the answer replaces what the window shows */
  beginsPhase?: boolean
}

/** What a window asks for between two jumps: the extensions that have no answer yet. */
type Phase = Map<Direction, Promise<void>>

/** Opens the requests of a window. */
export const openRequests = (): WindowRequests => {
  /** the events that arrived during each request */
  const journals = new Set<DatedEvent[]>()
  let hasBegun = false
  let phase: Phase = new Map()
  return {
    get hasBegun() {
      return hasBegun
    },
    get isExtending() {
      return phase.size > 0
    },
    beginPhase() {
      hasBegun = true
      phase = new Map()
    },
    note(event) {
      for (const journal of journals) journal.push(event)
    },
    async run(request, use, { onFailure, beginsPhase = false } = {}) {
      let own = phase
      const events: DatedEvent[] = []
      journals.add(events)
      try {
        const answer = await request()
        if (own !== phase) return
        if (beginsPhase) own = phase = new Map()
        use(answer, events)
      } catch (error) {
        if (own !== phase) return
        onFailure?.(error as Error)
        throw error
      } finally {
        journals.delete(events)
      }
    },
    extendOnce(direction, isComplete, extend) {
      const running = phase.get(direction)
      if (running !== undefined || isComplete) return running ?? Promise.resolve()
      const begun = extend()
      // An empty window jumps to its newest messages instead: then this is the phase of the jump.
      const extensions = phase
      const ended = begun.finally(() => extensions.delete(direction))
      extensions.set(direction, ended)
      return ended
    },
  }
}

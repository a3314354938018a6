/**
 * The result of a handler whose answer comes later, for its one listener.
 *
 * It takes the place of a promise where thousands of calls wait. A promise keeps every async function that returned it
 * in memory, and resumes them all, one after the other. This calls the listener at once, and keeps nothing else.
 */
import type { RawJson } from '../../domain/protocol/raw-json.js'
import type { StaleStateError } from '../../store/log/log.js'

/** The answer; or StaleStateError, so that the call runs again. */
export type Settled = RawJson | StaleStateError

/** An answer that comes once, for one listener. */
export class PendingAnswer {
  #settled: Settled | undefined
  #listener: ((settled: Settled) => void) | undefined

  /** Gives the answer. Only the first time counts. */
  settle(settled: Settled): void {
    if (this.#settled !== undefined) return
    this.#settled = settled
    this.#listener?.(settled)
  }

  /** Calls `listener` when the answer comes; at once if it is there. */
  whenSettled(listener: (settled: Settled) => void): void {
    this.#listener = listener
    if (this.#settled !== undefined) listener(this.#settled)
  }
}

/** When a message that had no answer is sent again. */
import type { Chat } from '../realm/chat.js'

const FIRST_MS = 1_000
const LONGEST_MS = 30_000

/** The wait for the next attempt. */
export interface AttemptTimer {
  /**
   * Waits until the connection is open again. If it is open already, until a pause is over, which doubles with each
   * failure in a row. The pause has at least FIRST_MS: what the server was doing when the connection broke is done
   * then.
   * @param atLeastMs the time that the server asks to wait
   */
  wait(atLeastMs?: number): Promise<void>
  /** Ends the wait now. */
  end(): void
  /** The last attempt had an answer. */
  reset(): void
}

/** Creates the timer of an outbox. */
export const createAttemptTimer = ({ realm }: Chat): AttemptTimer => {
  const { state } = realm.connection
  let failures = 0
  let end = () => {}
  return {
    wait(atLeastMs = 0) {
      failures += 1
      const pause = Math.max(atLeastMs, Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)))
      return new Promise((resolve) => {
        let wasOpen = state.get().status === 'open'
        let timer = setTimeout(() => end(), wasOpen ? pause : LONGEST_MS)
        const stop = state.subscribe(() => {
          const isOpen = state.get().status === 'open'
          if (isOpen === wasOpen) return
          wasOpen = isOpen
          clearTimeout(timer)
          timer = setTimeout(() => end(), isOpen ? Math.max(atLeastMs, FIRST_MS) : LONGEST_MS)
        })
        end = () => {
          clearTimeout(timer)
          stop()
          resolve()
        }
      })
    },
    end: () => end(),
    reset() {
      failures = 0
    },
  }
}

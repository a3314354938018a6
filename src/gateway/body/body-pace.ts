/**
 * How fast a process receives the bodies of one account: copying a body that arrives at the speed of the network would
 * take half of a core, and all other clients would wait for it.
 */

/** Of all large bodies of an account together: 16 MiB a second, an eighth of a gigabit. */
const BYTES_PER_MS = (16 * 1024 * 1024) / 1_000
/** What an account may send at once, in milliseconds of its pace: 8 MiB. */
const BURST_MS = 500

export interface BodyPace {
  /**
   * Counts bytes that an account sent.
   * @param now in milliseconds
   * @returns how long the account has to pause, in milliseconds; 0: it may send on
   */
  take(account: string, bytes: number, now: number): number
  /** Forgets accounts whose pauses are over. */
  sweep(now: number): void
}

/** Opens the pace of a process, in which no account has sent anything. */
export const openBodyPace = (): BodyPace => {
  /** when all bytes of an account would have arrived at the pace */
  const dueTimes = new Map<string, number>()
  return {
    take(account, bytes, now) {
      const due = Math.max(now, dueTimes.get(account) ?? 0) + bytes / BYTES_PER_MS
      dueTimes.set(account, due)
      return Math.max(0, due - now - BURST_MS)
    },
    sweep(now) {
      for (const [account, due] of dueTimes) if (due <= now) dueTimes.delete(account)
    },
  }
}

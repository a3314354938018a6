/**
 * Which of several Postgres servers is the primary.
 *
 * 1. All servers are asked all the time, each by itself: a server that does not answer delays no other.
 * 2. Each promotion of a standby begins a new timeline, with a greater number. A server that says that it is the
 *    primary of an older timeline was replaced: it is never used again, even if it cannot know of the promotion.
 * 3. A server that does not answer for NO_ANSWER_MS is not used. Connections to a server that is not used are closed by
 *    their pools (sql.ts), so no call waits for it any longer.
 *
 * The number of the newest timeline is in memory. A process that starts while it can only reach a replaced primary uses
 * that one. So a primary that was replaced must be stopped or become a standby (docs/operations.md).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from './timeout.js'

/** What a server says about itself. */
export interface ServerAnswer {
  is_standby: boolean
  /** of a primary */
  timeline: number
}

/** A connection to one server, over which it is asked. */
export interface Probe {
  /** Asks the server what it is. Throws while it does not answer. */
  ask(): Promise<ServerAnswer>
  /** Closes the connection at once. */
  close(): void
}

/** Finds the primary among servers, which are numbered from 0. */
export interface PrimaryFinder {
  /** The primary now; undefined: none is known. */
  readonly current: number | undefined
  /** The number of the primary. Throws NoPrimaryError at once when all were asked and none is the primary. */
  find(): Promise<number>
  /** Calls back whenever the primary has changed. @returns a function that ends it */
  onChange(listener: () => void): () => void
  close(): void
}

/** No server is the primary: all are unreachable, or standbys. */
export class NoPrimaryError extends Error {
  readonly code = 'NO_PRIMARY'
}

/** Milliseconds between the answer of a server and the next question. */
const INTERVAL_MS = 250
/** Milliseconds after which a server that does not answer is not used. */
const NO_ANSWER_MS = 5_000

/**
 * Watches the servers until `close`.
 * @param isAnswering whether an error of a probe shows that the server works, and has no connection left for a probe
 */
export const watchServers = (
  count: number,
  openProbe: (server: number) => Probe,
  isAnswering: (error: unknown) => boolean,
): PrimaryFinder => {
  const answers: (ServerAnswer | undefined)[] = Array.from({ length: count })
  const wasAsked: boolean[] = Array.from({ length: count }, () => false)
  const listeners = new Set<() => void>()
  const closing = new AbortController()
  const waiting: (() => void)[] = []
  let newest = 0
  let current: number | undefined
  let problem = 'no server was asked'

  const note = (server: number, answer: ServerAnswer | undefined) => {
    answers[server] = answer
    wasAsked[server] = true
    if (answer?.is_standby === false) newest = Math.max(newest, answer.timeline)
    const isPrimary = (one: ServerAnswer | undefined) => one?.is_standby === false && one.timeline === newest
    const before = current
    // With equal timelines the former one stays: it is the same server under two names.
    if (before === undefined || !isPrimary(answers[before])) {
      const found = answers.findIndex(isPrimary)
      current = found === -1 ? undefined : found
    }
    if (current !== before) for (const listener of listeners) listener()
    for (const resume of waiting.splice(0)) resume()
  }

  const watch = async (server: number) => {
    let probe: Probe | undefined
    while (!closing.signal.aborted) {
      try {
        probe ??= openProbe(server)
        note(server, await withTimeout(probe.ask(), NO_ANSWER_MS, `it did not answer within ${NO_ANSWER_MS / 1000} s`))
      } catch (error) {
        problem = (error as Error).message
        probe?.close()
        probe = undefined
        note(server, isAnswering(error) ? answers[server] : undefined)
      }
      await sleep(INTERVAL_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
    probe?.close()
  }
  for (let server = 0; server < count; server++) void watch(server)

  return {
    get current() {
      return current
    },
    async find() {
      while (current === undefined && wasAsked.includes(false) && !closing.signal.aborted) {
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      if (current === undefined) throw new NoPrimaryError(`None of ${count} Postgres servers is a primary: ${problem}`)
      return current
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      closing.abort()
      for (const resume of waiting.splice(0)) resume()
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'

/** Something that can be started, and started again when it has ended. */
export interface Startable {
  name: string
  /** Resolves when it is ready to serve; `ended` resolves with how it ended. */
  start(): Promise<{ ended: Promise<string> }>
}

export interface Keeper {
  /** Starts it, and starts it again whenever it ends. Throws only what the first start throws. */
  keep(one: Startable): Promise<void>
  /** From now on what ends stays ended. */
  stop(): void
}

/** Waits between restarts: a process that cannot live must not keep the machine busy dying. */
const WAITS_MS = [250, 1_000, 2_000, 5_000, 15_000] as const
/** Who lived this long had not failed to start; its next restart is quick again. */
const SETTLED_MS = 30_000

/** @param tell receives a sentence for every end and every restart */
export function keeper(tell: (line: string) => void, waitsMs: readonly number[] = WAITS_MS): Keeper {
  let stopping = false

  const keepGoing = async (one: Startable, ended: Promise<string>): Promise<void> => {
    let next = ended
    for (let failures = 0; ; failures += 1) {
      const since = Date.now()
      const how = await next
      if (stopping) return
      if (Date.now() - since > SETTLED_MS) failures = 0
      const wait = waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0
      tell(`The ${one.name} ended (${how}); starting it again in ${wait / 1000} s`)
      await sleep(wait)
      if (stopping) return
      next = one.start().then(
        (started) => {
          tell(`The ${one.name} is back`)
          return started.ended
        },
        (error: Error) => error.message,
      )
    }
  }

  return {
    async keep(one) {
      const { ended } = await one.start()
      void keepGoing(one, ended)
    },
    stop() {
      stopping = true
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'

/** A program that can be started, and started again after it has ended. */
export interface Startable {
  name: string
  /** Resolves when the program is ready; `ended` resolves with how it ended. */
  start(): Promise<{ ended: Promise<string> }>
}

export interface Supervisor {
  /** Starts a program, and restarts it whenever it ends. Throws what the first start throws, and nothing later. */
  start(program: Startable): Promise<void>
  /** Stops restarting: programs that end from now on stay ended. */
  stop(): void
}

/** Delays before restarts. They grow, so that a program that cannot start does not use up the CPU. */
const RESTART_DELAYS_MS = [250, 1_000, 2_000, 5_000, 15_000] as const
/** A program that ran this long counts as started successfully: its next restart has the first delay again. */
const STABLE_AFTER_MS = 30_000

/** @param tell receives a sentence for every end and every restart */
export function createSupervisor(
  tell: (line: string) => void,
  delaysMs: readonly number[] = RESTART_DELAYS_MS,
): Supervisor {
  let isStopping = false

  const restartWhenEnded = async (program: Startable, firstEnd: Promise<string>): Promise<void> => {
    let ended = firstEnd
    for (let failures = 0; ; failures += 1) {
      const startedAt = Date.now()
      const how = await ended
      if (isStopping) return
      if (Date.now() - startedAt > STABLE_AFTER_MS) failures = 0
      const delay = delaysMs[Math.min(failures, delaysMs.length - 1)] ?? 0
      tell(`The ${program.name} ended (${how}); starting it again in ${delay / 1000} s`)
      await sleep(delay)
      if (isStopping) return
      ended = program.start().then(
        (started) => {
          tell(`The ${program.name} is back`)
          return started.ended
        },
        (error: Error) => error.message,
      )
    }
  }

  return {
    async start(program) {
      const { ended } = await program.start()
      void restartWhenEnded(program, ended)
    },
    stop() {
      isStopping = true
    },
  }
}

/** The end of a process: what it has opened is closed in order, within a bound. */
import inspector from 'node:inspector'
import type { Logger } from 'pino'

/** Longer than a statement or a job takes that is written back at the end. */
const CLOSE_MS = 20_000

/**
 * Closes one service after the other, and ends the process. The exit status is 0, or 1 after `limit_ms`. A supervisor
 * waits for a process that it has told to end, and a statement or connection that never settles must not make it wait
 * for ever.
 * @param services how each is closed, by its name, which the log tells when it takes too long
 */
export const closeServices = async (
  log: Logger,
  services: Record<string, () => unknown>,
  limit_ms = CLOSE_MS,
): Promise<never> => {
  let closing = ''
  setTimeout(() => {
    log.error({ closing, milliseconds: limit_ms }, 'a service was not closed in time')
    exit(1)
  }, limit_ms)
  for (const [name, close] of Object.entries(services)) {
    closing = name
    await close()
  }
  return exit(0)
}

/** Ends the process, also while a debugger is connected: Node would wait, without a bound, until it disconnects. */
const exit = (code: number): never => {
  if (inspector.url() !== undefined) inspector.close()
  return process.exit(code)
}

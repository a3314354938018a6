/**
 * Structured logs: JSON lines on stderr.
 *
 * Keys and message text stay out. Of an error only its kind, message and stack are written: what a driver attaches
 * beside them (the statement's parameters, the failing row) is the users' own.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.js'

export const openLog = (
  config: Pick<Config, 'LOG_LEVEL'>,
  process_kind: 'gateway' | 'worker',
  destination: DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger =>
  pino(
    { level: config.LOG_LEVEL, base: { process: process_kind, pid: process.pid }, serializers: { err: plainError } },
    destination,
  )

interface PlainError {
  type: string
  message: string
  stack: string | undefined
  code: unknown
  cause?: PlainError
}

const plainError = (error: unknown): PlainError => {
  if (!(error instanceof Error))
    return { type: typeof error, message: String(error), stack: undefined, code: undefined }
  const { name, message, stack, code, cause } = error as Error & { code?: unknown }
  return { type: name, message, stack, code, ...(cause === undefined ? {} : { cause: plainError(cause) }) }
}

/**
 * Structured logs: JSON lines on stderr.
 *
 * Logs contain no API keys and no message text. Of an error, only type, message, stack, code and cause are written:
 * drivers attach other fields (the parameters of the statement, the failing row) that contain data of users.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.js'

/** Opens the log of a process, which writes one JSON object per line. @param destination default: standard error */
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

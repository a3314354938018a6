/** Logs failed calls. */
import type { Logger } from 'pino'
import type { FinishedCall } from '../http/call.js'

/** Logs one line for each failed call: level debug for an error of the client, level error for an unexpected error. */
export const logCall = (
  log: Logger,
  { name, request, status, milliseconds, refusal, surprise }: FinishedCall,
): void => {
  if (refusal === undefined) return
  const line = {
    call: name,
    transport: request.transport,
    host: request.host,
    status,
    code: refusal.code,
    ms: Math.round(milliseconds),
  }
  if (surprise === undefined) log.debug(line, refusal.message)
  else log.error({ ...line, err: surprise }, 'a call failed')
}

/** What the log says of calls. */
import type { Logger } from 'pino'
import type { FinishedCall } from '../http/call.js'

/** One line for each call that failed: a refusal is the client's affair (debug), a surprise is ours (error). */
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

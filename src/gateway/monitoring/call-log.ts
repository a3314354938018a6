/** Logs calls: those that failed, and all of them with ACCESS_LOG. */
import type { Logger } from 'pino'
import type { FinishedCall } from '../call/running-call.js'
import { logRefusal } from '../transport/refusal-log.js'

/**
 * Logs one line for a failed call. The level is debug for an error of the client (info for 401, 403 and 429), and error
 * for an unexpected error.
 * @param logsAccess whether each other call has a line at level info, too
 */
export const logCall = (
  log: Logger,
  { name, request, status, milliseconds, refusal, unexpected, user_id }: FinishedCall,
  logsAccess: boolean,
): void => {
  if (refusal !== undefined && unexpected === undefined) {
    const { ip, host, authorization, fields } = request
    logRefusal(log, refusal, { ip, host, authorization, fields, call: name, user_id })
  }
  if (refusal === undefined && !logsAccess) return
  const line = {
    ...(logsAccess ? { address: request.ip, ...(user_id === undefined ? {} : { user_id }) } : {}),
    call: name,
    transport: request.transport,
    host: request.host,
    status,
    ...(refusal === undefined ? {} : { code: refusal.code }),
    ms: Math.round(milliseconds),
  }
  if (unexpected !== undefined) log.error({ ...line, err: unexpected }, 'a call failed')
  else if (logsAccess) log.info(line, 'call')
  else if (refusal !== undefined) log.debug(line, refusal.message)
}

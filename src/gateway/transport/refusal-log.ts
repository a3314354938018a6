/**
 * One line at level info for each request that is refused with 401, 403 or 429: with the address of the client, so that
 * programs such as fail2ban can act on it (deploy/fail2ban), and with the account that it names, never with a key.
 *
 * The first fields of a line are those of the process and then the address and the status: what a client sends comes
 * after them, so that it cannot look like them.
 */
import { looksLikeApiKey } from '../../domain/deployment/api-key.js'
import type { ApiError } from '../../domain/protocol/errors.js'
import { isEmailAddress } from '../../domain/users/name-and-email-rules.js'
import type { App } from '../contract/app.js'

/** What is known of a refused request. */
export interface RefusedRequest {
  ip: string
  host: string
  /** the Authorization header */
  authorization: string
  fields?: Readonly<Record<string, unknown>> | undefined
  /** the name of the call, or the method and the path */
  call: string
  /** of the account that was authenticated */
  user_id?: number | undefined
}

const LOGGED = new Set([401, 403, 429])
const MAX_LENGTH = 200

/** Errors that were logged: one error passes several places on its way to the client. */
const logged = new WeakSet<ApiError>()

/** Logs the refusal, unless it was logged or has another status. */
export const logRefusal = (log: App['log'], error: ApiError, request: RefusedRequest): void => {
  if (!LOGGED.has(error.status) || logged.has(error)) return
  logged.add(error)
  const { ip, host, authorization, fields, call, user_id } = request
  const account = findAccount(authorization, fields)
  log.info(
    {
      address: ip,
      status: error.status,
      code: error.code,
      ...(user_id === undefined ? {} : { user_id }),
      ...(account === undefined ? {} : { account }),
      host: host.slice(0, MAX_LENGTH),
      call: call.slice(0, MAX_LENGTH),
    },
    'a request was refused',
  )
}

/** The address of the account that the request names. Whatever is not an address may be a key or a password. */
const findAccount = (authorization: string, fields: RefusedRequest['fields']): string | undefined => {
  const [scheme = '', encoded = ''] = authorization.trim().split(/\s+/)
  const inHeader =
    scheme.toLowerCase() === 'basic' ? Buffer.from(encoded, 'base64').toString().split(':')[0] : undefined
  const named = [inHeader, fields?.username, fields?.email].find((one) => typeof one === 'string' && one !== '')
  if (typeof named !== 'string') return undefined
  const account = named.trim()
  return isEmailAddress(account) && !looksLikeApiKey(account) ? account.slice(0, MAX_LENGTH) : undefined
}

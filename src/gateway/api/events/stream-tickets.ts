/**
 * Tickets for streams. `EventSource` of browsers cannot send headers, so a page asks for a ticket with its API key and
 * puts the ticket into the address of the stream.
 *
 * 1. A ticket opens a stream of one queue and nothing else. It is stored nowhere, and becomes invalid with the API key.
 * 2. Addresses are written to logs of proxies, so a ticket expires soon. A stream that is open stays open. Within the
 *    time a browser can connect again by itself; later it is refused, and the page asks for a new ticket.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { Realm } from '../../../store/log/realm.js'
import { endpoint } from '../../call/endpoint.js'
import { str } from '../../call/params.js'
import type { CallRequest } from '../../contract/call-request.js'

const LIFETIME_SECONDS = 60

export const createStreamTicket = endpoint({
  method: 'POST',
  path: '/events/ticket',
  summary: 'Issues a ticket with which EventSource of a browser opens a stream of one queue, within a minute.',
  callers: 'account',
  keyScope: 'none',
  takesAck: false,
  params: { queue_id: str() },
  example: { queue_id: '{queue_id}' },
  response: z.object({ ticket: z.string(), expires_in: z.int() }),
  errors: [errors.badEventQueueId],
  async handle({ app, caller, realm, state, params: { queue_id } }) {
    const queue = await app.store.queues.find(realm.id, queue_id, caller.id)
    if (queue === undefined) throw errors.badEventQueueId({ queue_id })
    if (caller.session !== undefined) {
      throw errors.badRequest('A page with a session needs no ticket: EventSource sends its cookie.')
    }
    const { id: user_id, key_version } = caller.user
    const expires_at = secondsNow() + LIFETIME_SECONDS
    const ticket = state.deployment.keys.streamTicket(realm.id, { user_id, key_version, queue_id, expires_at })
    return { ticket, expires_in: LIFETIME_SECONDS }
  },
})

/** The account of a ticket; undefined when the request has none. Throws the errors of protocol/errors.md 4. */
export const authenticateByTicket = (
  { id, state }: Realm,
  { fields }: Pick<CallRequest, 'fields'>,
  now = secondsNow(),
): UserRow | undefined => {
  const { ticket, queue_id } = fields
  if (typeof ticket !== 'string') return undefined
  const [, user_id, expiry, key] = /^(\d{1,9})-(\d{1,12})-([0-9A-Za-z]{32})$/.exec(ticket) ?? []
  const user = state.users.get(Number(user_id))
  const expires_at = Number(expiry)
  if (user === undefined || key === undefined || typeof queue_id !== 'string' || expires_at < now)
    throw errors.invalidTicket()
  const { key_version } = user
  const isValid = state.deployment.keys.isStreamKey(key, id, { user_id: user.id, key_version, queue_id, expires_at })
  if (!isValid) throw errors.invalidTicket()
  if (!user.is_active) throw errors.accountDeactivated()
  if (!state.realm.is_active) throw errors.realmDeactivated()
  return user
}

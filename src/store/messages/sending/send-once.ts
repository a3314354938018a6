/**
 * Sends that a client may repeat: a client that lost the answer sends again, and gets the answer of the first send.
 *
 * 1. The key of a send is stored by the statement that stores its message. So a key is there if and only if its
 *    message is, also after the death of a gateway and after a failover.
 * 2. Two sends with one key are serialized by the lock of the realm's head, through any gateway. The second one
 *    violates the primary key, and finds the first.
 * 3. A send that is not repeated reads nothing here: keys are looked up only when a send is refused, or its commit was
 *    in conflict. A repeated send has the answer of the first one also if it is not permitted any more.
 */
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { hashToUuid } from '../../log/hash-to-uuid.js'
import { StaleStateError } from '../../log/log.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Sql } from '../../sql.js'

/** The answer to a send. */
export interface SendResult {
  id: number
  /** how the sender follows the topic from now on, if that changed */
  automatic_new_visibility_policy?: number
}

/** The key of a send, and what it asks for. Both are hashed, and written as a UUID. */
export interface IdempotencyKey {
  readonly key: string
  readonly request: string
}

/**
 * Composes the key of a send.
 * @param named the key that the client chose
 * @param echo what the client uses to recognize its message. Clients use a local id again after a refusal, so it is a
 * key only together with what is sent
 * @param request what the send asks for
 * @returns undefined: the client has chosen none, and the send is not one that may be repeated
 */
export const composeIdempotencyKey = (
  named: string | undefined,
  echo: { queue_id: string; local_id: string } | undefined,
  request: readonly unknown[],
): IdempotencyKey | undefined => {
  if (named === undefined && echo === undefined) return undefined
  if (named !== undefined) return { key: hashToUuid(`named ${named}`), request: hashToUuid(JSON.stringify(request)) }
  // One hash for both: with another request it is another key.
  const key = hashToUuid(`echo ${JSON.stringify([echo?.queue_id, echo?.local_id, ...request])}`)
  return { key, request: key }
}

/**
 * Runs a send. If it fails and its key was used before, the answer is that of the first send (3).
 * Throws IDEMPOTENCY_KEY_REUSED if that asked for something else, and what `send` throws.
 */
export const sendOnce = async (
  { sql, realm, ack }: WriteContext,
  user_id: number,
  key: IdempotencyKey | undefined,
  send: () => Promise<SendResult>,
): Promise<SendResult> => {
  try {
    return await send()
  } catch (error) {
    const mayBeRepeated = error instanceof ApiError || error instanceof StaleStateError
    const first = key === undefined || !mayBeRepeated ? undefined : await loadFirst(sql, realm.id, user_id, key)
    if (first === undefined) throw error
    if (first.request !== key?.request) throw errors.idempotencyKeyReused()
    // The first send has acknowledged the event of this one.
    if (ack !== undefined) ack.isSettled = true
    return first.answer
  }
}

const loadFirst = async (sql: Sql, realm_id: number, user_id: number, { key }: IdempotencyKey) => {
  const [row] = await sql<{ request: string; message_id: number; visibility_policy: number | null }[]>`
    select replace(request::text, '-', '') as request, message_id, visibility_policy from idempotency_keys
    where realm_id = ${realm_id} and user_id = ${user_id} and key = ${key}`
  if (row === undefined) return undefined
  const { request, message_id: id, visibility_policy: policy } = row
  return { request, answer: policy === null ? { id } : { id, automatic_new_visibility_policy: policy } }
}

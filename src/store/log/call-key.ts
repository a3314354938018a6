/**
 * The key of a call that its client may repeat, and the answer that is stored with it.
 *
 * 1. The answer is stored in the transaction of the change, under the lock of the head. So a key is there if and only
 *    if its change is, also after the death of a gateway and after a failover.
 * 2. A second call with the key violates the primary key, through any gateway: its commit throws RepeatedCallError, and
 *    nothing of it remains.
 * 3. An answer can contain an API key, and parameters a password: the table has the answer encrypted and the parameters
 *    as a digest, both by the secret of the deployment.
 * 4. A key belongs to one commit: that of the only change of a call, or of its last part. A call that dies between its
 *    parts has stored nothing, and runs again when it is repeated.
 * 5. No key is deleted before its time (old-keys.ts). An account has as many keys as its rate limit permits calls. Of
 *    long answers it has at most MAX_LONG_BYTES: a call that would exceed this is refused, and changes nothing.
 */
import { errors } from '../../domain/protocol/errors.js'
import type { Db, Sql, Transaction } from '../sql.js'
import { KEEP_HOURS } from './old-keys.js'
import type { Realm } from './realm.js'

/** Thrown when a call with the same key was committed before. The pipeline answers with its answer. */
export class RepeatedCallError extends Error {
  constructor() {
    super('a call with this idempotency key was committed before')
  }
}

/** A longer answer is not kept: the call runs again when it is repeated. In UTF-16 units. */
const MAX_ANSWER_LENGTH = 256 * 1024

/** An answer that is longer, encrypted, is a long one. The index idempotency_keys_long has the same number. */
const LONG_BYTES = 4_096
/** The bytes of the long answers of an account within KEEP_HOURS (5). */
const MAX_LONG_BYTES = 64 * 1024 * 1024

/** The key of one call. `key` and `requests`, what the call asks for, are hashed and written as a UUID. */
export class CallKey {
  readonly user_id: number
  readonly key: string
  /** by each secret of the deployment, the newest first (3) */
  readonly requests: readonly string[]
  /** what the handler returned, as JSON text; undefined: it has not returned yet */
  answer: string | undefined
  /** the answer that a commit has stored; undefined: none has */
  stored: string | undefined
  /** how many commits of the call would have stored it: one, or the contract of the endpoint is wrong */
  commits = 0

  constructor(user_id: number, key: string, requests: readonly string[]) {
    this.user_id = user_id
    this.key = key
    this.requests = requests
  }
}

/** A key with the function that makes the answer from the result of the change. */
export interface AnswerKey {
  readonly key: CallKey
  compose(result: unknown): object
}

type RealmOfCall = Pick<Realm, 'id' | 'state'>

const keysOf = ({ state }: RealmOfCall) => state.deployment.keys

/** Most calls answer with nothing but their success. */
export const composeEmptyAnswer = (): object => ({})

/**
 * Stores the answer in the transaction of the change (1). Throws RepeatedCallError (2), and RATE_LIMIT_HIT (5).
 * @param answer JSON text
 */
export const insertAnswer = async (
  tx: Transaction,
  realm: RealmOfCall,
  { user_id, key, requests }: CallKey,
  answer: string,
): Promise<void> => {
  const sealed = keysOf(realm).sealAnswer(answer)
  const wait = await findWait(tx, realm.id, user_id, sealed)
  if (wait !== undefined) throw errors.rateLimitHit({ 'retry-after': wait }).asFinal()
  try {
    await tx`
      insert into idempotency_keys (realm_id, user_id, key, request, answer)
      values (${realm.id}, ${user_id}, ${key}, ${requests[0] ?? null}, ${sealed})`
  } catch (error) {
    const isRepeated = (error as { constraint_name?: unknown }).constraint_name === 'idempotency_keys_pkey'
    throw isRepeated ? new RepeatedCallError() : error
  }
}

/**
 * How long an account has to wait until a long answer can be stored (5).
 * @returns seconds; undefined: it need not wait
 */
const findWait = async (db: Db, realm_id: number, user_id: number, sealed: string): Promise<number | undefined> => {
  if (sealed.length <= LONG_BYTES) return undefined
  const [stored] = await db<{ bytes: number; wait: number }[]>`
    select coalesce(sum(octet_length(answer)), 0)::int8 as bytes,
      ceil(extract(epoch from min(at) + make_interval(hours => ${KEEP_HOURS}) - now()))::int as wait
    from idempotency_keys
    where realm_id = ${realm_id} and user_id = ${user_id} and octet_length(answer) > 4096
      and at > now() - make_interval(hours => ${KEEP_HOURS})`
  return stored === undefined || stored.bytes + sealed.length <= MAX_LONG_BYTES ? undefined : Math.max(1, stored.wait)
}

/**
 * The answer of an earlier call with this key, as JSON text. Throws IDEMPOTENCY_KEY_REUSED if that call asked for
 * something else. @returns undefined: there was none
 */
export const loadAnswer = async (sql: Sql, realm: RealmOfCall, call: CallKey): Promise<string | undefined> => {
  const [row] = await sql<{ request: string; answer: string | null }[]>`
    select replace(request::text, '-', '') as request, answer from idempotency_keys
    where realm_id = ${realm.id} and user_id = ${call.user_id} and key = ${call.key}`
  if (row === undefined) return undefined
  const answer = row.answer === null ? undefined : keysOf(realm).openAnswer(row.answer)
  if (!call.requests.includes(row.request) || answer === undefined) throw errors.idempotencyKeyReused()
  return answer
}

/**
 * Stores the answer of a call that has committed nothing with its key. It is not kept if there is no room for it (5).
 * If another call with the key came first, its answer is returned. Throws IDEMPOTENCY_KEY_REUSED.
 */
export const storeAnswer = async (sql: Sql, realm: RealmOfCall, call: CallKey, answer: string): Promise<string> => {
  if (answer.length > MAX_ANSWER_LENGTH) return answer
  const sealed = keysOf(realm).sealAnswer(answer)
  if ((await findWait(sql, realm.id, call.user_id, sealed)) !== undefined) return answer
  const inserted = await sql`
    insert into idempotency_keys (realm_id, user_id, key, request, answer)
    values (${realm.id}, ${call.user_id}, ${call.key}, ${call.requests[0] ?? null}, ${sealed})
    on conflict do nothing`
  return inserted.count === 1 ? answer : ((await loadAnswer(sql, realm, call)) ?? answer)
}

/** Corrects the answer that the commit of this call has stored. */
export const correctAnswer = (sql: Sql, realm: RealmOfCall, call: CallKey, answer: string): Promise<unknown> => sql`
  update idempotency_keys set answer = ${keysOf(realm).sealAnswer(answer)}
  where realm_id = ${realm.id} and user_id = ${call.user_id} and key = ${call.key}
    and request = ${call.requests[0] ?? null}`

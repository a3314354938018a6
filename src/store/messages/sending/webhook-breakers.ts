/**
 * The circuit breaker of each outgoing webhook: after several failures in a row its server is not called for a while.
 *
 * 1. After MAX_FAILURES failures in a row the breaker opens: calls are refused for FIRST_REFUSAL_SECS. Then one call is
 *    tried. Each further failure doubles the time, up to MAX_REFUSAL_SECS; a success closes the breaker.
 * 2. Calls that began before the breaker opened, and fail after it, do not count.
 * 3. A breaker belongs to the bot's address: the owner who changes the address starts anew.
 * 4. The bot's owner gets one message when the breaker opens, and none again before it has closed.
 */
import type { Sql, Transaction } from '../../sql.js'

/** The webhook of a bot. */
export interface Webhook {
  realm_id: number
  bot_id: number
  url: string
}

const MAX_FAILURES = 5
const FIRST_REFUSAL_SECS = 30
const MAX_REFUSAL_SECS = 1_800
/** While one call is tried, others are refused for so long: longer than a call takes. */
const TRIAL_SECS = 15

export type PermittedCall = 'call' | 'trial'

/** Whether the webhook may be called now; `trial`: as the only call (1). */
export const permitCall = async (sql: Sql, { realm_id, bot_id, url }: Webhook): Promise<PermittedCall | 'refused'> => {
  const [breaker] = await sql<{ is_refused: boolean }[]>`
    select refused_until > now() as is_refused from webhook_breakers
    where realm_id = ${realm_id} and bot_id = ${bot_id} and url = ${url} and failures >= ${MAX_FAILURES}`
  if (breaker === undefined) return 'call'
  if (breaker.is_refused) return 'refused'
  const trial = await sql`
    update webhook_breakers set refused_until = now() + make_interval(secs => ${TRIAL_SECS})
    where realm_id = ${realm_id} and bot_id = ${bot_id} and url = ${url} and refused_until <= now()`
  return trial.count > 0 ? 'trial' : 'refused'
}

/** Records a failed call. @returns whether calls are refused now */
export const recordFailure = async (
  sql: Sql,
  { realm_id, bot_id, url }: Webhook,
  permitted: PermittedCall,
): Promise<boolean> => {
  const refusal = sql`make_interval(secs => least(${MAX_REFUSAL_SECS},
    ${FIRST_REFUSAL_SECS} * power(2, least(30, b.failures + 1 - ${MAX_FAILURES})))::int)`
  await sql`
    insert into webhook_breakers as b (realm_id, bot_id, url, failures, refused_until)
    values (${realm_id}, ${bot_id}, ${url}, 1, now())
    on conflict (realm_id, bot_id) do update set
      url = excluded.url,
      failures = case when b.url = excluded.url then b.failures + 1 else 1 end,
      refused_until = case
        when b.url = excluded.url and b.failures + 1 >= ${MAX_FAILURES} then now() + ${refusal} else now()
      end,
      is_owner_told = b.is_owner_told and b.url = excluded.url
    where b.url <> excluded.url or b.failures < ${MAX_FAILURES} or ${permitted === 'trial'}`
  const [breaker] = await sql`
    select from webhook_breakers
    where realm_id = ${realm_id} and bot_id = ${bot_id} and url = ${url} and failures >= ${MAX_FAILURES}`
  return breaker !== undefined
}

/** Records an answer of the server: closes the breaker. */
export const recordSuccess = (sql: Sql, { realm_id, bot_id }: Webhook): Promise<unknown> => sql`
  delete from webhook_breakers where realm_id = ${realm_id} and bot_id = ${bot_id}`

/** Whether the bot's owner does not know yet that calls are refused. */
export const isOwnerUntold = async (sql: Sql, { realm_id, bot_id }: Webhook): Promise<boolean> => {
  const [breaker] = await sql`
    select from webhook_breakers where realm_id = ${realm_id} and bot_id = ${bot_id} and not is_owner_told`
  return breaker !== undefined
}

/** Marks the owner as told. @returns false when another job told the owner (4) */
export const markOwnerTold = async (tx: Transaction, { realm_id, bot_id }: Webhook): Promise<boolean> => {
  const marked = await tx`
    update webhook_breakers set is_owner_told = true
    where realm_id = ${realm_id} and bot_id = ${bot_id} and not is_owner_told`
  return marked.count > 0
}

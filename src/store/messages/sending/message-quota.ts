/**
 * The most messages that the operator permits an organization to store.
 *
 * The messages are counted once. From then on, the counter of message ids says how many were sent, so a send asks for
 * that number only. Deleted messages are noticed by the next count, which is made when there is no room any more. Sends
 * that run at the same time can exceed the quota by their number.
 */
import { OwnedKey } from '../../../domain/log/owned-values.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { Realm } from '../../log/realm.js'
import type { Sql } from '../../sql.js'

/** Milliseconds after which messages are counted again while there is no room. */
const RECOUNT_MS = 5_000

interface Count {
  at: number
  messages: number
  last_message_id: number
}

/** The last count of a realm, done or under way; undefined: there is none. */
interface LastCount {
  count: Promise<Count> | undefined
}

const lastCountKey = new OwnedKey<LastCount>('message_counts')
const findLastCount = (realm: Realm): LastCount => realm.own(lastCountKey, () => ({ count: undefined }))

/** Throws BAD_REQUEST when the organization has as many messages as it may. */
export const checkMessageQuota = async (sql: Sql, realm: Realm): Promise<void> => {
  const quota = realm.state.realm.message_quota
  if (quota === null) return
  const known = await (findLastCount(realm).count ?? startCount(sql, realm))
  if (known.messages + (await loadLastId(sql, realm.id)) - known.last_message_id < quota) return
  const recent = Date.now() - known.at > RECOUNT_MS ? await startCount(sql, realm) : known
  const last = await loadLastId(sql, realm.id)
  if (recent.messages + last - recent.last_message_id < quota) return
  throw errors.badRequest(
    'The operator of this server permits the organization {quota} messages: delete some, or ask the operator for more.',
    { quota },
  )
}

/** Counts the messages. Sends that come meanwhile wait for the same count. */
const startCount = (sql: Sql, realm: Realm): Promise<Count> => {
  const last = findLastCount(realm)
  const counted = countMessages(sql, realm.id)
  last.count = counted
  counted.catch(() => {
    last.count = undefined
  })
  return counted
}

const countMessages = async (sql: Sql, realm_id: number): Promise<Count> => {
  const [row] = await sql<Omit<Count, 'at'>[]>`
    select (select count(*)::int8 from messages where realm_id = ${realm_id}) as messages, last_message_id
    from log_heads where realm_id = ${realm_id}`
  return { messages: 0, last_message_id: 0, ...row, at: Date.now() }
}

const loadLastId = async (sql: Sql, realm_id: number): Promise<number> => {
  const [head] = await sql<{ last_message_id: number }[]>`
    select last_message_id from log_heads where realm_id = ${realm_id}`
  return head?.last_message_id ?? 0
}

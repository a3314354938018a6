/**
 * Limits the size of a page. One message may be very large: HTML of a megabyte, an edit history, a poll with thousands
 * of votes. An answer with any number of such messages would need more memory than the process has.
 */

import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { Fragment, Sql } from '../../sql.js'
import { type ReadContext, readerKey } from '../narrow/conditions.js'
import type { FoundPage } from './find-page.js'

/** Size of a reaction, and of a submessage without its text, in bytes. */
const OVERHEAD = 200

/** This number of messages always fits. */
const ALWAYS_FITTING = 2

/** Drops the messages that are farthest from the anchor until the page fits. The nearest of each side always stays. */
export const fitPage = async (context: ReadContext, anchor: number, found: FoundPage): Promise<FoundPage> => {
  const { ids } = found
  if (await canFit(context, ids)) return found
  const bytes = await loadSizes(context, ids)
  const before = ids.filter((id) => id < anchor).reverse()
  const after = ids.filter((id) => id >= anchor)
  const most = Math.max(before.length, after.length)
  const getSize = (side: readonly number[], i: number) => bytes.get(side[i] ?? 0) ?? 0
  let near = 0
  for (let total = 0; near < most; near++) {
    total += getSize(before, near) + getSize(after, near)
    if (near > 0 && total > limits.max_page_bytes) break
  }
  return {
    ids: [...before.slice(0, near).reverse(), ...after.slice(0, near)],
    found_anchor: found.found_anchor,
    found_oldest: found.found_oldest && before.length <= near,
    found_newest: found.found_newest && after.length <= near,
  }
}

/** Throws BAD_REQUEST when these messages do not fit into one answer. */
export const checkMessagesFit = async (context: ReadContext, ids: readonly number[]): Promise<void> => {
  if (await canFit(context, ids)) return
  throw errors.badRequest('These messages are too large for one response: request fewer messages at once.')
}

/** Whether all of them fit, as is usual. One sum costs half as much as the size of each message. */
const canFit = async (context: ReadContext, ids: readonly number[]): Promise<boolean> => {
  if (ids.length <= ALWAYS_FITTING) return true
  const { sql } = context
  const { realm_id } = readerKey(context)
  const matchesId = (id: Fragment) => sql`${id} = any(${ids as number[]}::bigint[])`
  const [all] = await sql<{ bytes: number }[]>`
    select (
      (select coalesce(sum(${textBytes(sql)}), 0) from messages m where m.realm_id = ${realm_id} and ${matchesId(sql`m.id`)})
      + ${attachedBytes(sql, realm_id, matchesId)}
    )::int8 as bytes`
  return (all?.bytes ?? 0) <= limits.max_page_bytes
}

/** Loads the size of each message, in bytes. */
const loadSizes = async (context: ReadContext, ids: readonly number[]): Promise<Map<number, number>> => {
  const { sql } = context
  const { realm_id } = readerKey(context)
  const isOne = (id: Fragment) => sql`${id} = m.id`
  const rows = await sql<{ id: number; bytes: number }[]>`
    select m.id, (${textBytes(sql)} + ${attachedBytes(sql, realm_id, isOne)})::int8 as bytes
    from messages m
    where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])`
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/** Bytes of the texts of `m`. Lengths of stored texts are known without reading them. */
const textBytes = (sql: Sql): Fragment => sql`(
  octet_length(m.content) + octet_length(m.rendered_content) + coalesce(octet_length(m.edit_history::text), 0)
)`

/** Bytes of the submessages and reactions of the matching messages. Indexes: keys. */
const attachedBytes = (sql: Sql, realm_id: number, isOne: (id: Fragment) => Fragment): Fragment => sql`(
  (
    select coalesce(sum(octet_length(s.content) + ${OVERHEAD}::int), 0) from submessages s
    where s.realm_id = ${realm_id} and ${isOne(sql`s.message_id`)}
  )
  + ${OVERHEAD}::int * (
    select count(*) from reactions r where r.realm_id = ${realm_id} and ${isOne(sql`r.message_id`)}
  )
)`

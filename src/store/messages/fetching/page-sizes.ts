/**
 * How large messages are together. One may be very large: HTML of a megabyte, earlier texts, a poll of thousands. An
 * answer that took any number of such ones would take more memory than the process has.
 */

import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { Fragment, Sql } from '../../sql.js'
import { type ReadContext, readerKey } from '../narrow/conditions.js'
import type { FoundPage } from './find-page.js'

/** What a reaction takes, and a submessage beside its text, in bytes. */
const OVERHEAD = 200

/** So few fit whatever they hold. */
const FEW = 2

/** The page without what lies too far from its anchor to fit; the nearest message on each side always does. */
export const fitPage = async (reading: ReadContext, anchor: number, found: FoundPage): Promise<FoundPage> => {
  const { ids } = found
  if (await canFit(reading, ids)) return found
  const bytes = await loadSizes(reading, ids)
  const before = ids.filter((id) => id < anchor).reverse()
  const after = ids.filter((id) => id >= anchor)
  const most = Math.max(before.length, after.length)
  const at = (side: readonly number[], i: number) => bytes.get(side[i] ?? 0) ?? 0
  let near = 0
  for (let total = 0; near < most; near++) {
    total += at(before, near) + at(after, near)
    if (near > 0 && total > limits.max_page_bytes) break
  }
  return {
    ids: [...before.slice(0, near).reverse(), ...after.slice(0, near)],
    found_anchor: found.found_anchor,
    found_oldest: found.found_oldest && before.length <= near,
    found_newest: found.found_newest && after.length <= near,
  }
}

/** Throws BAD_REQUEST when these messages, of which none may be missing, do not fit one answer. */
export const checkMessagesFit = async (reading: ReadContext, ids: readonly number[]): Promise<void> => {
  if (await canFit(reading, ids)) return
  throw errors.badRequest('These messages are too large for one answer: ask for fewer of them at once.')
}

/** Whether all of them fit, as nearly always: a sum costs half of what the sizes of each do. */
const canFit = async (reading: ReadContext, ids: readonly number[]): Promise<boolean> => {
  if (ids.length <= FEW) return true
  const { sql } = reading
  const { realm_id } = readerKey(reading)
  const matchesId = (id: Fragment) => sql`${id} = any(${ids as number[]}::bigint[])`
  const [all] = await sql<{ bytes: number }[]>`
    select (
      (select coalesce(sum(${textBytes(sql)}), 0) from messages m where m.realm_id = ${realm_id} and ${matchesId(sql`m.id`)})
      + ${attachedBytes(sql, realm_id, matchesId)}
    )::int8 as bytes`
  return (all?.bytes ?? 0) <= limits.max_page_bytes
}

/** What each of them takes. */
const loadSizes = async (reading: ReadContext, ids: readonly number[]): Promise<Map<number, number>> => {
  const { sql } = reading
  const { realm_id } = readerKey(reading)
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

/** Bytes of what hangs on the messages whose id is one of those meant. Indexes: keys. */
const attachedBytes = (sql: Sql, realm_id: number, isOne: (id: Fragment) => Fragment): Fragment => sql`(
  (
    select coalesce(sum(octet_length(s.content) + ${OVERHEAD}::int), 0) from submessages s
    where s.realm_id = ${realm_id} and ${isOne(sql`s.message_id`)}
  )
  + ${OVERHEAD}::int * (
    select count(*) from reactions r where r.realm_id = ${realm_id} and ${isOne(sql`r.message_id`)}
  )
)`

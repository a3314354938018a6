/**
 * Loads the messages of a page, as far as they fit into one answer. One message may be very large: HTML of a megabyte,
 * an edit history, a poll with thousands of votes. An answer with any number of such messages would need more memory
 * than the process has.
 */

import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { Fragment, Sql } from '../../sql.js'
import { type ReadContext, readerKey } from '../narrow/conditions.js'
import { loadMessages, loadMessagesWith } from '../narrow/load-messages.js'
import type { FoundPage } from './find-page.js'
import { loadAttached, type WholeMessages } from './whole-messages.js'

/** Size of a reaction, and of a submessage without its text, in bytes. */
const OVERHEAD = 200

/** This number of messages always fits. */
const ALWAYS_FITTING = 2

/** A page with its messages. */
export interface LoadedPage extends Omit<FoundPage, 'ids'> {
  messages: WholeMessages
}

/**
 * Loads the messages of a page. It drops those that are farthest from the anchor until the page fits. The nearest of
 * each side always stays.
 */
export const loadPage = async (context: ReadContext, anchor: number, found: FoundPage): Promise<LoadedPage> => {
  const { ids, ...ends } = found
  const messages = await loadIfFitting(context, ids)
  if (messages !== undefined) return { ...ends, messages }
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
    messages: await loadWhole(context, [...before.slice(0, near).reverse(), ...after.slice(0, near)]),
    found_anchor: found.found_anchor,
    found_oldest: found.found_oldest && before.length <= near,
    found_newest: found.found_newest && after.length <= near,
  }
}

/** Loads messages by id ascending. Throws BAD_REQUEST when they do not fit into one answer. */
export const loadFittingMessages = async (context: ReadContext, ids: readonly number[]): Promise<WholeMessages> => {
  const messages = await loadIfFitting(context, ids)
  if (messages !== undefined) return messages
  // They may have been deleted meanwhile.
  if ((await loadSizes(context, ids)).size === 0) return loadWhole(context, [])
  throw errors.badRequest('These messages are too large for one response: request fewer messages at once.')
}

const loadWhole = async (context: ReadContext, ids: readonly number[]): Promise<WholeMessages> =>
  loadAttached(context, await loadMessages(context, ids))

/**
 * Loads the messages if all of them fit, as is usual; undefined: they do not fit, or do not exist any more. The same
 * statement finds the size and loads: a page is one round trip after its ids, if it has no reactions and submessages.
 * One sum costs half as much as the size of each message.
 */
const loadIfFitting = async (context: ReadContext, ids: readonly number[]): Promise<WholeMessages | undefined> => {
  if (ids.length <= ALWAYS_FITTING) return loadWhole(context, ids)
  const { sql } = context
  const { realm_id } = readerKey(context)
  const isOneOf = (id: Fragment) => sql`${id} = any(${ids as number[]}::bigint[])`
  const { rows, added } = await loadMessagesWith(context, ids, {
    tables: sql`with page as materialized (
      select
        (
          select coalesce(sum(${textBytes(sql)}), 0) from messages m
          where m.realm_id = ${realm_id} and ${isOneOf(sql`m.id`)}
        ) as text_bytes,
        ${countReactions(sql, realm_id, isOneOf)} as reactions,
        ${sumSubmessages(sql, realm_id, isOneOf)} as submessage_bytes
    )`,
    columns: sql`, (select reactions from page), (select submessage_bytes from page)`,
    which: sql`and (
      select text_bytes + reactions * ${OVERHEAD}::int + submessage_bytes from page
    ) <= ${limits.max_page_bytes}`,
  })
  if (rows.length === 0) return undefined
  const [reactions, submessages] = added as [number, number]
  return loadAttached(context, rows, { reactions, submessages })
}

/** Loads the size of each message, in bytes. */
const loadSizes = async (context: ReadContext, ids: readonly number[]): Promise<Map<number, number>> => {
  const { sql } = context
  const { realm_id } = readerKey(context)
  const isOne = (id: Fragment) => sql`${id} = m.id`
  const rows = await sql<{ id: number; bytes: number }[]>`
    select m.id, (
      ${textBytes(sql)} + ${countReactions(sql, realm_id, isOne)} * ${OVERHEAD}::int + ${sumSubmessages(sql, realm_id, isOne)}
    )::int8 as bytes
    from messages m
    where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])`
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/** Bytes of the texts of `m`. Lengths of stored texts are known without reading them. */
const textBytes = (sql: Sql): Fragment => sql`(
  octet_length(m.content) + octet_length(m.rendered_content) + coalesce(octet_length(m.edit_history::text), 0)
)`

/** The number of reactions to the matching messages. Index: key. */
const countReactions = (sql: Sql, realm_id: number, isOne: (id: Fragment) => Fragment): Fragment => sql`(
  select count(*) from reactions r where r.realm_id = ${realm_id} and ${isOne(sql`r.message_id`)}
)`

/** Bytes of the submessages of the matching messages. Index: key. */
const sumSubmessages = (sql: Sql, realm_id: number, isOne: (id: Fragment) => Fragment): Fragment => sql`(
  select coalesce(sum(octet_length(s.content) + ${OVERHEAD}::int), 0) from submessages s
  where s.realm_id = ${realm_id} and ${isOne(sql`s.message_id`)}
)`

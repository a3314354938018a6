/**
 * Finds the ids of a page around an anchor.
 *
 * A fetch has three steps: the ids (select-page-ids.ts), the messages of these ids (load-page.ts), and the message
 * objects (message-objects.ts).
 */

import { replaceEmptyTopicName, termOperator } from '#rules/narrow.js'
import { sentence } from '../../../domain/languages/texts.js'
import { type Anchor, NEWEST, type PageRange } from '../../../domain/messages/narrow/anchors.js'
import { resolveNarrow, type Term } from '../../../domain/messages/narrow/narrow.js'
import { errors } from '../../../domain/protocol/errors.js'
import { loadAccessCheck } from '../../users/user-access.js'
import type { NarrowQuery, ReadContext } from '../narrow/conditions.js'
import { loadReadableMessages } from '../narrow/load-messages.js'
import { selectPageIds } from '../narrow/select-page-ids.js'

/** The ids of a page, ascending, and whether it reaches the ends of the narrow. */
export interface FoundPage {
  ids: number[]
  found_anchor: boolean
  found_oldest: boolean
  found_newest: boolean
}

/** The messages of a narrow around an anchor (protocol/messages.md 2.1). */
export const findPage = async (query: NarrowQuery, anchor: number, page: PageRange): Promise<FoundPage> => {
  const { num_before, num_after, include_anchor } = page
  const first = include_anchor ? anchor : anchor + 1
  const [before, after] = await Promise.all([
    anchor === 0 ? [] : selectPageIds(query, { below: anchor, limit: num_before }),
    anchor >= NEWEST ? [] : selectPageIds(query, { from: first, limit: num_after + (include_anchor ? 1 : 0) }),
  ])
  const found_anchor = after[0] === anchor
  const later = (found_anchor ? after.slice(1) : after).slice(0, num_after)
  return {
    ids: [...before.reverse(), ...(found_anchor ? [anchor] : []), ...later],
    found_anchor,
    found_oldest: anchor === 0 || before.length < num_before,
    found_newest: anchor >= NEWEST || later.length < num_after,
  }
}

/** Finds the id at which a page is. Returns NEWEST when there is no such message. */
export const findAnchor = (query: NarrowQuery, anchor: Anchor): number | Promise<number> => {
  if (typeof anchor === 'number') return anchor
  return anchor === 'first_unread' ? findFirstUnread(query) : findFirstSince(query, anchor.since)
}

/** Finds the lowest unread message of the narrow that is not muted. Returns NEWEST when there is none. */
export const findFirstUnread = async (query: NarrowQuery): Promise<number> => {
  if (query.reader === undefined) return NEWEST
  const { conditions } = query.narrow
  const inChannel = conditions.some((condition) => condition.test === 'channel' && !condition.negated)
  const narrow = {
    conditions: [
      ...conditions,
      { test: 'unread', negated: false } as const,
      { test: 'muted', inChannel, negated: true } as const,
    ],
    includesHistory: false,
  }
  const [first] = await selectPageIds({ ...query, narrow }, { from: 0, limit: 1 })
  return first ?? NEWEST
}

/** Finds the first message of the narrow that was sent at this time or later. Returns NEWEST when there is none. */
const findFirstSince = async (query: NarrowQuery, seconds: number): Promise<number> => {
  const [first] = await selectPageIds(query, { from: await findIdAtTime(query, seconds), limit: 1 })
  return first ?? NEWEST
}

/**
 * The id from which on messages were sent at this time or later, found by halving the ids of the organization: ids and
 * times ascend together, and no index contains the times. Each step looks up one message. Index: messages' key.
 */
const findIdAtTime = async ({ sql, state }: ReadContext, seconds: number): Promise<number> => {
  const realm_id = state.realm.id
  const [row] = await sql<{ id: number }[]>`
    with recursive halves as (
      select 0::bigint as low, coalesce(
        (select id from messages where realm_id = ${realm_id} order by id desc limit 1), 0
      ) + 1 as high
      union all
      select
        case when m.id is null or m.timestamp >= ${seconds} then h.low else m.id + 1 end,
        case when m.id is null or m.timestamp >= ${seconds} then (h.low + h.high) / 2 else h.high end
      from halves h left join lateral (
        select id, timestamp from messages
        where realm_id = ${realm_id} and id >= (h.low + h.high) / 2 and id < h.high
        order by id limit 1
      ) m on true
      where h.low < h.high
    )
    select max(low) as id from halves`
  return row?.id ?? 0
}

/** Resolves a narrow for a fetch, the only place where `with` is allowed. Throws BAD_NARROW. */
export const resolveFetchNarrow = async (context: ReadContext, terms: readonly Term[]) => {
  const { sql, state, reader } = context
  const isKnown = await loadAccessCheck(sql, state, reader)
  return resolveNarrow(state, reader, await replaceWithOperator(context, replaceEmptyTopicName(terms)), isKnown)
}

const placeOperators = ['channel', 'topic', 'dm']

/** Replaces a `with` by the conversation in which its message is now (protocol/messages.md 1.4). */
const replaceWithOperator = async (context: ReadContext, terms: readonly Term[]): Promise<readonly Term[]> => {
  const [target, another] = terms.filter(({ operator }) => operator === 'with')
  if (target === undefined) return terms
  if (another !== undefined) throw errors.badNarrowCombination({ desc: sentence('with can stand only once') })
  if (target.negated) throw errors.badNarrow({ desc: sentence('with cannot be negated') })
  if (!/^-?\d+$/.test(String(target.operand)))
    throw errors.badNarrow({ desc: sentence('with takes the ID of a message that you can read') })
  const rest = terms.filter((term) => term !== target)
  const id = Number(target.operand)
  const [message] = Number.isSafeInteger(id) ? await loadReadableMessages(context, [id]) : []
  if (message === undefined) {
    const operators = rest.map(termOperator)
    const isPlaced = operators.includes('dm') || (operators.includes('channel') && operators.includes('topic'))
    if (!isPlaced) throw errors.badNarrow({ desc: sentence('with takes the ID of a message that you can read') })
    return rest
  }
  const elsewhere = rest.filter((term) => !placeOperators.includes(termOperator(term)))
  const composeTerm = (operator: string, operand: Term['operand']): Term => ({ operator, operand, negated: false })
  const { channel_id, topic, user_ids } = message
  return channel_id === null
    ? [composeTerm('dm', user_ids ?? []), ...elsewhere]
    : [composeTerm('channel', channel_id), composeTerm('topic', topic), ...elsewhere]
}

/** The parts of the SQL statement that selects a page of a narrow (select-page-ids.ts). */
import type { Condition, Narrow } from '../../../domain/messages/narrow/narrow.js'
import { readableChannels } from '../../../domain/messages/reading.js'
import type { Fragment } from '../../sql.js'
import { type IdWindow, isDirectOrInChannels, matchesAll, type NarrowQuery, readerKey } from './conditions.js'

/** Above every id. */
export const MAX_ID = Number.MAX_SAFE_INTEGER

export interface PageQuery extends NarrowQuery {
  realm_id: number
  user_id: number
  limit: number
  order: Fragment
  /** how an id of the page compares with the one that a table has, where it has one */
  within(table: Fragment): Fragment
  /** the window and the conditions, each beginning with `and` */
  where: Fragment
  /** the window alone, for another column than messages have */
  edge(id: Fragment): Fragment
  /** the channels in one of which every message must be; undefined: any, or none */
  channels: readonly number[] | undefined
  /** the reader may still read `m`, given that they received it */
  isReadable: Fragment
  readable: readonly number[]
}

/** Composes the parts of the statement once, for all plans. @param window the ids among which the page is */
export const buildPageQuery = (query: NarrowQuery, window: IdWindow): PageQuery => {
  const { sql, state, reader, narrow } = query
  const down = 'below' in window
  const edge = (id: Fragment) => (down ? sql`and ${id} < ${window.below}` : sql`and ${id} >= ${window.from}`)
  const readable = reader === undefined ? [] : readableChannels(state, reader)
  return {
    ...query,
    ...readerKey(query),
    limit: window.limit,
    order: down ? sql`desc` : sql`asc`,
    within: (table) => {
      const last = sql`(select id from ${table})`
      return down ? sql`>= coalesce(${last}, 0)` : sql`<= coalesce(${last}, ${MAX_ID})`
    },
    where: sql`${edge(sql`m.id`)} ${matchesAll(query, narrow.conditions)}`,
    edge,
    channels: commonChannels(narrow),
    isReadable: isDirectOrInChannels(query, readable),
    readable,
  }
}

/** The channels that all channel conditions share. */
const commonChannels = ({ conditions }: Narrow): readonly number[] | undefined => {
  let common: readonly number[] | undefined
  for (const condition of conditions) {
    if (condition.test !== 'channel' || condition.negated) continue
    const { channel_ids } = condition
    common = common === undefined ? channel_ids : common.filter((id) => channel_ids.includes(id))
  }
  return common
}

/** Whether the narrow has one of these conditions, not negated. */
export const hasCondition = ({ narrow }: PageQuery, ...tests: Condition['test'][]): boolean =>
  narrow.conditions.some((condition) => !condition.negated && tests.includes(condition.test))

/** Whether the narrow excludes direct messages. */
export const excludesDirect = ({ narrow }: PageQuery): boolean =>
  narrow.conditions.some(({ test, negated }) => test === 'direct' && negated)

/** The readable channels that the conditions allow. A channel without a match would be scanned completely. */
export const allowedChannels = ({ narrow, readable }: PageQuery): number[] => {
  let left: readonly number[] = readable
  const keep = (ids: readonly number[], negated: boolean) => {
    const named = new Set(ids)
    left = left.filter((id) => named.has(id) !== negated)
  }
  for (const condition of narrow.conditions) {
    if (condition.test === 'channel') keep(condition.channel_ids, condition.negated)
  }
  return [...left]
}

/** Statements that each select candidate ids of the page, and the common table expressions that they share. */
export interface SourcePlan {
  tables: readonly Fragment[]
  sources: readonly Fragment[]
}

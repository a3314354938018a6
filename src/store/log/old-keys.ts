/**
 * Deletes the keys of calls that may not be repeated any more (call-key.ts, messages/sending/send-once.ts).
 *
 * 1. The table has no index by time: each send with a key would pay for it. It is walked from its first page to its
 *    last instead, so each row is read once in each walk, 24 times in its life.
 * 2. Each part of the walk is one small transaction, however many keys there are.
 * 3. New rows take the place of deleted ones, so the table is as large as the keys of a day.
 */
import type { Sql } from '../sql.js'

/** For how long a call may be repeated. */
export const KEEP_HOURS = 24
/** The pages of one part (2): a megabyte, about 12,000 keys of sends. */
const PART_PAGES = 128

/**
 * Deletes the keys whose time is over.
 * @param shouldStop is asked before each part
 * @returns how many were deleted
 */
export const deleteOldKeys = async (sql: Sql, shouldStop: () => boolean = () => false): Promise<number> => {
  const [size] = await sql<{ pages: number }[]>`
    select pg_relation_size('idempotency_keys') / current_setting('block_size')::int as pages`
  let count = 0
  for (let page = 0; page < (size?.pages ?? 0) && !shouldStop(); page += PART_PAGES) {
    count += (await deletePart(sql, page, page + PART_PAGES)).count
  }
  return count
}

const deletePart = (sql: Sql, from: number, to: number) => sql`
  delete from idempotency_keys
  where ctid >= ${`(${from},0)`}::text::tid and ctid < ${`(${to},0)`}::text::tid
    and at < now() - make_interval(hours => ${KEEP_HOURS})`

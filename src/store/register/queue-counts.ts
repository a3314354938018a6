/** How many event queues exist, for operators. */
import type { Sql } from '../sql.js'

/** Counts the registered event queues of all organizations. */
export const countQueues = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from event_queues`
  return row?.count ?? 0
}

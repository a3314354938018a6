/** The SQL statements that a function sends to Postgres, and their plans. */
import type { Sql } from '../../../src/store/sql.js'

/** One statement as it was sent. */
export interface Statement {
  text: string
  parameters: unknown[]
}

/** The fields of a query of the driver after it was sent. */
interface SentQuery {
  string?: string
  parameters?: unknown[]
}

/** Wraps a pool and records its statements. Statements inside transactions are not recorded. */
export const recordStatements = (sql: Sql): { sql: Sql; statements(): Statement[] } => {
  const queries: SentQuery[] = []
  const recordingSql = new Proxy(sql, {
    apply(target, self, args) {
      const query = Reflect.apply(target as never, self, args) as SentQuery
      queries.push(query)
      return query
    },
  })
  return {
    sql: recordingSql,
    // Parts of statements are queries that are never sent.
    statements: () =>
      queries.flatMap(({ string, parameters }) =>
        string === undefined ? [] : [{ text: string, parameters: parameters ?? [] }],
      ),
  }
}

/** A node of a plan, as EXPLAIN's JSON has it. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

/** The executed plan for exactly these parameters. */
export const planOf = async (sql: Sql, { text, parameters }: Statement): Promise<PlanNode> => {
  const explain = `explain (analyze, buffers, timing off, format json) ${text}`
  return only(await sql.unsafe<Explained[]>(explain, parameters as never))
}

/** The generic plan, which Postgres may use for a statement that is executed often. */
export const genericPlanOf = async (sql: Sql, { text }: Statement): Promise<PlanNode> =>
  only(await sql.unsafe<Explained[]>(`explain (generic_plan, format json) ${text}`))

interface Explained {
  'QUERY PLAN': { Plan: PlanNode }[]
}

const only = (rows: readonly Explained[]): PlanNode => {
  const [plan] = rows.flatMap((row) => row['QUERY PLAN'])
  if (plan === undefined) throw new Error('no plan')
  return plan.Plan
}

/** The node and all below it. */
export function* nodesOf(plan: PlanNode): Iterable<PlanNode> {
  yield plan
  for (const child of plan.Plans ?? []) yield* nodesOf(child)
}

/** Pages of the buffer pool that the plan touched. */
export const buffersOf = (plan: PlanNode): number =>
  (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)

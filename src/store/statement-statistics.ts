/** What Postgres is busy with, for operators. Statements have placeholders, so they contain no values of users. */
import type { Sql } from './sql.js'

/** A kind of statement, since the statistics were reset. */
export interface StatementStatistics {
  query: string
  calls: number
  /** milliseconds */
  mean: number
  max: number
  total: number
}

/** A statement that runs now. */
export interface RunningStatement {
  pid: number
  query: string
  seconds: number
  waits_for_lock: boolean
}

/** The longest part of a statement that is shown. */
const QUERY_CHARACTERS = 600

/** Loads the statements that took the most time together. Returns undefined if pg_stat_statements is not installed. */
export const loadStatementStatistics = async (sql: Sql, limit: number): Promise<StatementStatistics[] | undefined> => {
  const [{ is_installed } = { is_installed: false }] = await sql<{ is_installed: boolean }[]>`
    select exists (select from pg_extension where extname = 'pg_stat_statements')
      and 'pg_stat_statements' = any(string_to_array(replace(current_setting('shared_preload_libraries'), ' ', ''), ','))
      as is_installed`
  if (!is_installed) return undefined
  return sql<StatementStatistics[]>`
    select left(query, ${QUERY_CHARACTERS}) as query, calls::int8 as calls, mean_exec_time as mean,
      max_exec_time as max, total_exec_time as total
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
    order by total_exec_time desc limit ${limit}`
}

/** Loads the running statements of this database, the longest first. They have run for `secs` seconds or more. */
export const loadRunningStatements = (sql: Sql, secs: number, limit: number): Promise<RunningStatement[]> => sql<
  RunningStatement[]
>`
  select pid, left(query, ${QUERY_CHARACTERS}) as query,
    extract(epoch from now() - query_start)::float8 as seconds,
    wait_event_type is not distinct from 'Lock' as waits_for_lock
  from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and state = 'active'
    and pid <> pg_backend_pid() and query_start < now() - make_interval(secs => ${secs})
  order by query_start limit ${limit}`

/** The metrics of the synchronization with directories. */
import type { Metrics } from '../../monitoring/metrics.js'
import { countRunResults } from '../../store/log-in/directory-runs.js'
import type { Sql } from '../../store/sql.js'

/** Registers them. Every worker shows those of the whole deployment. */
export const addDirectoryMetrics = (metrics: Metrics, sql: Sql): void =>
  metrics.gauges('parley_directory_runs', 'Directories by how their last synchronization ended', 'result', () =>
    countRunResults(sql).catch(() => ({ done: Number.NaN, stopped: Number.NaN, failed: Number.NaN })),
  )

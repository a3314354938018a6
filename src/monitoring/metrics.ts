/** The metrics of a process, for Prometheus. Other modules register their gauges here. */
import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { loadHeads } from '../store/log/log.js'
import type { Realm } from '../store/log/realm.js'
import type { Sql } from '../store/sql.js'

export interface Metrics {
  /** the media type of `text` */
  readonly contentType: string
  /** Registers a metric of prom-client. */
  register(metric: Metric): void
  /** Registers a gauge whose value is read on each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Registers a gauge with one series per value of `label`. */
  gauges(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>
}

/** Opens the metrics of a process, with those of Node: memory, CPU, event loop. */
export const openMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    contentType: registry.contentType,
    register: (metric) => registry.registerMetric(metric),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
    gauges(name, help, label, read) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect() {
          this.reset()
          for (const [value, number] of Object.entries(read())) this.set({ [label]: value }, number)
        },
      })
    },
    text: () => registry.metrics(),
  }
}

/** Registers the gauges of the realms in memory: their number, and the largest lag behind the log. */
export const addRealmGauges = (metrics: Metrics, sql: Sql, loadedRealms: () => Iterable<Realm>): void => {
  metrics.gauge('parley_realms', 'Organizations in memory', () => [...loadedRealms()].length)
  metrics.gauge(
    'parley_log_lag_entries',
    'Committed entries that this process has not applied, in the organization with the most of them',
    async () => {
      const known = new Map([...loadedRealms()].map((realm) => [realm.id, realm.seq]))
      try {
        const heads = await loadHeads(sql, [...known.keys()])
        return Math.max(0, ...[...heads].map(([id, head]) => head - (known.get(id) ?? head)))
      } catch {
        // Postgres does not answer, so the lag is unknown. /health/ready reports it.
        return Number.NaN
      }
    },
  )
}

/**
 * The metrics of this process, for Prometheus at GET /metrics. Other modules register their gauges here.
 *
 * Calls are counted in plain numbers, which are converted to the format of prom-client when Prometheus scrapes them:
 * the library's own counters hash their labels on every increment, which costs more than routing a call.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { loadHeads } from '../../store/log/log.js'
import type { App } from '../http/app.js'
import type { FinishedCall } from '../http/call.js'

/** Upper bounds of the latency histogram, in seconds. */
const BUCKET_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** One time series: the calls of an endpoint over a transport that ended with a status. */
interface Series {
  labels: { endpoint: string; transport: string; status: string }
  buckets: number[]
  sum: number
  count: number
}

export interface Metrics {
  registry: Registry
  observe(call: FinishedCall): void
  /** Registers a gauge whose value is read on each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Registers a gauge with one series per value of `label`. */
  gauges(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>
}

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  const series = new Map<string, Series>()
  registry.registerMetric(createCallMetric(series) as never)
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    observe({ name, request, status, milliseconds }) {
      const key = `${name} ${status} ${request.transport}`
      let one = series.get(key)
      if (one === undefined) {
        const labels = { endpoint: name, transport: request.transport, status: String(status) }
        one = { labels, buckets: new Array(BUCKET_BOUNDS.length + 1).fill(0), sum: 0, count: 0 }
        series.set(key, one)
      }
      const seconds = milliseconds / 1000
      let bucket = 0
      while (bucket < BUCKET_BOUNDS.length && seconds > (BUCKET_BOUNDS[bucket] ?? 0)) bucket++
      one.buckets[bucket] = (one.buckets[bucket] ?? 0) + 1
      one.sum += seconds
      one.count += 1
    },
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
export const addRealmGauges = (metrics: Metrics, { store }: Pick<App, 'store'>): void => {
  const { sql, realms } = store
  metrics.gauge('parley_realms', 'Organizations in memory', () => [...realms.loaded()].length)
  metrics.gauge(
    'parley_log_lag_entries',
    'Committed entries that this process has not applied, in the organization with the most of them',
    async () => {
      const loaded = [...realms.loaded()]
      const known = new Map(loaded.map((realm) => [realm.id, realm.seq]))
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

const METRIC_NAME = 'parley_call_duration_seconds'

/** The part of prom-client's Metric that its Registry uses. */
const createCallMetric = (series: ReadonlyMap<string, Series>) => ({
  name: METRIC_NAME,
  get: async () => ({
    name: METRIC_NAME,
    help: 'Calls answered, by endpoint, transport and HTTP status (0: a stream)',
    type: 'histogram',
    aggregator: 'sum',
    values: [...series.values()].flatMap(({ labels, buckets, sum, count }) => {
      let cumulative = 0
      const counts = buckets.map((n, i) => {
        cumulative += n
        return {
          metricName: `${METRIC_NAME}_bucket`,
          labels: { ...labels, le: BUCKET_BOUNDS[i] ?? '+Inf' },
          value: cumulative,
        }
      })
      return [
        ...counts,
        { metricName: `${METRIC_NAME}_sum`, labels, value: sum },
        { metricName: `${METRIC_NAME}_count`, labels, value: count },
      ]
    }),
  }),
  reset: () => {},
})

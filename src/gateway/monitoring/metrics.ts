/**
 * What this process counts, for Prometheus at GET /metrics. Other parts register their own collectors here.
 *
 * Calls are counted in plain numbers and put into the library's form only when someone asks: its own counters hash
 * their labels on every increment, which costs more than the routing of a call.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { headsOf } from '../../store/log/log.js'
import type { App } from '../http/app.js'
import type { FinishedCall } from '../http/call.js'

/** Upper bounds of the latency histogram, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** One series: an endpoint over a transport with a status. */
interface Series {
  labels: { endpoint: string; transport: string; status: string }
  buckets: number[]
  sum: number
  count: number
}

export interface Metrics {
  registry: Registry
  observe(call: FinishedCall): void
  /** Adds a value that is asked for when someone looks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** The same, one series per value of `label`. */
  gauges(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void
  text(): Promise<string>
}

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  const series = new Map<string, Series>()
  registry.registerMetric(callMetric(series) as never)
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    observe({ name, request, status, milliseconds }) {
      const key = `${name} ${status} ${request.transport}`
      let one = series.get(key)
      if (one === undefined) {
        const labels = { endpoint: name, transport: request.transport, status: String(status) }
        one = { labels, buckets: new Array(BUCKETS.length + 1).fill(0), sum: 0, count: 0 }
        series.set(key, one)
      }
      const seconds = milliseconds / 1000
      let bucket = 0
      while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket++
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

/** How many realms are in memory, and how far the furthest behind of them is. */
export const observeRealms = (metrics: Metrics, { store }: Pick<App, 'store'>): void => {
  const { sql, realms } = store
  metrics.gauge('parley_realms', 'Organizations in memory', () => [...realms.loaded()].length)
  metrics.gauge(
    'parley_log_lag_entries',
    'Committed entries that the furthest behind of them has not applied',
    async () => {
      const loaded = [...realms.loaded()]
      const known = new Map(loaded.map((realm) => [realm.id, realm.seq]))
      try {
        const heads = await headsOf(sql, [...known.keys()])
        return Math.max(0, ...[...heads].map(([id, head]) => head - (known.get(id) ?? head)))
      } catch {
        // Postgres is away, which /health/ready tells; nobody knows the lag.
        return Number.NaN
      }
    },
  )
}

const NAME = 'parley_call_duration_seconds'

/** The part of prom-client's Metric that its Registry uses. */
const callMetric = (series: ReadonlyMap<string, Series>) => ({
  name: NAME,
  get: async () => ({
    name: NAME,
    help: 'Calls answered, by endpoint, transport and HTTP status (0: a stream)',
    type: 'histogram',
    aggregator: 'sum',
    values: [...series.values()].flatMap(({ labels, buckets, sum, count }) => {
      let below = 0
      const counts = buckets.map((n, i) => {
        below += n
        return { metricName: `${NAME}_bucket`, labels: { ...labels, le: BUCKETS[i] ?? '+Inf' }, value: below }
      })
      return [
        ...counts,
        { metricName: `${NAME}_sum`, labels, value: sum },
        { metricName: `${NAME}_count`, labels, value: count },
      ]
    }),
  }),
  reset: () => {},
})

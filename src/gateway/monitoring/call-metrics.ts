/**
 * The metrics of calls: how many, how long, with which status.
 *
 * Calls are counted in plain numbers, which are converted to the format of prom-client when Prometheus scrapes them:
 * the library's own counters hash their labels on every increment, which costs more than routing a call.
 */
import type { Metrics } from '../../monitoring/metrics.js'
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

/** Registers the histogram of calls. @returns the function that counts a call */
export const addCallMetrics = (metrics: Metrics): ((call: FinishedCall) => void) => {
  const series = new Map<string, Series>()
  metrics.register(createCallMetric(series) as never)
  return ({ name, request, status, milliseconds }) => {
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
  }
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

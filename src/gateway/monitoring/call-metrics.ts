/**
 * The metrics of calls: how many, how long, with which status.
 *
 * Calls are counted in plain numbers, which are converted to the format of prom-client when Prometheus scrapes them:
 * the library's own counters hash their labels on every increment, which costs more than routing a call.
 */
import { composeHistogram } from '../../monitoring/histogram.js'
import type { Metrics } from '../../monitoring/metrics.js'
import type { FinishedCall } from '../http/call.js'

/** Upper bounds of the latency histogram, in seconds. */
const BUCKET_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** One time series: the calls of an endpoint over a transport that ended with a status. */
interface Series {
  labels: { endpoint: string; transport: string; status: string }
  buckets: number[]
  sum: number
}

/** Registers the histogram of calls. @returns the function that counts a call */
export const addCallMetrics = (metrics: Metrics): ((call: FinishedCall) => void) => {
  const series = new Map<string, Series>()
  metrics.register(
    composeHistogram(
      'parley_call_duration_seconds',
      'Calls answered, by endpoint, transport and HTTP status (0: a stream)',
      BUCKET_BOUNDS,
      () => series.values(),
    ),
  )
  return ({ name, request, status, milliseconds }) => {
    const key = `${name} ${status} ${request.transport}`
    let one = series.get(key)
    if (one === undefined) {
      const labels = { endpoint: name, transport: request.transport, status: String(status) }
      one = { labels, buckets: new Array(BUCKET_BOUNDS.length + 1).fill(0), sum: 0 }
      series.set(key, one)
    }
    const seconds = milliseconds / 1000
    let bucket = 0
    while (bucket < BUCKET_BOUNDS.length && seconds > (BUCKET_BOUNDS[bucket] ?? 0)) bucket++
    one.buckets[bucket] = (one.buckets[bucket] ?? 0) + 1
    one.sum += seconds
  }
}

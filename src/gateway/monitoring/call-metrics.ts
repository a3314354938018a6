/**
 * The metrics of calls: how many, how long, with which status.
 *
 * Calls are counted in plain numbers, which are converted to the format of prom-client when Prometheus scrapes them:
 * the library's own counters hash their labels on every increment, which costs more than routing a call.
 */
import type { SlowCalls } from '../../monitoring/console/report.js'
import { findQuantile } from '../../monitoring/console/samples.js'
import { composeHistogram } from '../../monitoring/histogram.js'
import type { Metrics } from '../../monitoring/metrics.js'
import { Histogram } from '../../store/histogram.js'
import type { FinishedCall } from '../call/running-call.js'

/** Upper bounds of the latency histogram, in seconds. */
const BUCKET_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The calls of an endpoint over a transport that ended with a status. */
interface Series {
  status: number
  transport: string
  labels: { endpoint: string; transport: string; status: string }
  seconds: Histogram
}

/** The calls of one endpoint since the process started. */
export interface EndpointCalls {
  endpoint: string
  seconds: Histogram
}

/** Counts the calls of a gateway. */
export interface CallCounter {
  count(call: FinishedCall): void
  /** The calls of each endpoint, with every transport and status; without streams. */
  byEndpoint(): EndpointCalls[]
}

/** Registers the metrics of calls. */
export const addCallMetrics = (metrics: Metrics): CallCounter => {
  /** by the name of the endpoint. Few per name, so they are searched: a key of all labels would be built per call. */
  const series = new Map<string, Series[]>()
  const findSeries = (endpoint: string, transport: string, status: number): Series => {
    let ofEndpoint = series.get(endpoint)
    if (ofEndpoint === undefined) {
      ofEndpoint = []
      series.set(endpoint, ofEndpoint)
    }
    for (const one of ofEndpoint) if (one.status === status && one.transport === transport) return one
    const labels = { endpoint, transport, status: String(status) }
    const added = { status, transport, labels, seconds: new Histogram(BUCKET_BOUNDS) }
    ofEndpoint.push(added)
    return added
  }
  const results = { answered: 0, refused: 0, failed: 0 }
  metrics.register(
    composeHistogram(
      'parley_call_duration_seconds',
      'Calls answered, by endpoint, transport and HTTP status (0: a stream)',
      BUCKET_BOUNDS,
      () =>
        [...series.values()]
          .flat()
          .map(({ labels, seconds: { buckets, sum } }) => ({ labels: { ...labels }, buckets, sum })),
    ),
  )
  metrics.counter(
    'parley_calls_total',
    'Calls, by result: answered, refused (an error of the caller), failed (an error of the server)',
    () => ({ ...results }),
    'result',
  )
  return {
    count({ name, request, status, milliseconds }) {
      findSeries(name, request.transport, status).seconds.add(milliseconds / 1000)
      if (status < 400) results.answered += 1
      else if (status < 500) results.refused += 1
      else results.failed += 1
    },
    byEndpoint() {
      const found = new Map<string, Histogram>()
      for (const { labels, seconds } of [...series.values()].flat()) {
        if (labels.status === '0') continue
        const total = found.get(labels.endpoint) ?? new Histogram(BUCKET_BOUNDS)
        found.set(labels.endpoint, total)
        total.sum += seconds.sum
        for (const [i, count] of seconds.buckets.entries()) total.buckets[i] = (total.buckets[i] ?? 0) + count
      }
      return [...found].map(([endpoint, seconds]) => ({ endpoint, seconds }))
    },
  }
}

/** The endpoints of the report: those on which most time was spent. */
const SHOWN_ENDPOINTS = 15

/** The endpoints on which this gateway spent most time. */
export const listSlowCalls = ({ byEndpoint }: CallCounter): SlowCalls[] =>
  byEndpoint()
    .sort((a, b) => b.seconds.sum - a.seconds.sum)
    .slice(0, SHOWN_ENDPOINTS)
    .map(({ endpoint, seconds: { buckets, bounds, sum } }) => {
      let count = 0
      const cumulative = buckets.map((values, i) => {
        count += values
        return { bound: bounds[i] ?? Number.POSITIVE_INFINITY, count }
      })
      return { endpoint, count, mean: (sum / count) * 1000, p99: findQuantile(cumulative, 0.99) ?? 0, total: sum }
    })

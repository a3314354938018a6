/**
 * Samples of a process: the values of its metrics at intervals, for the plots of the console. Each value comes from a
 * metric that Prometheus reads too, so both always show the same.
 */
import { type ELDHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Metrics, MetricValue } from '../metrics.js'
import type { Sample, SampleKey } from './report.js'

/** Reads the value of a sample. `now` and `before`: the values of the metric. `seconds`: the time between them. */
type Read = (now: readonly MetricValue[], before: readonly MetricValue[], seconds: number) => number | null

const total = (values: readonly MetricValue[], suffix = ''): number =>
  values.reduce(
    (sum, { metricName, value }) => (suffix === '' || metricName?.endsWith(suffix) === true ? sum + value : sum),
    0,
  )

const gauge: Read = (now) => finite(total(now))
const largest: Read = (now) => finite(Math.max(0, ...now.map(({ value }) => value)))
const labelled =
  (label: string, value: string): Read =>
  (now) =>
    finite(total(now.filter(({ labels }) => labels[label] === value)))
const rate =
  (suffix = ''): Read =>
  (now, before, seconds) =>
    before.length === 0 ? null : Math.max(0, (total(now, suffix) - total(before, suffix)) / seconds)
const labelledRate =
  (label: string, value: string): Read =>
  (now, before, seconds) => {
    const of = (values: readonly MetricValue[]) => values.filter(({ labels }) => labels[label] === value)
    return rate()(of(now), of(before), seconds)
  }
/** The mean of a histogram's values since the sample before; null: it got none. */
const mean: Read = (now, before) => {
  const count = total(now, '_count') - total(before, '_count')
  return count > 0 ? (total(now, '_sum') - total(before, '_sum')) / count : null
}
/** A quantile of a histogram's values since the sample before, as milliseconds: the bound of its bucket. */
const quantile =
  (share: number): Read =>
  (now, before) => {
    const previous = new Map(before.filter(isBucket).map(({ labels, value }) => [String(labels.le), value]))
    const buckets = now.filter(isBucket).map(({ labels, value }) => {
      return { bound: Number(labels.le), count: value - (previous.get(String(labels.le)) ?? 0) }
    })
    return findQuantile(buckets, share)
  }
const isBucket = ({ metricName }: MetricValue) => metricName?.endsWith('_bucket') === true

/**
 * Computes a quantile of cumulative buckets, in milliseconds. It interpolates inside of the bucket of the quantile, as
 * Prometheus does.
 * @returns null when there are no values
 */
export const findQuantile = (buckets: readonly { bound: number; count: number }[], share: number): number | null => {
  const all = buckets.at(-1)?.count ?? 0
  if (all <= 0) return null
  const rank = share * all
  let [lowerBound, lowerCount] = [0, 0]
  for (const { bound, count } of buckets) {
    if (count >= rank) {
      // The last bucket has no upper bound.
      if (!Number.isFinite(bound)) return lowerBound * 1000
      const part = count === lowerCount ? 1 : (rank - lowerCount) / (count - lowerCount)
      return (lowerBound + (bound - lowerBound) * part) * 1000
    }
    ;[lowerBound, lowerCount] = [bound, count]
  }
  return lowerBound * 1000
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** The metric of each value, and how it is read. A process without the metric has no such value. */
export const sampledMetrics: Readonly<Partial<Record<SampleKey, readonly [name: string, read: Read]>>> = {
  lag: ['parley_log_lag_entries', gauge],
  postgresWait: ['parley_postgres_wait_seconds', (now) => finite(total(now) * 1000)],
  sockets: ['parley_connections', labelled('transport', 'sockets')],
  streams: ['parley_connections', labelled('transport', 'streams')],
  polls: ['parley_connections', labelled('transport', 'polls')],
  calls: ['parley_calls_total', rate()],
  failedCalls: ['parley_calls_total', labelledRate('result', 'failed')],
  sends: ['parley_send_batch_messages', rate('_sum')],
  batch: ['parley_send_batch_messages', mean],
  events: ['parley_delivered_events_total', rate()],
  deliveryP50: ['parley_delivery_duration_seconds', quantile(0.5)],
  deliveryP99: ['parley_delivery_duration_seconds', quantile(0.99)],
  barrierP50: ['parley_barrier_duration_seconds', quantile(0.5)],
  barrierP99: ['parley_barrier_duration_seconds', quantile(0.99)],
  retries: ['parley_guard_retries_total', rate()],
  slowClients: ['parley_slow_clients_closed_total', rate()],
  jobsDone: ['parley_job_duration_seconds', rate('_count')],
  jobFailures: ['parley_job_failures_total', rate()],
  jobsDue: ['parley_jobs_due', gauge],
  jobsWait: ['parley_jobs_longest_wait_seconds', largest],
}

/** Milliseconds between two samples of the delay of the event loop. */
const LOOP_RESOLUTION_MS = 20

export interface Sampler {
  /** Takes a sample: rates are those since the sample before. */
  take(): Promise<Sample>
  close(): void
}

/** Opens the sampler of a process. */
export const openSampler = (metrics: Pick<Metrics, 'read'>): Sampler => {
  const names = [...new Set(Object.values(sampledMetrics).map(([name]) => name))]
  const delay: ELDHistogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  delay.enable()
  let before = new Map<string, readonly MetricValue[]>()
  let lastAt = performance.now()
  let lastUse = performance.eventLoopUtilization()
  let lastCpu = process.cpuUsage()

  return {
    async take() {
      const now = new Map(
        await Promise.all(names.map(async (name) => [name, (await metrics.read(name)) ?? []] as const)),
      )
      const at = performance.now()
      const seconds = Math.max(0.001, (at - lastAt) / 1000)
      const use = performance.eventLoopUtilization()
      const cpu = process.cpuUsage(lastCpu)
      const { rss, heapUsed } = process.memoryUsage()
      const sample: Sample = {
        at: Date.now(),
        cpu: (cpu.user + cpu.system) / 1e6 / seconds,
        loop: performance.eventLoopUtilization(use, lastUse).utilization,
        loopDelay: Math.max(0, finite(delay.percentile(99) / 1e6 - LOOP_RESOLUTION_MS) ?? 0),
        memory: rss,
        heap: heapUsed,
      }
      for (const [key, [name, read]] of Object.entries(sampledMetrics)) {
        const values = now.get(name) ?? []
        if (values.length > 0) sample[key as SampleKey] = round(read(values, before.get(name) ?? [], seconds))
      }
      delay.reset()
      before = now
      lastAt = at
      lastUse = use
      lastCpu = process.cpuUsage()
      return sample
    },
    close: () => delay.disable(),
  }
}

/** Three decimals: a sample is stored as text, hundreds of times. */
const round = (value: number | null): number | null => (value === null ? null : Math.round(value * 1000) / 1000)

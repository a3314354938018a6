/** The metrics of a process, for Prometheus. Other modules register their gauges here. */
import { readdir, stat } from 'node:fs/promises'
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { type DiskSpace, readPostgresSpace } from '../store/disk-space.js'
import { countQueues, fairQueues } from '../store/fairness/fair-queues.js'
import type { FileStorage } from '../store/files/file-storage.js'
import type { Histogram } from '../store/histogram.js'
import type { LogCounts } from '../store/log/counts.js'
import { loadHeads } from '../store/log/log.js'
import type { Realm } from '../store/log/realm.js'
import type { Sql } from '../store/sql.js'
import type { StandbyReads } from '../store/standbys/standby-reads.js'
import type { Health } from './health.js'
import { composeHistogram } from './histogram.js'

/** Numbers by the value of a label. */
type Values = Readonly<Record<string, number>>

/** One value of a metric. The values of a histogram have names that end in `_bucket`, `_sum` and `_count`. */
export interface MetricValue {
  labels: Readonly<Record<string, string | number>>
  value: number
  metricName?: string
}

export interface Metrics {
  /** the media type of `text` */
  readonly contentType: string
  /** Registers a metric of prom-client. */
  register(metric: Metric): void
  /** Registers a gauge whose value is read on each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Registers a gauge with one series per value of `label`. */
  gauges(name: string, help: string, label: string, read: () => Values | Promise<Values>): void
  /**
   * Registers a counter whose values are read on each scrape.
   * @param read the values by the value of `label`; without a label, the only value has the key ''
   */
  counter(name: string, help: string, read: () => Readonly<Record<string, number>>, label?: string): void
  /** Registers a histogram of values that the program counts by itself. */
  histogram(name: string, help: string, values: Histogram): void
  /** Reads the values of one metric; undefined: this process has no such metric. */
  read(name: string): Promise<readonly MetricValue[] | undefined>
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>
}

/** Opens the metrics of a process, with those of Node: memory, CPU, event loop. */
export const openMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addOpenFiles(registry)
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
        async collect() {
          const values = await read()
          this.reset()
          for (const [value, number] of Object.entries(values)) this.set({ [label]: value }, number)
        },
      })
    },
    counter(name, help, read, label) {
      new Counter({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [registry],
        collect() {
          this.reset()
          for (const [value, number] of Object.entries(read()))
            if (label === undefined) this.inc(number)
            else this.inc({ [label]: value }, number)
        },
      })
    },
    histogram(name, help, values) {
      const read = () => [{ labels: {}, buckets: values.buckets, sum: values.sum }]
      registry.registerMetric(composeHistogram(name, help, values.bounds, read))
    },
    async read(name) {
      const found = await registry.getSingleMetric(name)?.get()
      return found?.values as readonly MetricValue[] | undefined
    },
    text: () => registry.metrics(),
  }
}

const OPEN_FILES = 'process_open_fds'

/** prom-client lists the open files without yielding: 11 ms of a gateway with 12,500 connections, at each scrape. */
const addOpenFiles = (registry: Registry): void => {
  if (registry.getSingleMetric(OPEN_FILES) === undefined) return
  registry.removeSingleMetric(OPEN_FILES)
  new Gauge({
    name: OPEN_FILES,
    help: 'Number of open file descriptors.',
    registers: [registry],
    async collect() {
      // Without /proc the value stays away, and the other metrics are answered.
      const count = await countOpenFiles().catch(() => undefined)
      if (count !== undefined) this.set(count)
    },
  })
}

/** Linux 6.2 and newer tell the number as the size of the folder. */
const countOpenFiles = async (): Promise<number> =>
  (await stat('/proc/self/fd')).size || (await readdir('/proc/self/fd')).length

/** Registers the gauges of the realms in memory. These are their number, what is held for them, and the largest lag. */
export const addRealmGauges = (metrics: Metrics, sql: Sql, loadedRealms: () => Iterable<Realm>): void => {
  metrics.gauge('parley_realms', 'Organizations in memory', () => [...loadedRealms()].length)
  metrics.gauges(
    'parley_realm_owned_values',
    'What organizations in memory hold beside their rows, by kind',
    'kind',
    () => {
      const totals = new Map<string, number>()
      for (const realm of loadedRealms()) realm.countOwned(totals)
      return Object.fromEntries(totals)
    },
  )
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

/**
 * Registers the metrics of the log. These are sizes of batches, waits for the barrier, and guards that were too old.
 */
export const addLogMetrics = (metrics: Metrics, counts: LogCounts): void => {
  metrics.histogram('parley_send_batch_messages', 'Messages per commit of the send combiner', counts.batches)
  metrics.histogram('parley_barrier_duration_seconds', 'How long a read waited for the barrier', counts.barriers)
  metrics.counter(
    'parley_guard_retries_total',
    'Writes that ran again because the structure of the organization changed after they were permitted',
    () => ({ '': counts.guardRetries }),
  )
}

/** Registers the gauges of the disks for uploaded files and of Postgres. Only disks of this machine have values. */
export const addDiskGauges = (metrics: Metrics, sql: Sql, files: Pick<FileStorage, 'readSpace'>): void => {
  const read = async (value: keyof DiskSpace) => {
    const [uploads, postgres] = await Promise.all([files.readSpace(), readPostgresSpace(sql)])
    const spaces = Object.entries({ uploads, postgres })
    return Object.fromEntries(spaces.flatMap(([name, space]) => (space === undefined ? [] : [[name, space[value]]])))
  }
  metrics.gauges('parley_disk_free_bytes', 'What can still be written to a disk', 'disk', () => read('free'))
  metrics.gauges('parley_disk_size_bytes', 'The size of a disk', 'disk', () => read('size'))
}

/** Registers the counter of the reads that standbys can run. */
export const addStandbyMetrics = (metrics: Metrics, standbys: Pick<StandbyReads, 'counts'>): void =>
  metrics.counter(
    'parley_standby_reads_total',
    'Reads that a standby ran, and those that the primary ran because the standby was behind, away, or failed',
    () => standbys.counts,
    'result',
  )

/** Registers the gauges of the fair queues that this process has opened. */
export const addQueueGauges = (metrics: Metrics): void => {
  // Queues that share a gauge also share its help.
  const rows = new Map(Object.values(fairQueues).map((row) => [row.gauge, row]))
  for (const [gauge, { work, running = 'running' }] of rows) {
    if (countQueues(gauge) === undefined) continue
    metrics.gauges(gauge, `Work that has a slot, or waits for one: ${work}`, 'state', () => {
      const counts = countQueues(gauge)
      return { [running]: counts?.running ?? 0, waiting: counts?.waiting ?? 0 }
    })
  }
}

/**
 * Registers the gauges of the pool of connections to Postgres.
 * @param connections the size of the pool that the health's queries use
 */
export const addPoolGauges = (metrics: Metrics, health: Pick<Health, 'check'>, connections: number): void => {
  metrics.gauge('parley_postgres_connections', 'The most connections of the pool', () => connections)
  metrics.gauge(
    'parley_postgres_wait_seconds',
    'How long a small query took, with its wait for a connection: it grows when the pool is too small',
    async () => {
      const { answers, milliseconds } = (await health.check()).postgres
      return answers ? milliseconds / 1000 : Number.NaN
    },
  )
}

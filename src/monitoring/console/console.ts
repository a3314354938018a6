/**
 * The console of operators: one page on the operations listener of every process, which shows all processes.
 *
 * 1. Each process writes a report and a sample of its metrics to Redis every SAMPLE_MS, and keeps its own samples. So
 *    the page has a history when it is opened, and shows its own process while Redis is away.
 * 2. While Redis is away, the other processes are shown as they were last read.
 * 3. The page can change one thing: it makes failed jobs due.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { Config } from '../../config/config.js'
import { retryFailedJobs } from '../../store/jobs/failed-jobs.js'
import type { Jobs } from '../../store/jobs/job-queue.js'
import type { Bus } from '../../store/log/bus.js'
import type { Realm } from '../../store/log/realm.js'
import { openProcessReports, SAMPLES_KEPT } from '../../store/processes/process-reports.js'
import type { Scope } from '../../store/redis-scope.js'
import type { Sql } from '../../store/sql.js'
import { findForeignAction } from '../foreign-requests.js'
import type { Health } from '../health.js'
import type { Metrics } from '../metrics.js'
import { type OperationsPage, type OperationsRequest, plainText } from '../operations-server.js'
import { readVersion } from '../release.js'
import { openFacts } from './facts.js'
import { readPageFiles } from './page-files.js'
import { findProblems, JUDGED_SAMPLES } from './problems.js'
import { addRealmLoadMetrics, type CountConnections, openRealmLoad } from './realm-load.js'
import type { ConsoleState, ProcessReport, Sample, ShownProcess, SlowCalls } from './report.js'
import { openSampler } from './samples.js'

/** Milliseconds between two samples. */
const SAMPLE_MS = 2_000
/** The newest samples that a page gets that has the others. */
const NEW_SAMPLES = JUDGED_SAMPLES
/** Jobs that one request can retry. */
const MAX_RETRIED = 100
/** A larger number is the size of the machine's address space: there is no limit. */
const LARGEST_LIMIT = 2 ** 50

/** The parts of a process that the console shows. */
export interface ConsoleOptions {
  kind: ProcessReport['kind']
  /** the names of the process in Redis */
  scope: Scope
  config: Pick<Config, 'REDIS_URL' | 'OPERATIONS_HOST'>
  sql: Sql
  metrics: Metrics
  health: Health
  bus: Pick<Bus, 'findProblem'>
  jobs: Pick<Jobs, 'enqueue'>
  loadedRealms: () => Iterable<Realm>
  countConnections: CountConnections
  listSlowCalls: () => SlowCalls[]
}

export interface Console {
  /** Answers a request for a page of the console; undefined: it is for none. */
  answer(request: OperationsRequest): Promise<OperationsPage | undefined>
  /** Starts to report. @param port of the operations listener */
  start(port: number): void
  /** Removes the report of this process. */
  close(): Promise<void>
}

/** Opens the console of a process, and registers the metrics that it adds. */
export const openConsole = (options: ConsoleOptions): Console => {
  const { kind, config, sql, metrics, health, bus, jobs, loadedRealms, countConnections } = options
  const id = randomUUID()
  const reports = openProcessReports(config.REDIS_URL, options.scope, id)
  const sampler = openSampler(metrics)
  const readFacts = openFacts(sql)
  const readLoad = openRealmLoad(loadedRealms, countConnections)
  const version = readVersion()
  metrics.gauges('parley_build_info', 'The release that this process runs', 'version', () => ({ [version]: 1 }))
  addRealmLoadMetrics(metrics, loadedRealms, countConnections)
  const started_at = Date.now()
  const memory_limit = findMemoryLimit()
  let address = ''
  let files: ReadonlyMap<string, OperationsPage> | undefined
  let timer: NodeJS.Timeout | undefined
  let own: { report: ProcessReport; samples: Sample[]; at: number } | undefined
  /** the other processes as they were last read (2) */
  let known: { processes: ShownProcess[]; at: number } = { processes: [], at: 0 }

  const composeReport = async (): Promise<ProcessReport> => {
    const { postgres, warnings, isDraining } = await health.check()
    const redis = bus.findProblem()
    return {
      kind,
      version,
      host: hostname(),
      pid: process.pid,
      address,
      started_at,
      is_draining: isDraining,
      memory_limit,
      heap_limit: getHeapStatistics().heap_size_limit,
      outages: {
        ...(postgres.problem === undefined ? {} : { postgres: postgres.problem }),
        ...(redis === undefined ? {} : { redis }),
      },
      warnings,
      realms: readLoad(),
      calls: options.listSlowCalls(),
    }
  }

  let isSampling = false
  const sample = async () => {
    if (isSampling) return
    isSampling = true
    try {
      const [taken, report] = await Promise.all([sampler.take(), composeReport()])
      own = { report, samples: [...(own?.samples ?? []), taken].slice(-SAMPLES_KEPT), at: performance.now() }
      await reports.write(JSON.stringify(report), JSON.stringify(taken))
    } finally {
      isSampling = false
    }
  }

  const showOwn = (count: number): ShownProcess[] =>
    own === undefined
      ? []
      : [{ id, report: own.report, samples: own.samples.slice(-count), age: performance.now() - own.at }]

  const readOthers = async (count: number): Promise<{ others: ShownProcess[]; isAway: boolean }> => {
    const stored = await reports.read(count)
    const now = performance.now()
    if (stored === undefined) {
      const passed = now - known.at
      return { others: known.processes.map((one) => ({ ...one, age: one.age + passed })), isAway: true }
    }
    const others = stored
      .filter((one) => one.id !== id)
      .map(({ id: other, report, samples, age }) => ({
        id: other,
        report: JSON.parse(report) as ProcessReport,
        samples: samples.map((text) => JSON.parse(text) as Sample).reverse(),
        age,
      }))
    known = { processes: others, at: now }
    return { others, isAway: false }
  }

  const composeState = async (history: boolean): Promise<ConsoleState> => {
    const count = history ? SAMPLES_KEPT : NEW_SAMPLES
    const [{ others, isAway }, facts] = await Promise.all([readOthers(count), readFacts()])
    const processes = [...showOwn(count), ...others].sort(compareProcesses)
    const judged = processes.map((one) => ({ ...one, samples: one.id === id ? (own?.samples ?? []) : one.samples }))
    return {
      own_id: id,
      at: Date.now(),
      processes,
      facts,
      problems: findProblems({ processes: judged, facts }, isAway),
    }
  }

  const retry = async (body: string): Promise<OperationsPage> => {
    const ids = parseIds(body)
    if (ids === undefined) return plainText(400, `The body must be {"ids": […]}, with at most ${MAX_RETRIED} numbers.`)
    const retried = await retryFailedJobs(sql, ids)
    jobs.enqueue(retried)
    return json({ retried: retried.map((job) => job.id) })
  }

  return {
    async answer({ method, path, query, headers, readBody }) {
      files ??= readPageFiles()
      const file = files.get(path)
      const isAction = path === '/console/retry'
      if (file === undefined && path !== '/console/state' && !isAction) {
        return path === '/' ? plainText(503, 'The console was not built. Run npm run build.') : undefined
      }
      if (isAction) {
        if (method !== 'POST') return { ...plainText(405, 'Use POST.'), headers: { Allow: 'POST' } }
        const refusal = findForeignAction(headers)
        if (refusal !== undefined) return plainText(403, refusal)
        const body = await readBody()
        return body === undefined ? plainText(413, 'The body is too long.') : retry(body)
      }
      if (method !== 'GET' && method !== 'HEAD')
        return { ...plainText(405, 'Use GET.'), headers: { Allow: 'GET, HEAD' } }
      return file ?? json(await composeState(query.get('history') === 'all'))
    },
    start(port) {
      address = `${config.OPERATIONS_HOST.includes(':') ? `[${config.OPERATIONS_HOST}]` : config.OPERATIONS_HOST}:${port}`
      const run = () => void sample().catch(() => {})
      timer = setInterval(run, SAMPLE_MS)
      run()
    },
    async close() {
      clearInterval(timer)
      sampler.close()
      await reports.close()
    },
  }
}

const json = (value: unknown): OperationsPage => ({
  status: 200,
  type: 'application/json',
  text: JSON.stringify(value),
})

/** Gateways first, the oldest first: a process keeps its place and its colour. */
const compareProcesses = (a: ShownProcess, b: ShownProcess) =>
  a.report.kind.localeCompare(b.report.kind) || a.report.started_at - b.report.started_at || a.id.localeCompare(b.id)

const findMemoryLimit = (): number | null => {
  const limit = process.constrainedMemory()
  return limit === undefined || limit === 0 || limit > LARGEST_LIMIT ? null : limit
}

/** The ids of jobs in the body of a request; undefined: it has another form. */
const parseIds = (body: string): number[] | undefined => {
  try {
    const { ids } = JSON.parse(body) as { ids?: unknown }
    const areIds = Array.isArray(ids) && ids.length <= MAX_RETRIED && ids.every((one) => Number.isSafeInteger(one))
    return areIds ? ids : undefined
  } catch {
    return undefined
  }
}

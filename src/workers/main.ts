/**
 * The worker process: start and shutdown, top to bottom.
 *
 * BullMQ delivers jobs as soon as they are committed; the sweeper finds those that it did not
 * (decisions/010-jobs-are-rows.md). Each class of jobs has its queue and its slots (store/jobs/job-classes.ts).
 * Shutdown runs in this order: take no more jobs, wait for running jobs, close Redis, close Postgres.
 */
import { Worker } from 'bullmq'
import { type Config, findConfigWarnings } from '../config/config.js'
import { readDeployment } from '../config/deployment.js'
import { realmUrl } from '../config/hosts.js'
import { openLog } from '../config/log.js'
import { entryKinds } from '../domain/entry-kinds.js'
import { openConsole } from '../monitoring/console/console.js'
import { openHealth } from '../monitoring/health.js'
import {
  addDiskGauges,
  addLogMetrics,
  addPoolGauges,
  addQueueGauges,
  addRealmGauges,
  addStandbyMetrics,
  openMetrics,
} from '../monitoring/metrics.js'
import { openOperationsServer } from '../monitoring/operations-server.js'
import { watchOutages } from '../monitoring/outages.js'
import { findWarnings } from '../monitoring/warnings.js'
import { commitHooks } from '../store/cell/commit-hooks.js'
import { requireUsableDatabases } from '../store/connection-check.js'
import { joinDeployment } from '../store/deployment/membership.js'
import { openImageDecoder } from '../store/files/image-decoder.js'
import { openFileStorage } from '../store/files/open-file-storage.js'
import { type JobClassName, jobClasses, jobClassNames, jobClassOf } from '../store/jobs/job-classes.js'
import { type JobTicket, openJobs, queueName, queuePrefix } from '../store/jobs/job-queue.js'
import { loadDueJobs } from '../store/jobs/job-table.js'
import { openBus } from '../store/log/bus.js'
import { openRealms } from '../store/log/realms.js'
import { closeServices } from '../store/processes/close-services.js'
import { openBlockingRedis } from '../store/redis.js'
import { openSql } from '../store/sql.js'
import { openStandbyReads } from '../store/standbys/standby-reads.js'
import { JobCounts } from './jobs/job-counts.js'
import { addJobMetrics } from './jobs/job-metrics.js'
import { openMail } from './jobs/mail.js'
import { openGet, openPictureGet, openPost } from './jobs/outgoing-http.js'
import { openSlots } from './jobs/slots.js'
import { openRunner } from './run.js'
import { type Schedule, startSchedule } from './schedule.js'

/** Realms whose structure can change at the same time. */
const STRUCTURE_LOCK_CONNECTIONS = 2
/** Connections to Postgres. A job holds at most one, and none while it waits for another server. */
const CONNECTIONS = 16
/** Connections to each standby: for exports, of which few run at a time. */
const STANDBY_CONNECTIONS = 2
/** Another worker may take a ticket this many milliseconds after its worker died; the sweeper may be faster. */
const LOCK_MS = 10_000
const RETRY_MS = 500
/** Jobs still running after this many milliseconds are aborted: their transactions roll back, and they run again. */
const DRAIN_MS = 15_000

/** Works until SIGTERM or SIGINT, then drains and ends the process. */
export const startWorker = async (config: Config): Promise<void> => {
  const log = openLog(config, 'worker')
  await requireUsableDatabases(config, (problem) => {
    log.fatal({ problem }, 'the database must not be used')
    process.exit(1)
  })
  const sql = openSql(config.DATABASE_URL, CONNECTIONS)
  const standbys = openStandbyReads(sql, config.DATABASE_READ_URL, STANDBY_CONNECTIONS)
  const structureLockSql = openSql(config.DATABASE_URL, STRUCTURE_LOCK_CONNECTIONS)
  const files = await openFileStorage(config)
  const membership = await joinDeployment(config, sql, files, (problem) => {
    log.fatal({ problem }, 'the services belong to another deployment')
    process.exit(1)
  })
  const { scope } = membership
  const bus = openBus(config.REDIS_URL, scope, (message) => realms.receive(message))
  const realms = openRealms(sql, bus, {
    kinds: entryKinds,
    deployment: readDeployment(config),
    anti_entropy_ms: config.ANTI_ENTROPY_MS,
    structureLockSql,
    onLoad: () => {},
    onQueueDeleted: () => {},
  })
  const jobs = openJobs(config.REDIS_URL, scope)
  const dependencies = {
    writing: { sql, bus, commitHooks, enqueueJobs: jobs.enqueue },
    realms,
    standbys,
    log,
    counts: new JobCounts(),
    sendMail: openMail(config, log),
    realmUrl: (string_id: string) => realmUrl(string_id, config),
    post: openPost(config.WEBHOOK_NETWORKS),
    get: openGet(config.PREVIEW_NETWORKS),
    getPicture: openPictureGet(config.PREVIEW_NETWORKS),
    files,
    images: openImageDecoder((error) => log.error({ err: error }, 'decoding an image failed')),
  }
  const run = openRunner(dependencies)
  const slots = mapClasses((name) => {
    const { kinds, ...limits } = jobClasses[name]
    const findDue = (realm_id: number, limit: number) => loadDueJobs(sql, realm_id, kinds, limit)
    return openSlots({ ...limits, run, findDue })
  })

  const connection = openBlockingRedis(config.REDIS_URL)
  const consume = (begin: string, name: JobClassName) => {
    const queue = queueName(name)
    const worker = new Worker<JobTicket>(queue, ({ data }) => slots[name].start(data), {
      // Each worker opens one more connection like this, for its blocking reads.
      connection,
      prefix: queuePrefix(config.REDIS_URL, begin, queue),
      skipVersionCheck: true,
      concurrency: jobClasses[name].slots,
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS / 2,
      // If the signal of a new job is lost, the worker looks again after this many seconds (by default 5).
      drainDelay: 1,
      // After a lost connection, the worker looks again after this many milliseconds (by default 15 seconds).
      runRetryDelay: RETRY_MS,
    })
    // At debug level, because every failed attempt to reconnect to Redis is an error here.
    worker.on('error', (error) => log.debug({ err: error }, 'a queue of jobs is away'))
    return worker
  }
  const retention = {
    log_retention_days: config.LOG_RETENTION_DAYS,
    audit_log_days: config.AUDIT_LOG_DAYS,
    unclaimed_uploads_days: config.UNCLAIMED_UPLOADS_DAYS,
  }
  // In production without SMTP_URL, mails would only fill the outbox folder.
  const isMailed = config.SMTP_URL !== undefined || config.NODE_ENV !== 'production'
  const mails_missed = config.MISSED_MESSAGE_MAILS === 'on' && isMailed
  const queues: Worker<JobTicket>[] = []
  let schedule: Schedule | undefined
  let isDraining = false
  // In a copy nothing runs: neither jobs nor the schedule.
  membership.onKnown((isCopy) => {
    if (isCopy || isDraining) return
    scope.onKnown((begin) => queues.push(...jobClassNames.map((name) => consume(begin, name))))
    schedule = startSchedule({ ...dependencies, ...retention, mails_missed }, (realm_id, kind) =>
      slots[jobClassOf(kind)]?.wake(realm_id),
    )
  })
  const metrics = openMetrics()
  addRealmGauges(metrics, sql, () => realms.loaded())
  addLogMetrics(metrics, realms.counts)
  addStandbyMetrics(metrics, standbys)
  addJobMetrics(metrics, sql, dependencies.counts)
  addQueueGauges(metrics)
  const health = openHealth(
    sql,
    findWarnings(config, sql, files, bus, standbys, membership, findConfigWarnings(config)),
    bus.findProblem,
  )
  addDiskGauges(metrics, sql, files)
  addPoolGauges(metrics, health, CONNECTIONS)
  const stopWatching = watchOutages(log, metrics, health, bus)
  const operatorConsole = openConsole({
    kind: 'worker',
    scope,
    config,
    sql,
    metrics,
    health,
    bus,
    jobs,
    loadedRealms: () => realms.loaded(),
    countConnections: () => new Map(),
    listSlowCalls: () => [],
  })
  const operations = await openOperationsServer(config, metrics, health, operatorConsole.answer)
  operatorConsole.start(operations.port)
  const listening = { listening: 'worker', operations_port: operations.port, pid: process.pid }
  process.stdout.write(`${JSON.stringify(listening)}\n`)

  const shutDown = async () => {
    if (health.isDraining) return
    health.drain()
    isDraining = true
    log.info('draining')
    const running = [...queues, ...Object.values(slots)].map((one) => one.close())
    const ended = Promise.all([...running, schedule?.stop()]).catch(() => {})
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))])
    dependencies.images.close()
    connection.disconnect()
    await closeServices(log, {
      jobs: () => jobs.close(),
      realms: () => realms.close(),
      async console() {
        stopWatching()
        await operatorConsole.close()
      },
      membership: () => membership.close(),
      bus: () => bus.close(),
      database: () => Promise.all([sql.end({ timeout: 5 }), structureLockSql.end({ timeout: 5 }), standbys.close()]),
      operations: () => operations.close(),
    })
  }
  process.on('SIGTERM', () => void shutDown())
  process.on('SIGINT', () => void shutDown())
}

/** A record with one value for each class. */
const mapClasses = <T>(make: (name: JobClassName) => T): Record<JobClassName, T> =>
  Object.fromEntries(jobClassNames.map((name) => [name, make(name)])) as Record<JobClassName, T>

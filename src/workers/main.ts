/**
 * The worker process: its parts in the order of their start, and how it ends (process/server-process.ts).
 *
 * BullMQ delivers jobs as soon as they are committed; the sweeper finds those that it did not
 * (decisions/010-jobs-are-rows.md). Each class of jobs has its queue and its slots (store/jobs/job-classes.ts).
 * At the end it takes no more jobs, waits for those that run, and closes its connections.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.js'
import { realmHost, realmUrl } from '../config/hosts.js'
import { readServerFacts } from '../config/server-facts.js'
import { readVersion } from '../monitoring/release.js'
import { openServerProcess } from '../process/server-process.js'
import { type JobClassName, jobClasses, jobClassNames, jobClassOf } from '../store/jobs/job-classes.js'
import { loadDueJobs } from '../store/jobs/job-table.js'
import { openDeliver, openGet, openPictureGet, openPost } from '../store/outgoing/outgoing-http.js'
import { openRelease } from '../store/realm/releases.js'
import { openQueues } from '../store/register/event-queues.js'
import { openConsumers } from './consumers.js'
import { DeliveryCounts } from './event-subscriptions/delivery-counts.js'
import { addEventSubscriptionMetrics } from './event-subscriptions/delivery-metrics.js'
import { openEventDeliveries } from './event-subscriptions/event-deliveries.js'
import { openBrokerSinks } from './event-subscriptions/sinks/broker-sinks.js'
import { openSinks } from './event-subscriptions/sinks/open-sinks.js'
import { JobCounts } from './jobs/job-counts.js'
import { addJobMetrics } from './jobs/job-metrics.js'
import { openMail } from './jobs/mail.js'
import { openSlots } from './jobs/slots.js'
import { addDirectoryMetrics } from './log-in/directory-metrics.js'
import { openRunner } from './run.js'
import { type Schedule, startSchedule } from './schedule.js'

const POOLS = {
  /** A job holds at most one, and none while it waits for another server. */
  connections: 16,
  structure_locks: 2,
  /** For exports, of which few run at a time. */
  standby_connections: 2,
}
/** Jobs still running after this many milliseconds are aborted: their transactions roll back, and they run again. */
const DRAIN_MS = 15_000

/**
 * Works until SIGTERM or SIGINT, then drains and ends the process. Throws UnusableDatabaseError and
 * ForeignDeploymentError.
 */
export const startWorker = async (config: Config): Promise<void> => {
  const worker = await openServerProcess(config, { kind: 'worker', pools: POOLS })
  const { log, cell, files, images, membership, metrics, health } = worker
  const { sql, standbys } = cell.pools
  const queues = openQueues(sql, cell.bus)
  const dependencies = {
    writing: cell.writing,
    realms: cell.realms,
    standbys,
    log,
    counts: new JobCounts(),
    sendMail: openMail(config, log),
    realmUrl: (string_id: string) => realmUrl(string_id, config),
    realmHost: (string_id: string) => realmHost(string_id, config),
    directories: config.LDAP_DIRECTORIES,
    removeQueues: queues.removeAll,
    post: openPost(config.WEBHOOK_NETWORKS),
    get: openGet(config.PREVIEW_NETWORKS),
    getPicture: openPictureGet(config.PREVIEW_NETWORKS),
    files,
    images,
  }
  const run = openRunner(dependencies)
  const slots = mapClasses((name) => {
    const { kinds, ...limits } = jobClasses[name]
    const findDue = (realm_id: number, limit: number) => loadDueJobs(sql, realm_id, kinds, limit)
    return openSlots({ ...limits, run, findDue })
  })
  const sinks = openSinks(openDeliver(config.WEBHOOK_NETWORKS), openBrokerSinks(config))
  const eventCounts = new DeliveryCounts()
  const releaseId = openRelease(sql, readVersion(), cell.writing.enqueueJobs)
  const eventDeliveries = openEventDeliveries({
    sql,
    realms: cell.realms,
    openSink: sinks.open,
    readServerFacts: async (state) => readServerFacts(config, state, await releaseId()),
    enqueueJobs: cell.writing.enqueueJobs,
    counts: eventCounts,
    log,
  })
  const consumers = openConsumers(config.REDIS_URL, slots, log)
  let schedule: Schedule | undefined
  // In a copy nothing runs: neither jobs nor the schedule.
  membership.onKnown((isCopy) => {
    if (isCopy || health.isDraining) return
    membership.scope.onKnown(consumers.start)
    eventDeliveries.start()
    schedule = startSchedule({ ...dependencies, ...readScheduleOptions(config) }, (realm_id, kind) =>
      slots[jobClassOf(kind)]?.wake(realm_id),
    )
  })
  addJobMetrics(metrics, sql, dependencies.counts)
  addEventSubscriptionMetrics(metrics, sql, eventCounts)
  addDirectoryMetrics(metrics, sql)
  await worker.run({
    countConnections: () => new Map(),
    listSlowCalls: () => [],
    async drain() {
      const closing = Object.values(slots).map((one) => one.close())
      const running = [consumers.stop(), ...closing, schedule?.stop(), eventDeliveries.stop()]
      await Promise.race([Promise.all(running).catch(() => {}), sleep(DRAIN_MS)])
      consumers.close()
      await queues.close()
      await sinks.close().catch(() => {})
    },
  })
}

const readScheduleOptions = (config: Config) => ({
  log_retention_days: config.LOG_RETENTION_DAYS,
  audit_log_days: config.AUDIT_LOG_DAYS,
  unclaimed_uploads_days: config.UNCLAIMED_UPLOADS_DAYS,
  // In production without SMTP_URL, mails would only fill the outbox folder.
  mails_missed:
    config.MISSED_MESSAGE_MAILS === 'on' && (config.SMTP_URL !== undefined || config.NODE_ENV !== 'production'),
})

/** A record with one value for each class. */
const mapClasses = <T>(make: (name: JobClassName) => T): Record<JobClassName, T> =>
  Object.fromEntries(jobClassNames.map((name) => [name, make(name)])) as Record<JobClassName, T>

/**
 * The worker process: start and shutdown, top to bottom.
 *
 * BullMQ delivers jobs as soon as they are committed; the sweeper finds those that it did not (DESIGN section 2).
 * Shutdown runs in this order: take no more jobs, wait for running jobs, close Redis, close Postgres.
 */
import { Worker } from 'bullmq'
import type { Config } from '../config/config.js'
import { readDeployment } from '../config/deployment.js'
import { realmUrl } from '../config/hosts.js'
import { openLog } from '../config/log.js'
import { entryKinds } from '../domain/entry-kinds.js'
import { openFileStorage } from '../store/files/open-file-storage.js'
import { type JobTicket, openJobs, queueName } from '../store/jobs/job-queue.js'
import { openBus } from '../store/log/bus.js'
import { openRealms } from '../store/log/realms.js'
import { openSql } from '../store/sql.js'
import { composeVisibilityConsequences } from '../store/users/guest-visibility.js'
import { openMail } from './jobs/mail.js'
import { openGet, openPost } from './jobs/outgoing-http.js'
import { runJob } from './run.js'
import { startSchedule } from './schedule.js'

/** Realms whose structure can change at the same time. */
const STRUCTURE_LOCK_CONNECTIONS = 2
/** Jobs at a time; each holds at most one connection to Postgres. */
const CONCURRENCY = 4
/** Another worker may take a ticket this many milliseconds after its worker died; the sweeper may be faster. */
const LOCK_MS = 10_000
/** Jobs still running after this many milliseconds are aborted: their transactions roll back, and they run again. */
const DRAIN_MS = 15_000

/** Works until SIGTERM or SIGINT, then drains and ends the process. */
export const startWorker = async (config: Config): Promise<void> => {
  const log = openLog(config, 'worker')
  const sql = openSql(config.DATABASE_URL)
  const structureLockSql = openSql(config.DATABASE_URL, STRUCTURE_LOCK_CONNECTIONS)
  const bus = openBus(config.REDIS_URL, (message) => realms.receive(message))
  const realms = openRealms(sql, bus, {
    kinds: entryKinds,
    deployment: readDeployment(config),
    anti_entropy_ms: config.ANTI_ENTROPY_MS,
    structureLockSql,
    onLoad: () => {},
    onQueueDeleted: () => {},
  })
  const jobs = openJobs(config.REDIS_URL)
  const dependencies = {
    writing: { sql, bus, consequences: [composeVisibilityConsequences], enqueueJobs: jobs.enqueue },
    realms,
    log,
    sendMail: openMail(config, log),
    realmUrl: (string_id: string) => realmUrl(string_id, config),
    post: openPost(config.WEBHOOK_NETWORKS),
    get: openGet(config.PREVIEW_NETWORKS),
    files: await openFileStorage(config),
  }
  const run = (job_id: number) => runJob(dependencies, job_id)

  const worker = new Worker<JobTicket>(queueName, (ticket) => run(ticket.data.id), {
    // Blocking reads wait for Redis without a limit.
    connection: {
      url: config.REDIS_URL,
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(50 * attempt, 500),
    },
    skipVersionCheck: true,
    concurrency: CONCURRENCY,
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS / 2,
  })
  // At debug level, because every failed attempt to reconnect to Redis is an error here.
  worker.on('error', (error) => log.debug({ err: error }, 'the queue of jobs is away'))
  const retention = {
    log_retention_days: config.LOG_RETENTION_DAYS,
    unclaimed_uploads_days: config.UNCLAIMED_UPLOADS_DAYS,
  }
  // In production without SMTP_URL, mails would only fill the outbox folder.
  const isMailed = config.SMTP_URL !== undefined || config.NODE_ENV !== 'production'
  const mails_missed = config.MISSED_MESSAGE_MAILS === 'on' && isMailed
  const schedule = startSchedule({ ...dependencies, ...retention, mails_missed }, run)
  process.stdout.write(`${JSON.stringify({ listening: 'worker', pid: process.pid })}\n`)

  let isDraining = false
  const shutDown = async () => {
    if (isDraining) return
    isDraining = true
    log.info('draining')
    const ended = Promise.all([worker.close(), schedule.stop()]).catch(() => {})
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))])
    await jobs.close()
    realms.close()
    await bus.close()
    await Promise.all([sql.end({ timeout: 5 }), structureLockSql.end({ timeout: 5 })])
    process.exit(0)
  }
  process.on('SIGTERM', () => void shutDown())
  process.on('SIGINT', () => void shutDown())
}

/**
 * The gateway process: start and shutdown, top to bottom.
 *
 * Shutdown is an order: say "not ready", take no more connections, end polls with what they have and sockets with
 * "resume", let requests finish, write back which queues are in use, then leave Redis, then Postgres.
 */
import type { Config } from '../config/config.js'
import { readDeployment } from '../config/deployment.js'
import { openLog } from '../config/log.js'
import { entryKinds } from '../domain/entry-kinds.js'
import { warmUpFormulas } from '../domain/markdown/formula-warm-up.js'
import { openFileStorage } from '../store/files/open-file-storage.js'
import { openJobs } from '../store/jobs/job-queue.js'
import { noAllowances, openAllowances } from '../store/limits/rate-limiter.js'
import { openBus } from '../store/log/bus.js'
import { openRealms } from '../store/log/realms.js'
import { openRelease } from '../store/realm/releases.js'
import { openQueues } from '../store/register/queues.js'
import { openSql } from '../store/sql.js'
import { introductions } from '../store/users/introductions.js'
import { register } from './api/events/register.js'
import { registry } from './api/index.js'
import { openHubs } from './events/hubs.js'
import type { App } from './http/app.js'
import { openCallPipeline } from './http/call.js'
import { openDispatch } from './http/dispatch.js'
import { openRateLimit } from './http/rate-limit.js'
import { requireNative, type Server, serve } from './http/uws.js'
import { logCall } from './monitoring/call-log.js'
import { observeRealms, openMetrics } from './monitoring/metrics.js'
import { openSitePages } from './site/pages.js'
import { openSocketCalls } from './sockets/socket-call.js'
import { openEventSockets } from './sockets/websocket.js'

/** Realms whose structure can change at the same time. */
const STRUCTURE_LOCK_CONNECTIONS = 4
/** Requests that are not answered by then are cut off, in milliseconds. */
const DRAIN_MS = 15_000

/** Serves until SIGTERM or SIGINT, then drains and ends the process. */
export const startGateway = async (config: Config): Promise<void> => {
  requireNative()
  const log = openLog(config, 'gateway')
  const sql = openSql(config.DATABASE_URL)
  const structureLockSql = openSql(config.DATABASE_URL, STRUCTURE_LOCK_CONNECTIONS)
  const bus = openBus(config.REDIS_URL, (message) => realms.receive(message))
  const queues = openQueues(sql, bus)
  const jobs = openJobs(config.REDIS_URL)
  const writer = { sql, bus, consequences: [introductions], jobsWritten: jobs.enqueue }
  const hubs = openHubs(writer, queues, (topic, text) => server.publish(topic, text), config.POLL_HEARTBEAT_MS)
  queues.onGone((id) => hubs.queueGone(id))
  const realms = openRealms(sql, bus, {
    kinds: entryKinds,
    deployment: readDeployment(config),
    anti_entropy_ms: config.ANTI_ENTROPY_MS,
    turnSql: structureLockSql,
    onLoad: (realm) => void hubs.of(realm),
    onQueueDeleted: (id) => queues.forget(id),
    report: (error) => log.error({ err: error }, 'an entry was not delivered as it should'),
  })
  const allowances =
    config.RATE_LIMITS === 'off'
      ? noAllowances
      : openAllowances(config.REDIS_URL, config.RATES, (error) =>
          log.warn({ err: error }, 'calls are counted without Redis'),
        )
  const generation = openRelease(sql, jobs.enqueue)
  const app: App = {
    config,
    generation,
    log,
    hubs,
    allowances,
    store: { sql, bus, realms, queues, writer, files: await openFileStorage(config) },
  }

  const metrics = openMetrics()
  metrics.gauges('parley_connections', 'Clients listening to events', 'transport', () => hubs.counts())
  observeRealms(metrics, app)
  const health = { isDraining: false }
  const pipeline = openCallPipeline(app, {
    rateLimit: openRateLimit(allowances),
    observe(call) {
      metrics.observe(call)
      logCall(log, call)
    },
  })
  const dispatch = openDispatch(registry, openSitePages(app, entryKinds, metrics, health), pipeline)
  const calls = openSocketCalls(dispatch, pipeline)
  const server: Server = await serve(app, dispatch, openEventSockets(app, pipeline, register, calls))
  process.stdout.write(`${JSON.stringify({ listening: 'gateway', port: server.port, pid: process.pid })}\n`)
  void warmUpFormulas()
  // Postgres may still be starting: whoever registers asks again.
  generation().catch(() => {})

  const shutDown = async () => {
    if (health.isDraining) return
    health.isDraining = true
    log.info('draining')
    server.stopAccepting()
    hubs.drain()
    await Promise.race([server.idle(), new Promise((resolve) => setTimeout(resolve, DRAIN_MS))])
    hubs.close()
    await queues.close()
    realms.close()
    await jobs.close()
    await allowances.close()
    await bus.close()
    await Promise.all([sql.end({ timeout: 5 }), structureLockSql.end({ timeout: 5 })])
    process.exit(0)
  }
  process.on('SIGTERM', () => void shutDown())
  process.on('SIGINT', () => void shutDown())
}

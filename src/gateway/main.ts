/**
 * The gateway process: how it starts and shuts down.
 *
 * It shuts down in this order:
 *
 * 1. /health/ready answers 503, and responses have `Connection: close`. For DRAIN_NOTICE_MS the process serves as
 *    before, because load balancers send requests here until their next check.
 * 2. The server accepts no more connections; polls return the events that they have, and sockets close with "resume",
 *    some of them at a time, over up to eight seconds (events/hubs.ts).
 * 3. Pending requests finish, also those that arrive meanwhile over connections that were open, and clients close the
 *    sockets whose end was announced to them.
 * 4. The idle connections are closed, so that no request can arrive while its services are being closed.
 * 5. The use times of queues are written; the connections to Redis are closed, then those to Postgres.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, findConfigWarnings } from '../config/config.js'
import { readDeployment } from '../config/deployment.js'
import { openLog } from '../config/log.js'
import { entryKinds } from '../domain/entry-kinds.js'
import { warmUpFormulas } from '../domain/markdown/formulas/formula-warm-up.js'
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
import { readVersion } from '../monitoring/release.js'
import { openTracing } from '../monitoring/tracing.js'
import { findWarnings } from '../monitoring/warnings.js'
import { commitHooks } from '../store/cell/commit-hooks.js'
import { requireUsableDatabases } from '../store/connection-check.js'
import { keepFilesInCopies } from '../store/deployment/copy-files.js'
import { joinDeployment } from '../store/deployment/membership.js'
import { openImageDecoder } from '../store/files/image-decoder.js'
import { openFileStorage } from '../store/files/open-file-storage.js'
import { openJobs } from '../store/jobs/job-queue.js'
import { openRateLimiter, unlimitedRates } from '../store/limits/rate-limiter.js'
import { openBus } from '../store/log/bus.js'
import { openRealms } from '../store/log/realms.js'
import { watchPool } from '../store/overload.js'
import { closeServices } from '../store/processes/close-services.js'
import { openRelease } from '../store/realm/releases.js'
import { openQueues } from '../store/register/event-queues.js'
import { openRecentMessages } from '../store/register/recent-messages.js'
import { openSql } from '../store/sql.js'
import { openStandbyReads } from '../store/standbys/standby-reads.js'
import { openSessionUses } from '../store/users/session-uses.js'
import { register } from './api/events/register.js'
import { registry } from './api/index.js'
import { openCallPipeline } from './call/call.js'
import type { App } from './contract/app.js'
import type { NativePublisher } from './events/connected-client.js'
import { Deliveries } from './events/deliveries.js'
import { openHubs } from './events/hubs.js'
import { PacedSends } from './events/paced-sends.js'
import { closeSlowClientsRegularly, MAX_UNSENT_BYTES_PER_ACCOUNT } from './events/slow-clients.js'
import { openDownloadSlots } from './fairness/download-slots.js'
import { openHeavyCalls } from './fairness/heavy-calls.js'
import { openRateLimit } from './fairness/rate-limit.js'
import { logCall } from './monitoring/call-log.js'
import { addCallMetrics, listSlowCalls } from './monitoring/call-metrics.js'
import { addDeliveryMetrics } from './monitoring/delivery-metrics.js'
import { openSitePages } from './site/pages.js'
import { openWebClient } from './site/web-client.js'
import { openSocketCalls } from './sockets/socket-call.js'
import { openEventSockets } from './sockets/websocket.js'
import { openDispatch } from './transport/dispatch.js'
import { loadNativeLibrary } from './transport/native-library.js'
import { type Server, serve } from './transport/uws.js'

/** The number of realms whose structure lock this process can hold at the same time (store/log/structure-lock.ts). */
const STRUCTURE_LOCK_CONNECTIONS = 4
/** Connections to Postgres for everything else. */
const CONNECTIONS = 10
/**
 * Milliseconds without an answer from Postgres after which a call fails and its connection is closed. Proxies in front
 * of gateways give up after a minute or two.
 */
const SILENCE_MS = 120_000
/** Milliseconds that pending requests have to finish on shutdown; the others are cut off. */
const DRAIN_MS = 15_000
/** Milliseconds between the last response and the end of all connections, in which clients receive what was sent. */
const LINGER_MS = 100

/** Serves until SIGTERM or SIGINT, then drains and ends the process. */
export const startGateway = async (config: Config): Promise<void> => {
  // Before connections are opened that would only be closed again.
  loadNativeLibrary()
  const log = openLog(config, 'gateway')
  await requireUsableDatabases(config, (problem) => {
    log.fatal({ problem }, 'the database must not be used')
    process.exit(1)
  })
  const tracing = await openTracing(config)
  const sql = openSql(config.DATABASE_URL, CONNECTIONS, { silence_ms: SILENCE_MS })
  const standbys = openStandbyReads(sql, config.DATABASE_READ_URL, CONNECTIONS)
  const structureLockSql = openSql(config.DATABASE_URL, STRUCTURE_LOCK_CONNECTIONS)
  const storage = await openFileStorage(config)
  const membership = await joinDeployment(config, sql, storage, (problem) => {
    log.fatal({ problem }, 'the services belong to another deployment')
    process.exit(1)
  })
  const { scope } = membership
  const bus = openBus(config.REDIS_URL, scope, (message) => realms.receive(message))
  const queues = openQueues(sql, bus)
  const recentMessages = openRecentMessages(sql)
  const jobs = openJobs(config.REDIS_URL, scope)
  const dependencies = { sql, bus, commitHooks, enqueueJobs: jobs.enqueue }
  const deliveries = new Deliveries()
  const native: NativePublisher = {
    publish: (topic, text) => server.publish(topic, text),
    countSubscribers: (topic) => server.countSubscribers(topic),
  }
  // In tests a few clients are many.
  const sends = config.NODE_ENV === 'test' ? new PacedSends(native, 4) : new PacedSends(native)
  const hubs = openHubs(dependencies, queues, sends, config.STREAM_HEARTBEAT_MS, deliveries)
  let slowClients = 0
  const bounds = { bytesPerAccount: MAX_UNSENT_BYTES_PER_ACCOUNT, bytesInAll: config.MAX_UNSENT_MIB * 1024 * 1024 }
  const stopClosingSlowClients = closeSlowClientsRegularly(
    () => hubs.clients(),
    bounds,
    (count) => {
      slowClients += count
      log.warn({ count }, 'slow clients were closed because too many events were unsent')
    },
  )
  queues.onRemoved((id) => hubs.endReader(id, 'queueDeleted'))
  const deployment = readDeployment(config)
  const realms = openRealms(sql, bus, {
    kinds: entryKinds,
    deployment,
    anti_entropy_ms: config.ANTI_ENTROPY_MS,
    structureLockSql,
    tracing,
    onLoad: (realm) => void hubs.of(realm),
    onUnload(realm) {
      hubs.forget(realm)
      recentMessages.drop(realm)
    },
    onQueueDeleted: (id) => queues.forget(id),
    onQueuesRead: (claim) => hubs.readers.receive(claim),
    report: (error) => log.error({ err: error }, 'delivering an entry failed'),
  })
  const allowances =
    config.RATE_LIMITS === 'off'
      ? unlimitedRates
      : openRateLimiter(config.REDIS_URL, scope, config.RATES, (error) =>
          log.warn({ err: error }, 'calls are counted per process because Redis does not answer'),
        )
  const images = openImageDecoder((error) => log.error({ err: error }, 'decoding an image failed'))
  const downloads = openDownloadSlots()
  const generation = openRelease(sql, readVersion(), jobs.enqueue)
  const app: App = {
    config,
    generation,
    log,
    hubs,
    allowances,
    downloads,
    store: {
      sql,
      standbys,
      bus,
      realms,
      queues,
      recentMessages,
      files: keepFilesInCopies(storage, membership),
      images,
    },
  }

  const metrics = openMetrics()
  metrics.gauges('parley_connections', 'Connected clients that receive events', 'transport', () => hubs.counts())
  metrics.gauge('parley_request_body_bytes', 'Request bodies in memory', () => server.bodyBytes())
  metrics.gauge('parley_open_requests', 'Open requests and WebSockets', () => server.openRequests())
  addRealmGauges(metrics, sql, () => realms.loaded())
  addLogMetrics(metrics, realms.counts)
  addStandbyMetrics(metrics, standbys)
  addDeliveryMetrics(metrics, deliveries, () => slowClients)
  const callCounts = addCallMetrics(metrics)
  const health = openHealth(
    sql,
    findWarnings(config, sql, storage, bus, standbys, membership, findConfigWarnings(config)),
    bus.findProblem,
  )
  addDiskGauges(metrics, sql, storage)
  addPoolGauges(metrics, health, CONNECTIONS)
  const stopWatching = watchOutages(log, metrics, health, bus)
  const heavyCalls = openHeavyCalls()
  addQueueGauges(metrics)
  const poolWatch = watchPool(sql)
  const overloadHelp = 'Whether calls are refused because Postgres answers too slowly (1) or not (0)'
  metrics.gauge('parley_postgres_overloaded', overloadHelp, () => (poolWatch.isOverloaded() ? 1 : 0))
  const sessionUses = openSessionUses(dependencies, (error) =>
    log.warn({ err: error }, 'the use of sessions could not be written back'),
  )
  const pipeline = openCallPipeline(app, dependencies, {
    rateLimit: openRateLimit(allowances),
    heavyCalls: config.RATE_LIMITS === 'off' ? undefined : heavyCalls,
    observe(call) {
      callCounts.count(call)
      logCall(log, call, config.ACCESS_LOG === 'on')
    },
    onSessionUse: sessionUses.note,
    isOverloaded: poolWatch.isOverloaded,
  })
  const webClient = openWebClient(deployment.mediaProxy?.origin)
  if (webClient.length === 0) log.warn('the web client was not built, so / answers 404: run `npm run build`')
  const dispatch = openDispatch(registry, [...webClient, ...openSitePages(app, entryKinds, health)], pipeline)
  const calls = openSocketCalls(dispatch, pipeline)
  const server: Server = await serve(app, dispatch, openEventSockets(app, pipeline, register, calls))
  const operatorConsole = openConsole({
    kind: 'gateway',
    scope,
    config,
    sql,
    metrics,
    health,
    bus,
    jobs,
    loadedRealms: () => realms.loaded(),
    countConnections: () => hubs.countsByRealm(),
    listSlowCalls: () => listSlowCalls(callCounts),
  })
  const operations = await openOperationsServer(config, metrics, health, operatorConsole.answer)
  operatorConsole.start(operations.port)
  const listening = { listening: 'gateway', port: server.port, operations_port: operations.port, pid: process.pid }
  process.stdout.write(`${JSON.stringify(listening)}\n`)
  void warmUpFormulas()
  // Postgres may still be starting. Each registration asks for the generation again.
  generation().catch(() => {})

  const shutDown = async () => {
    if (health.isDraining) return
    health.drain()
    log.info('draining')
    server.announceClose()
    await sleep(config.DRAIN_NOTICE_MS)
    server.stopAccepting()
    await hubs.drain()
    await Promise.race([calls.idle().then(() => server.idle(LINGER_MS)), sleep(DRAIN_MS)])
    server.close()
    hubs.close()
    stopClosingSlowClients()
    images.close()
    await closeServices(log, {
      queues: () => queues.close(),
      sessions: () => sessionUses.close(),
      realms: () => realms.close(),
      jobs: () => jobs.close(),
      allowances: () => allowances.close(),
      async console() {
        stopWatching()
        poolWatch.close()
        await operatorConsole.close()
      },
      tracing: () => tracing?.close(),
      membership: () => membership.close(),
      bus: () => bus.close(),
      database: () => Promise.all([sql.end({ timeout: 5 }), structureLockSql.end({ timeout: 5 }), standbys.close()]),
      operations: () => operations.close(),
    })
  }
  process.on('SIGTERM', () => void shutDown())
  process.on('SIGINT', () => void shutDown())
}

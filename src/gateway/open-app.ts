/** Opens the parts of a gateway that its handlers use (contract/app.ts). */
import type { Config } from '../config/config.js'
import { readVersion } from '../monitoring/release.js'
import type { ServerProcess } from '../process/server-process.js'
import { keepFilesInCopies } from '../store/deployment/copy-files.js'
import { openRateLimiter, unlimitedRates } from '../store/limits/rate-limiter.js'
import { openFetch } from '../store/outgoing/outgoing-http.js'
import { openRelease } from '../store/realm/releases.js'
import { openQueues } from '../store/register/event-queues.js'
import { openRecentMessages } from '../store/register/recent-messages.js'
import type { App } from './contract/app.js'
import type { NativePublisher } from './events/connected-client.js'
import { DeliveryCounts } from './events/delivery-counts.js'
import { openHubs } from './events/hubs.js'
import { PacedSends } from './events/paced-sends.js'
import { closeSlowClientsRegularly, MAX_UNSENT_BYTES_PER_ACCOUNT } from './events/slow-clients.js'
import { openDownloadSlots } from './fairness/download-slots.js'
import { describeProviderFault, openIdentityProviders } from './log-in/openid-connect.js'
import { openSamlProviders } from './log-in/saml.js'

/** The parts, and what the gateway counts of its deliveries. */
export interface OpenedApp {
  app: App
  deliveries: DeliveryCounts
  /** how many clients were closed because too many events were unsent */
  countSlowClients(): number
  /** Stops the timers of its clients. */
  close(): void
}

/** Opens the parts. @param native sends to the sockets of the server */
export const openApp = (
  config: Config,
  { log, cell, files, images, membership }: ServerProcess,
  native: NativePublisher,
): OpenedApp => {
  const { pools, bus, realms, jobs, writing } = cell
  const { sql, standbys } = pools
  const queues = openQueues(sql, bus)
  const deliveries = new DeliveryCounts()
  // In tests a few clients are many.
  const sends = config.NODE_ENV === 'test' ? new PacedSends(native, 4) : new PacedSends(native)
  const hubs = openHubs(writing, queues, sends, config.STREAM_HEARTBEAT_MS, deliveries)
  queues.onRemoved((id) => hubs.endReader(id, 'queueDeleted'))
  const allowances =
    config.RATE_LIMITS === 'off'
      ? unlimitedRates
      : openRateLimiter(config.REDIS_URL, membership.scope, config.RATES, (error) =>
          log.warn({ err: error }, 'calls are counted per process because Redis does not answer'),
        )
  const store = {
    sql,
    standbys,
    bus,
    realms,
    queues,
    recentMessages: openRecentMessages(sql),
    files: keepFilesInCopies(files, membership),
    images,
  }
  const releaseId = openRelease(sql, readVersion(), jobs.enqueue)
  const callProvider = openFetch(config.LOG_IN_NETWORKS, 'ParleyLogIn/1.0')
  const ofProviders = {
    allowsPlain: config.NODE_ENV !== 'production',
    report: (error: unknown, issuer: string) =>
      log.warn({ err: describeProviderFault(error), issuer }, 'a provider failed'),
  }
  const providers = openIdentityProviders(callProvider, ofProviders)
  const samlProviders = openSamlProviders(callProvider, ofProviders)
  const parts = { config, releaseId, log, hubs, allowances, downloads: openDownloadSlots(), store }
  const app = { ...parts, providers, samlProviders }
  return { app, deliveries, ...closeSlowClients(app) }
}

const closeSlowClients = ({ config, log, hubs }: Pick<App, 'config' | 'log' | 'hubs'>) => {
  let closed = 0
  const bounds = { bytesPerAccount: MAX_UNSENT_BYTES_PER_ACCOUNT, bytesInAll: config.MAX_UNSENT_MIB * 1024 * 1024 }
  const stop = closeSlowClientsRegularly(
    () => hubs.clients(),
    bounds,
    (count) => {
      closed += count
      log.warn({ count }, 'slow clients were closed because too many events were unsent')
    },
  )
  return {
    countSlowClients: () => closed,
    close() {
      hubs.close()
      stop()
    },
  }
}

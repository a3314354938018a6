/** The gateway process: its parts in the order of their start. Its end is in drain.ts and process/server-process.ts. */
import type { Config } from '../config/config.js'
import { warmUpFormulas } from '../domain/markdown/formulas/formula-warm-up.js'
import { openTracing } from '../monitoring/tracing.js'
import { openServerProcess } from '../process/server-process.js'
import { drainGateway } from './drain.js'
import type { NativePublisher } from './events/connected-client.js'
import { listSlowCalls } from './monitoring/call-metrics.js'
import { addDeliveryMetrics } from './monitoring/delivery-metrics.js'
import { addGatewayMetrics } from './monitoring/gateway-metrics.js'
import { type OpenedApp, openApp } from './open-app.js'
import { type OpenedServer, openServer } from './open-server.js'
import { loadNativeLibrary } from './transport/native-library.js'

const POOLS = {
  connections: 10,
  structure_locks: 4,
  /**
   * Without an answer from Postgres for so long, a call fails and its connection is closed. Proxies in front of
   * gateways give up after a minute or two.
   */
  silence_ms: 120_000,
}

/**
 * Serves until SIGTERM or SIGINT, then drains and ends the process. Throws UnusableDatabaseError and
 * ForeignDeploymentError.
 */
export const startGateway = async (config: Config): Promise<void> => {
  // Before connections are opened that would only be closed again.
  loadNativeLibrary()
  const tracing = await openTracing(config)
  const gateway = await openServerProcess(config, {
    kind: 'gateway',
    pools: POOLS,
    tracing,
    onLoad: (realm) => void hubs.of(realm),
    onUnload(realm) {
      hubs.forget(realm)
      recentMessages.drop(realm)
    },
    onQueueDeleted: (id) => queues.forget(id),
    onQueuesRead: (claim) => hubs.readers.receive(claim),
  })
  const native: NativePublisher = {
    publish: (topic, text) => opened.server.publish(topic, text),
    countSubscribers: (topic) => opened.server.countSubscribers(topic),
  }
  const parts: OpenedApp = openApp(config, gateway, native)
  const { app, deliveries } = parts
  const { hubs, store, allowances } = app
  const { queues, recentMessages } = store
  const opened: OpenedServer = await openServer(app, gateway)
  const { server, calls, callCounts, sessionUses, keyUses, poolWatch } = opened
  addGatewayMetrics(gateway.metrics, app, opened)
  addDeliveryMetrics(gateway.metrics, deliveries, parts.countSlowClients)
  await gateway.run({
    port: server.port,
    countConnections: () => hubs.countsByRealm(),
    listSlowCalls: () => listSlowCalls(callCounts),
    async drain() {
      await drainGateway(config, server, hubs, calls)
      parts.close()
      poolWatch.close()
    },
    writesBack: { queues: () => queues.close(), sessions: () => sessionUses.close(), keys: () => keyUses.close() },
    connections: { allowances: () => allowances.close(), tracing: () => tracing?.close() },
  })
  void warmUpFormulas()
  // Postgres may still be starting. Each registration asks for it again.
  app.releaseId().catch(() => {})
}

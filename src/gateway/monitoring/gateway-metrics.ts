/** The metrics of a gateway beside those of its calls and queues: its clients and requests. */
import type { Metrics } from '../../monitoring/metrics.js'
import type { PoolWatch } from '../../store/overload.js'
import type { App } from '../contract/app.js'
import type { Server } from '../transport/uws.js'

/** What the metrics are read from. */
export interface MeasuredParts {
  server: Pick<Server, 'bodyBytes' | 'openRequests'>
  poolWatch: Pick<PoolWatch, 'isOverloaded'>
}

/** Registers the metrics. */
export const addGatewayMetrics = (
  metrics: Metrics,
  { hubs }: Pick<App, 'hubs'>,
  { server, poolWatch }: MeasuredParts,
): void => {
  metrics.gauges('parley_connections', 'Connected clients that receive events', 'transport', () => hubs.counts())
  metrics.gauge('parley_request_body_bytes', 'Request bodies in memory', () => server.bodyBytes())
  metrics.gauge('parley_open_requests', 'Open requests and WebSockets', () => server.openRequests())
  const overloadHelp = 'Whether calls are refused because Postgres answers too slowly (1) or not (0)'
  metrics.gauge('parley_postgres_overloaded', overloadHelp, () => (poolWatch.isOverloaded() ? 1 : 0))
}

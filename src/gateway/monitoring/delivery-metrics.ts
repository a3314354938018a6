/** The metrics of delivery: how many events were sent, how long an entry took, and which clients were too slow. */
import type { Metrics } from '../../monitoring/metrics.js'
import type { DeliveryCounts } from '../events/delivery-counts.js'

/** Registers the metrics. @param slowClients the number of clients that were closed because they did not read */
export const addDeliveryMetrics = (metrics: Metrics, deliveries: DeliveryCounts, slowClients: () => number): void => {
  metrics.counter('parley_delivered_events_total', 'Events sent to connected clients, each client counted', () => ({
    '': deliveries.events,
  }))
  metrics.histogram(
    'parley_delivery_duration_seconds',
    'From the commit of an entry until this gateway has sent it to all of its clients',
    deliveries.latencies,
  )
  metrics.counter('parley_slow_clients_closed_total', 'Clients closed because too many events were unsent', () => ({
    '': slowClients(),
  }))
}

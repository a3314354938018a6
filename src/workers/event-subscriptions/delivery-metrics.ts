/** The metrics of event subscriptions: those of the whole deployment, and what this worker has delivered. */
import { type SubscriptionState, subscriptionStates } from '../../domain/event-subscriptions/event-subscriptions.js'
import type { Metrics } from '../../monitoring/metrics.js'
import { countSubscriptions, type SubscriptionCounts } from '../../store/event-subscriptions/deliveries.js'
import type { Sql } from '../../store/sql.js'
import type { DeliveryCounts } from './delivery-counts.js'

/** Registers the metrics. Every worker shows the states and the lag of the whole deployment. */
export const addEventSubscriptionMetrics = (metrics: Metrics, sql: Sql, counts: DeliveryCounts): void => {
  let asked: Promise<SubscriptionCounts[]> | undefined
  /** One query for all gauges of a scrape. */
  const load = () => {
    asked ??= countSubscriptions(sql).finally(() => {
      asked = undefined
    })
    return asked
  }
  const read = (value: (row: SubscriptionCounts | undefined) => number) => async () => {
    const rows = await load().catch(() => undefined)
    const find = (state: SubscriptionState) =>
      rows === undefined ? Number.NaN : value(rows.find((row) => row.state === state))
    return Object.fromEntries(subscriptionStates.map((state) => [state, find(state)])) as Record<
      SubscriptionState,
      number
    >
  }
  metrics.gauges(
    'parley_event_subscriptions',
    'Event subscriptions of the whole deployment',
    'state',
    read((row) => row?.count ?? 0),
  )
  metrics.gauges(
    'parley_event_subscription_lag_seconds',
    'How long the first entry after the position of a subscription has waited, of the one that is the longest behind',
    'state',
    read((row) => row?.longest_lag ?? 0),
  )
  metrics.gauge(
    'parley_event_subscriptions_running',
    'Event subscriptions that this worker delivers now',
    () => counts.running,
  )
  metrics.counter(
    'parley_event_deliveries_total',
    'Attempts to deliver events of subscriptions, by outcome',
    () => ({ delivered: counts.delivered, failed: counts.failures }),
    'outcome',
  )
  metrics.histogram(
    'parley_event_delivery_duration_seconds',
    'How long receivers took to confirm events',
    counts.durations,
  )
}

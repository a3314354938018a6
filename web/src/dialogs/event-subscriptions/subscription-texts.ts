/** What the page says of an event subscription. */
import type { Result } from '@parley/client'
import { t } from '../../languages/t.js'
import { formatMoment } from '../../ui/times.js'

export type SubscriptionList = Result<'GET /event_subscriptions'>
export type EventSubscription = SubscriptionList['event_subscriptions'][number]
export type SinkKind = EventSubscription['sink']

export const sinkNames: Readonly<Record<SinkKind, string>> = {
  http: t('Web server (HTTP)'),
  nats: t('NATS JetStream'),
  kafka: t('Kafka'),
}

const reasons: Readonly<Record<NonNullable<EventSubscription['reason']>, string>> = {
  failing: t('The receiver has failed for long. It is tried from time to time.'),
  gone: t('Stopped: the receiver wants no more events.'),
  position_lost: t('Stopped: the server does not have the next event any more.'),
  credentials_changed: t('Stopped: the key of its account was changed.'),
}

/** Says in which state a subscription is. */
export const describeState = ({ state, reason, failures, wants_snapshot }: EventSubscription): string => {
  if (state === 'paused') return t('Paused')
  if (reason !== null) return reasons[reason]
  if (failures > 0) {
    return t('{count, plural, one {The last attempt failed} other {The last # attempts failed}}', { count: failures })
  }
  return wants_snapshot ? t('A snapshot is delivered next') : t('Active')
}

/** Says how far a subscription is. */
export const describeProgress = ({ position, lag_entries, delivered, delivered_at }: EventSubscription): string =>
  [
    t('Position {position}', { position: String(position) }),
    t('{count, plural, =0 {nothing waits} one {# entry waits} other {# entries wait}}', { count: lag_entries }),
    t('{count, plural, one {# event delivered} other {# events delivered}}', { count: delivered }),
    ...(delivered_at === null ? [] : [t('last at {time}', { time: formatMoment(new Date(delivered_at * 1000)) })]),
  ].join(' · ')

/** Says how the last test ended; undefined: there was none. */
export const describeTest = ({ test }: EventSubscription): string | undefined => {
  if (test === null) return undefined
  if (test.is_pending) return t('A test is on its way.')
  return test.error === null ? t('The receiver has the test.') : t('The test failed: {error}', { error: test.error })
}

/** Says which events a subscription gets. */
export const describeFilter = ({ event_types, narrow }: EventSubscription): string =>
  [
    event_types === null ? t('All events') : event_types.join(', '),
    ...narrow.map(([operator, operand]) => `${operator}:${operand}`),
  ].join(' · ')

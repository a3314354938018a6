/**
 * An event subscription was created, changed or deleted.
 *
 * The entry has no event. It puts the act into the audit log, and lets a worker that waits for events of the
 * organization read the subscription again.
 */
import { entry } from '../log/entry-kind.js'

/** A subscription before and after the change; null: there was none, or there is none any more. */
export interface EventSubscriptionChange {
  subscription_id: string
  before: Readonly<Record<string, unknown>> | null
  after: Readonly<Record<string, unknown>> | null
}

/** Declares the kind of these entries. */
export const eventSubscriptionChanged = entry<EventSubscriptionChange>({
  kind: 'event_subscription_changed',
  type: 'event_subscription_changed',
  audience: () => ({}),
})

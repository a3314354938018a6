/** Which sinks of event subscriptions the operator has set up. */
import type { SinkKind } from '../domain/event-subscriptions/event-sinks.js'

/** The kinds to which this server delivers events. */
export const availableSinks = (): readonly SinkKind[] => ['http']

/** The types of calls and events, derived from the OpenAPI document (api-types.ts). */
import type { Events, Message, Operations } from './api-types.js'

export type { Message }

/** A call: its method and its path, such as `'POST /messages'`. */
export type Operation = keyof Operations

/** The parameters of a call: those in the path, in the query and in the body, in one record. */
export type Params<O extends Operation> = Operations[O]['params']

/** The answer of a call that succeeded. */
export type Result<O extends Operation> = Operations[O]['result']

/** The calls that can be made without parameters. */
export type OperationWithoutParams = {
  [O in Operation]: Record<never, never> extends Params<O> ? O : never
}[Operation]

/** Any event of a queue. `type`, and for some types `op`, tells which. */
export type Event = Extract<Events[keyof Events], { type: string }>

/** The event of one type, such as `EventOf<'message'>`. */
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>

/** The answer of a registration: the state to which the events apply. */
export type Snapshot = Result<'POST /register'> & { queue_id: string; last_event_id: number }

/** The stream lost its queue and registered again. The state before is void; `snapshot` is the state now. */
export interface Reset {
  type: 'reset'
  snapshot: Snapshot
}

/** One condition of a narrow. */
export type NarrowTerm = {
  operator: string
  operand: string | number | number[]
  negated?: boolean
}

/** The conditions of a view of messages: all of them must hold. */
export type Narrow = readonly NarrowTerm[]

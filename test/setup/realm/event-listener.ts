/** The event queue of an account, which a test reads without waiting. */
import type { WireEvent } from './event-reader.js'
import { anyGateway, ok, type Person } from './realm.js'

export interface Listener {
  /** The events since the last call, for every request that was answered before this call. No heartbeats. */
  events(): Promise<WireEvent[]>
  /** The types and operations of the same events: `stream/create`, `subscription/peer_add`, `message`. */
  eventNames(): Promise<string[]>
}

/** Registers a queue, for all events unless `params` restricts them. */
export const listen = async (person: Person, params: Record<string, unknown> = {}): Promise<Listener> => {
  const url = anyGateway()
  const asked = { fetch_event_types: [], ...params }
  const { queue_id, last_event_id } = await ok(person, 'POST', '/register', asked, { url })
  let cursor = last_event_id
  const events = async () => {
    // A read waits until its gateway has applied every write that was answered before. So no event is missing after it.
    await ok(person, 'GET', '/users/me', {}, { url })
    const at = { queue_id, last_event_id: cursor, dont_block: true }
    const { events } = await ok(person, 'GET', '/events', at, { url })
    cursor = events.at(-1)?.id ?? cursor
    return events.filter(({ type }) => type !== 'heartbeat')
  }
  return {
    events,
    eventNames: async () => (await events()).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`)),
  }
}

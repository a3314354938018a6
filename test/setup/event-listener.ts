/** Somebody's event queue, read whenever the test wants to know what they were told. */
import type { WireEvent } from './event-reader.js'
import { anyGateway, ok, type Person } from './realm.js'

export interface Listener {
  /** the events of everything that was answered before this call, as they came */
  events(): Promise<WireEvent[]>
  /** the same in short: `stream/create`, `subscription/peer_add`, `message` */
  eventNames(): Promise<string[]>
}

/** Registers a queue, for all events if nothing else is said. */
export const listen = async (person: Person, params: Record<string, unknown> = {}): Promise<Listener> => {
  const url = anyGateway()
  const asked = { fetch_event_types: [], ...params }
  const { queue_id, last_event_id } = await ok(person, 'POST', '/register', asked, { url })
  let cursor = last_event_id
  const events = async () => {
    // A read waits until its gateway has applied all that was answered before: nothing is in flight after it.
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

/** The event queue of an account, which a test reads without waiting. */
import { expect } from 'vitest'
import type { Cursor, WireEvent } from './event-reader.js'
import { anyGateway, ok, type Person } from './realm.js'

export interface Listener {
  /** The events since the last call, for every request that was answered before this call. No heartbeats. */
  events(): Promise<WireEvent[]>
  /** The types and operations of the same events: `stream/create`, `subscription/peer_add`, `message`. */
  eventNames(): Promise<string[]>
  /** Waits until there are so many events, for those that no read waits for: presence, and what a worker does later. */
  collect(count: number): Promise<WireEvent[]>
}

/**
 * Reads the events of a queue after a cursor, without waiting for later ones.
 * They are those of every request that was answered before this call, by whichever gateway. `GET /events` alone does
 * not wait for those of other accounts, which may be on their way.
 */
export const readWritten = async (
  person: Person,
  { queue_id, last_event_id }: Cursor,
  url = anyGateway(),
): Promise<WireEvent[]> => {
  // This read waits until its gateway has applied every write that was answered before.
  await ok(person, 'GET', '/users/me', {}, { url })
  return (await ok(person, 'GET', '/events', { queue_id, last_event_id, dont_block: true }, { url })).events
}

/** Registers a queue, for all events unless `params` restricts them. */
export const listen = async (person: Person, params: Record<string, unknown> = {}): Promise<Listener> => {
  const url = anyGateway()
  const asked = { fetch_event_types: [], ...params }
  const { queue_id, last_event_id } = await ok(person, 'POST', '/register', asked, { url })
  let cursor = last_event_id
  const events = async () => {
    const events = await readWritten(person, { queue_id, last_event_id: cursor }, url)
    cursor = events.at(-1)?.id ?? cursor
    return events.filter(({ type }) => type !== 'heartbeat')
  }
  return {
    events,
    async collect(count) {
      const found = await events()
      const more = async () => found.push(...(await events()))
      if (found.length < count) await expect.poll(more, { timeout: 15_000 }).toBeGreaterThanOrEqual(count)
      return found
    },
    eventNames: async () => (await events()).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`)),
  }
}

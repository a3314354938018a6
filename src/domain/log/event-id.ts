/**
 * Event ids on the wire: `seq * 1024 + k`.
 *
 * A durable event has k = 0. Ephemeral events (typing, presence, heartbeat) take k = 1..1023 above the last durable
 * seq that their gateway has applied. Ids of a queue increase; they are not consecutive, and clients do not require it (events.md 1.6).
 */
const STEP = 1024

/** The largest k. For more ephemeral events, the gateway appends a new entry (tick.ts). */
export const LAST_K = STEP - 1

export const eventId = (seq: number, k = 0): number => seq * STEP + k

/** The seq of the last entry that a client with this id has received. */
export const seqOf = (event_id: number): number => Math.floor(event_id / STEP)

export const kOf = (event_id: number): number => event_id - seqOf(event_id) * STEP

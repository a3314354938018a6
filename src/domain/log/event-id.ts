/**
 * Event ids on the wire: `seq * 1024 + k`.
 *
 * A durable event has k = 0. Ephemeral events (typing, presence, heartbeat) have k = 1..1023 above the last durable
 * seq that their gateway has applied. The ids of a queue increase. They are not consecutive, and clients do not require
 * that (protocol/events.md 1.6).
 */
const STEP = 1024

/** The largest k. For more ephemeral events, the gateway appends a new entry (advanced-seq.ts). */
export const LAST_K = STEP - 1

/** The event id of a seq, and of the k-th ephemeral event after it. */
export const eventId = (seq: number, k = 0): number => seq * STEP + k

/** The seq of the last entry that a client with this id has received. */
export const toSeq = (event_id: number): number => Math.floor(event_id / STEP)

/** The k of an event id: 0 for a durable event. */
export const toEphemeralNumber = (event_id: number): number => event_id - toSeq(event_id) * STEP

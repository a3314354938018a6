/**
 * First messages of connections that are sent in any case.
 *
 * The driver collects short messages for one pass of the event loop. If it collects one on a connection that is being
 * closed, it never again sends a short first message on that connection, and each attempt to connect times out. Seen in
 * 3.4.9 (`nextWriteTimer` in https://github.com/porsager/postgres/blob/v3.4.9/src/connection.js, which `closed` clears
 * and does not set to null).
 *
 * 1. A message of 1,024 bytes is sent at once, with what was collected: Postgres then refuses that attempt, and the
 *    next one succeeds.
 */

/** Spaces that make the first message of a connection long (1). Postgres ignores them in the parameter `options`. */
export const PADDING = ' '.repeat(1_024)

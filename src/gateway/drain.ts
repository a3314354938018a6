/**
 * The end of a gateway's work, in this order:
 *
 * 1. /health/ready answers 503, and responses have `Connection: close`. For DRAIN_NOTICE_MS the process serves as
 *    before, because load balancers send requests here until their next check.
 * 2. The server accepts no more connections; polls return the events that they have, and sockets close with "resume",
 *    some of them at a time, over up to eight seconds (events/hubs.ts).
 * 3. Pending requests finish, also those that arrive meanwhile over connections that were open, and clients close the
 *    sockets whose end was announced to them.
 * 4. The idle connections are closed, so that no request can arrive while its services are being closed
 *    (process/server-process.ts).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.js'
import { type Hubs, MAX_DRAIN_MS } from './events/hubs.js'
import type { SocketCalls } from './sockets/socket-call.js'
import type { Server } from './transport/uws.js'

/** Milliseconds that pending requests have to finish; the others are cut off. */
const DRAIN_MS = 15_000
/** Milliseconds between the last response and the end of all connections, in which clients receive what was sent. */
const LINGER_MS = 100
/**
 * The longest time that a gateway drains, in milliseconds. DRAIN_NOTICE_MS comes on top, so a supervisor must wait for
 * longer.
 */
export const LONGEST_DRAIN_MS = MAX_DRAIN_MS + DRAIN_MS

/** Ends the connections of all clients, and resolves when none is left. */
export const drainGateway = async (
  { DRAIN_NOTICE_MS }: Pick<Config, 'DRAIN_NOTICE_MS'>,
  server: Server,
  hubs: Hubs,
  calls: SocketCalls,
): Promise<void> => {
  server.announceClose()
  await sleep(DRAIN_NOTICE_MS)
  server.stopAccepting()
  await hubs.drain()
  await Promise.race([calls.idle().then(() => server.idle(LINGER_MS)), sleep(DRAIN_MS)])
  server.close()
}

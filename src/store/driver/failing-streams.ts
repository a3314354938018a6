/**
 * Attempts to connect that fail without a loss of the connection's place in its pool.
 *
 * The driver opens connections with a function of ours. When it rejects, the driver rejects the statement that waited
 * for the connection, and then leaves the connection in the queue of those that connect: it is never used again, and a
 * pool of one connection waits for ever. Seen in 3.4.9 (`createSocket` in
 * https://github.com/porsager/postgres/blob/v3.4.9/src/connection.js).
 *
 * 1. The driver gets a stream instead, which fails with the error when the driver writes to it. This is to the driver a
 *    connection that was lost, which it opens again.
 */
import { Duplex } from 'node:stream'

/** Makes a stream of the error with which an attempt to connect failed (1). */
export const createFailingStream = (error: Error): Duplex =>
  new Duplex({ read() {}, write: (_chunk, _encoding, callback) => callback(error) })

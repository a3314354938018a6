/**
 * Limits how much work of one realm uses connections to Postgres at the same time, so that a busy realm leaves some of
 * the pool to the others.
 *
 * 1. All changes of a realm wait for the lock of its head, each with a connection.
 * 2. What finds no slot waits in order, without a connection. While the first has waited for too long, further work is
 *    refused with OverloadError, so the queue cannot grow without bound.
 */
import { openFairQueue } from '../fairness/fair-queues.js'
import { OverloadError } from '../overload.js'

const refuse = () => new OverloadError('Postgres has not finished what others wait for in time')

const changes = openFairQueue('realm_changes', refuse)
const reads = openFairQueue('realm_reads', refuse)

/** Runs a transaction that changes a realm. Throws OverloadError (2). */
export const runChange = <T>(realm: object, work: () => Promise<T>): Promise<T> => changes.run(realm, work)

/** Runs a read of a realm that may take long: history, search. Throws OverloadError (2). */
export const runLongRead = <T>(realm: object, work: () => Promise<T>): Promise<T> => reads.run(realm, work)

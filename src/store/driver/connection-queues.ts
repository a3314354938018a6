/**
 * Queues of connections whose memory is that of the connections in them.
 *
 * The driver keeps the idle connections of a pool in an array, and takes the next one by moving an index forward. It
 * starts a new array only when the last idle connection is taken. In a pool that always has an idle connection, the
 * array gets one more element with each statement, for ever: 8 bytes of memory per statement, and each statement
 * searches the whole array. Seen in 3.4.9 (https://github.com/porsager/postgres/blob/v3.4.9/src/queue.js).
 *
 * 1. After the first statements of a pool, the queues of its connections hold nothing but connections.
 */
import { createUnsentStatement, type Queue, requireFunctions, type Statement } from './internals.js'

const watched = new WeakSet<Statement>()
const compacted = new WeakSet<Queue>()

/**
 * Replaces the queues of this pool and of all others of the driver (1). A queue is replaced when a statement uses it.
 *
 * It changes the prototype of all statements, and does not wrap the pool: the driver keeps four lines of the stack of
 * each statement for its errors, and a wrapper would be the last of them instead of the caller.
 */
export const compactConnectionQueues = <P extends object>(pool: P): P => {
  const prototype = Object.getPrototypeOf(createUnsentStatement(pool)) as Statement
  if (watched.has(prototype)) return pool
  watched.add(prototype)
  const { handle } = prototype
  prototype.handle = function (this: Statement) {
    const { options, executed } = this
    const { onexecute } = options
    if (!executed) {
      options.onexecute = (connection) => {
        compactQueue(connection.queue)
        return onexecute === undefined ? true : onexecute(connection)
      }
    }
    return handle.call(this)
  }
  return pool
}

/** Gives a queue an array without an index; pools are small. The driver finds the methods at each call. */
const compactQueue = (queue: Queue): void => {
  if (compacted.has(queue)) return
  requireFunctions(queue, 'the queue of a connection', ['remove', 'push', 'shift'])
  compacted.add(queue)
  const items: unknown[] = []
  while (queue.length > 0) items.push(queue.shift())
  Object.defineProperty(queue, 'length', { get: () => items.length })
  Object.assign(queue, {
    remove(connection: unknown) {
      const i = items.indexOf(connection)
      return i === -1 ? null : items.splice(i, 1) && connection
    },
    push(connection: unknown) {
      items.push(connection)
      return connection
    },
    shift: () => items.shift(),
  } satisfies Omit<Queue, 'length'>)
}

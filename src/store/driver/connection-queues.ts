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

/** The driver's queue of connections in one state. Each pool has one for idle connections, one for busy ones, … */
interface Queue {
  readonly length: number
  remove(connection: unknown): unknown
  push(connection: unknown): unknown
  shift(): unknown
}

/** The driver's object of a connection. */
interface Connection {
  /** the queue in which it is; when a statement is sent, it is still the one from which it was taken */
  readonly queue: Queue
}

/** The driver's object of a statement. */
interface Statement {
  /** whether `handle` was called */
  readonly executed: boolean
  readonly options: {
    /** called with the connection on which the statement is sent; returns whether it takes another statement now */
    onexecute?(connection: Connection): unknown
  }
  /** called by each `then` of the statement; sends it the first time */
  handle(): Promise<void>
}

const watched = new WeakSet<Statement>()
const compacted = new WeakSet<Queue>()

/**
 * Replaces the queues of this pool and of all others of the driver (1). A queue is replaced when a statement uses it.
 *
 * It changes the prototype of all statements, and does not wrap the pool: the driver keeps four lines of the stack of
 * each statement for its errors, and a wrapper would be the last of them instead of the caller.
 */
export const compactConnectionQueues = <P extends object>(pool: P): P => {
  const sql = pool as unknown as (text: TemplateStringsArray) => Statement
  const prototype = Object.getPrototypeOf(sql`never sent`) as Statement
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

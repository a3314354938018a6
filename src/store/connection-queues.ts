/**
 * Queues of connections whose memory is that of the connections in them.
 *
 * The driver keeps the idle connections of a pool in an array, and takes the next one by moving an index forward. It
 * starts a new array only when the last idle connection is taken. In a pool that always has an idle connection, the
 * array gets one more element with each statement, for ever: 8 bytes of memory per statement, and each statement
 * searches the whole array (https://github.com/porsager/postgres/blob/v3.4.9/src/queue.js).
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

interface StatementOptions {
  /** called with the connection on which the statement is sent; returns whether it takes another statement now */
  onexecute?(connection: Connection): unknown
}

/** What this needs of a pool. The types of the driver do not describe `onexecute`. */
interface Pool {
  (...given: unknown[]): { options?: StatementOptions }
  unsafe(text: string, parameters?: unknown[], options?: StatementOptions): unknown
}

/** Replaces the queues of a pool when its statements use them (1). Use the pool that this returns. */
export const compactConnectionQueues = <P extends object>(given: P): P => {
  const pool = given as unknown as Pool
  const compacted = new WeakSet<Queue>()
  const onexecute = ({ queue }: Connection): true => {
    if (!compacted.has(queue)) {
      compacted.add(queue)
      compactQueue(queue)
    }
    return true
  }
  const unsafe = pool.unsafe.bind(pool)
  pool.unsafe = (text, parameters, options) =>
    unsafe(text, parameters, {
      ...options,
      onexecute(connection) {
        onexecute(connection)
        return options?.onexecute === undefined ? true : options.onexecute(connection)
      },
    })
  return new Proxy(given, {
    apply(target, self, args) {
      const made = Reflect.apply(target as unknown as Pool, self, args)
      // Names and values for a statement have no options.
      if (made.options !== undefined) made.options.onexecute = onexecute
      return made
    },
  })
}

/** Gives a queue an array without an index; pools are small. The driver finds the methods at each call. */
const compactQueue = (queue: Queue): void => {
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

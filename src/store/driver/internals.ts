/**
 * The objects inside of the driver that the patches use. The types of the driver do not describe them.
 *
 * 1. A patch that does not find an object as it is described here throws ChangedDriverError, instead of having no
 *    effect: the harm of its absence (a lost write, a connection that hangs) shows only in an outage.
 */

/** The driver's queue of connections in one state. Each pool has one for idle connections, one for busy ones, … */
export interface Queue {
  readonly length: number
  remove(connection: unknown): unknown
  push(connection: unknown): unknown
  shift(): unknown
}

/** The driver's object of a connection. */
export interface Connection {
  /** the queue in which it is; when a statement is sent, it is still the one from which it was taken */
  readonly queue: Queue
  /** called once, when the connection is lost during a transaction */
  onclose?: ((error: Error) => void) | null
}

/** The driver's options of one statement. */
export interface StatementOptions {
  /** called with the connection on which the statement is sent; returns whether it takes another statement now */
  onexecute?(connection: Connection): unknown
}

/** The driver's object of a statement. */
export interface Statement extends Promise<unknown> {
  strings: readonly string[]
  args: unknown
  /** sends a statement to the pool, or to a transaction */
  handler: unknown
  canceller: unknown
  options: StatementOptions
  /** the driver does not send a statement that was cancelled */
  cancelled: unknown
  /** set by the driver before it sends the statement once more; its connection has forgotten it by then */
  retried: Error | undefined
  /** whether `handle` was called */
  readonly executed: boolean
  resolve(rows: unknown): void
  reject(error: Error): void
  /** makes it a statement that is not prepared */
  simple(): unknown
  /** called by each `then` of the statement; sends it the first time */
  handle(): Promise<void>
}

/** The driver is not one for which its patches were written (1). */
export class ChangedDriverError extends Error {
  constructor(found: string) {
    super(
      `The driver of Postgres (package postgres) is not a version for which its patches were written: ${found}.` +
        ' Install the packages of package-lock.json with npm ci (docs/decisions/012-driver-patches.md).',
    )
  }
}

/** Throws ChangedDriverError unless an object has functions of these names (1). */
export const requireFunctions = (object: unknown, what: string, names: readonly string[]): void => {
  for (const name of names) {
    if (typeof (object as Record<string, unknown> | null | undefined)?.[name] !== 'function')
      throw new ChangedDriverError(`${what} has no function ${name}`)
  }
}

/** Creates a statement that is never sent, to find the prototype of all. Throws ChangedDriverError (1). */
export const createUnsentStatement = (pool: object): Statement => {
  const sql = pool as (text: TemplateStringsArray) => Statement
  const statement = sql`never sent`
  requireFunctions(statement, 'a statement', ['handler', 'canceller', 'resolve', 'reject', 'simple', 'handle'])
  const { strings, options, executed, cancelled } = statement
  if (!Array.isArray(strings) || typeof options !== 'object' || executed !== false || cancelled !== null)
    throw new ChangedDriverError('a statement has other properties')
  if (!Object.hasOwn(Object.getPrototypeOf(statement), 'handle'))
    throw new ChangedDriverError('statements have no prototype of their own')
  return statement
}

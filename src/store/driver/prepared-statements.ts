/**
 * Statements that Postgres does not execute any more as they were prepared: their connection was reset behind a proxy,
 * or a migration changed the types of their results.
 *
 * The driver prepares such a statement again, on the same connection. It sends this in two parts, and sends the
 * statements of other calls between them. Then each call gets the rows of another one, or a call and all later ones on
 * this connection wait for ever. It also encodes the parameters twice: an object is stored as a string of JSON. Seen in
 * 3.4.9 (`retry` in https://github.com/porsager/postgres/blob/v3.4.9/src/connection.js).
 *
 * 1. Such a statement runs once more in the pool, as a new one that is not prepared. Postgres refused it before it did
 *    anything.
 * 2. In a transaction it fails: the transaction is aborted. The driver ends transactions with statements that are not
 *    prepared: if `commit` failed in this way, the connection would stay in the aborted transaction for ever.
 * 3. Its connection forgets it, so the next call prepares it anew. No other statement is affected.
 */
import { createUnsentStatement, type Statement } from './internals.js'

type StatementClass = new (
  ...input: [strings: unknown, args: unknown, handler: unknown, canceller: unknown, options: object]
) => Statement

const changed = new WeakSet<Statement>()

/**
 * Makes statements that have to be prepared again run alone (1-3). It changes this pool and all others of the driver.
 */
export const repeatLostStatements = <P extends object>(pool: P): P => {
  const statement = createUnsentStatement(pool)
  const prototype = Object.getPrototypeOf(statement) as Statement
  poolHandlers.add(statement.handler as object)
  if (changed.has(prototype)) return pool
  changed.add(prototype)
  const { handle } = prototype
  prototype.handle = function (this: Statement) {
    if (!this.executed && isEnd(this.strings)) this.simple()
    return handle.call(this)
  }
  Object.defineProperty(prototype, 'retried', {
    get: () => undefined,
    set(this: Statement, error: Error) {
      this.cancelled = true
      if (!poolHandlers.has(this.handler as object)) return this.reject(error)
      const Again = this.constructor as StatementClass
      const options = { ...this.options, prepare: false }
      const again = new Again(this.strings, this.args, this.handler, this.canceller, options)
      again.then(
        (rows) => this.resolve(rows),
        (failure) => this.reject(failure),
      )
    },
  })
  return pool
}

/** Whether a statement ends a transaction (2). */
const isEnd = ({ length, 0: first }: readonly string[]): boolean =>
  length === 1 && (first === 'commit' || first === 'rollback')

/** How the statements of pools are sent, outside of transactions. */
const poolHandlers = new WeakSet<object>()

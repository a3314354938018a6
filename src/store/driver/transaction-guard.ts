/**
 * Transactions that end together with their connection.
 *
 * When a connection is lost, the driver rejects its transaction, but goes on with it: what the function of the
 * transaction still sends, and the `commit` or `rollback` after it, are written to the same connection. If another
 * transaction uses that connection by then, it gets these statements: its first half is committed, or its writes are
 * outside of any transaction. If the connection is not open, the driver throws outside of any promise, which ends the
 * process. Seen in 3.4.9 (https://github.com/porsager/postgres/issues/1208).
 *
 * 1. After the loss, no statement of the transaction reaches the driver: it throws the error of the loss.
 * 2. After the loss, the driver never learns how the function ended, so it sends neither `commit` nor `rollback`.
 * 3. The caller gets the error of the loss at once.
 */
import { ChangedDriverError, type Connection, requireFunctions, type StatementOptions } from './internals.js'

/** What the guard needs of a pool. The types of the driver do not describe `onexecute`. */
interface Pool {
  unsafe(text: string, parameters?: never[], options?: StatementOptions): unknown
  begin(...input: never[]): Promise<unknown>
}

/** Milliseconds between the error of a statement and the end of its connection, at most. */
const CLOSE_MS = 100

/**
 * Makes the transactions of a pool end together with their connection (1-3). Throws ChangedDriverError for a pool of
 * another form; a transaction throws an Error when the driver does not say on which connection it began.
 */
export const guardTransactions = <P extends object>(input: P): P => {
  requireFunctions(input, 'a pool', ['begin', 'unsafe'])
  const pool = input as Pool
  const begin = pool.begin.bind(pool)
  const unsafe = pool.unsafe.bind(pool)

  const beginGuarded = (...args: unknown[]): Promise<unknown> => {
    const work = args.pop() as (tx: object) => unknown
    let connection: Connection | undefined
    let loss: Error | undefined
    const run = (tx: object): Promise<unknown> => {
      const used = connection
      if (used === undefined) throw new Error('The driver began a transaction without saying on which connection')
      return new Promise((resolve, reject) => {
        // The driver sets `onclose` after it has called this function.
        queueMicrotask(() => {
          const { onclose } = used
          if (typeof onclose !== 'function') {
            loss = new ChangedDriverError('a transaction does not wait for the loss of its connection')
            return reject(loss)
          }
          used.onclose = (error) => {
            loss = error
            onclose(error)
          }
        })
        const settle = (pass: () => void) => {
          if (loss === undefined) pass()
        }
        const done = async () => work(guardStatements(tx, () => loss))
        done().then(
          (value) => settle(() => resolve(value)),
          (error) => {
            const fail = () => settle(() => reject(error))
            // A statement fails shortly before its connection is closed.
            if (isPossibleLoss(error)) setTimeout(fail, CLOSE_MS)
            else fail()
          },
        )
      })
    }
    // The driver sends `begin` with this method, before `begin` returns.
    pool.unsafe = (text, parameters, options) =>
      unsafe(text, parameters, {
        ...options,
        onexecute(used) {
          connection = used
          return options?.onexecute?.(used)
        },
      })
    try {
      return begin(...([...args, run] as never[]))
    } finally {
      pool.unsafe = unsafe
    }
  }
  return Object.assign(input, { begin: beginGuarded })
}

/** Whether an error may come from the loss of the connection. Errors that Postgres sends have a severity. */
const isPossibleLoss = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && !('severity' in error) && !('status' in error)

/** A transaction that throws instead of sending a statement after the loss (1). */
const guardStatements = (tx: object, getLoss: () => Error | undefined): object =>
  new Proxy(tx, {
    apply(target, self, args) {
      const loss = getLoss()
      if (loss !== undefined) throw loss
      return Reflect.apply(target as never, self, args)
    },
    get(target, key) {
      const value = Reflect.get(target, key) as unknown
      if (key !== 'unsafe' && key !== 'savepoint') return value
      return (...args: unknown[]) => {
        const loss = getLoss()
        if (loss !== undefined) throw loss
        return (value as (...all: unknown[]) => unknown)(...args)
      }
    },
  })

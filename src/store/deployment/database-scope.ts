/** The scope of a database, for what uses its Redis without joining the deployment: the command line. */
import { openScope, type Scope } from '../redis-scope.js'
import type { Sql } from '../sql.js'
import { composeScope, waitForIdentity } from './identity.js'

/** A scope that is known as soon as Postgres answers. */
export interface DatabaseScope {
  readonly scope: Scope
  /** Resolves when the name is known, or the signal was aborted. */
  readonly settled: Promise<void>
}

/** Asks the database for its scope until it answers. @param signal ends it */
export const openDatabaseScope = (sql: Sql, signal: AbortSignal): DatabaseScope => {
  const scope = openScope()
  const settled = waitForIdentity(sql, signal).then(
    (identity) => scope.set(composeScope(identity)),
    () => {},
  )
  return { scope, settled }
}

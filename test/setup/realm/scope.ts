/** The names in Redis of the processes that use a database, for the parts of a process that a test opens by itself. */
import { inject } from 'vitest'
import { openDatabaseScope } from '../../../src/store/deployment/database-scope.js'
import { composeScope, loadIdentity } from '../../../src/store/deployment/identity.js'
import { fixScope, type Scope } from '../../../src/store/redis-scope.js'
import { openSql, type Sql } from '../../../src/store/sql.js'

/** The scope of the processes of a database; known as soon as Postgres answers. */
export const openScopeOf = (sql: Sql): Scope => openDatabaseScope(sql, AbortSignal.timeout(30_000)).scope

/** The name of the scope of the processes of a database. */
export const readScopeOf = async (sql: Sql): Promise<string> => {
  const identity = await loadIdentity(sql)
  if (identity === undefined) throw new Error('the database was not migrated')
  return composeScope(identity)
}

let shared: Promise<Scope> | undefined

/** The scope of the processes of the shared fleet. */
export const sharedScope = (): Promise<Scope> => {
  shared ??= loadSharedScope()
  return shared
}

const loadSharedScope = async (): Promise<Scope> => {
  const sql = openSql(inject('database_url'), 1)
  try {
    return fixScope(await readScopeOf(sql))
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * Which deployment a database belongs to.
 *
 * 1. The first migration stores a random id of the deployment, and one of the cell: a deployment can have several
 *    databases, each with a Redis of its own.
 * 2. The first process that uses the database records in which Postgres it is: the identifier of its cluster and the
 *    number of the database. A standby has the same, so a failover changes nothing. A dump that was restored, a copy of
 *    the database and `pg_upgrade` have others: then the database is a copy until an operator adopts it.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMissingTable, type Sql } from '../sql.js'

/** What a database says of itself. */
export interface Identity {
  /** of the deployment */
  id: string
  /** of the part of the deployment that has this database */
  cell: string
  /** where the database was when a process first used it, or when it was adopted; null: no process has used it */
  database: string | null
  /** where it is now */
  actual: string
  /** which run of the server answers: a physical copy has the same `actual`, and another run */
  run: string
}

const RETRY_MS = 500
/** The begin of the recorded place of a physical copy. */
const COPY = 'copy '

/** Reads the identity; undefined: the database lacks the migration. */
export const loadIdentity = async (sql: Sql): Promise<Identity | undefined> => {
  try {
    const [row] = await sql<Identity[]>`
      select d.id, d.cell, d.database, s.system_identifier || '/' || b.oid as actual,
        (extract(epoch from pg_postmaster_start_time()) * 1000000)::int8::text as run
      from deployment d, pg_control_system() s, pg_database b where b.datname = current_database()`
    return row
  } catch (error) {
    if (isMissingTable(error)) return undefined
    throw error
  }
}

/** Reads the identity when Postgres and the migration are ready. It waits for them until `signal` is aborted. */
export const waitForIdentity = async (sql: Sql, signal: AbortSignal): Promise<Identity> => {
  for (;;) {
    const found = await loadIdentity(sql).catch(() => undefined)
    if (found !== undefined) return found
    await sleep(RETRY_MS, undefined, { ref: false, signal })
  }
}

/**
 * Records that the first process uses the database (2).
 * @param joined the deployment whose next cell this database is; undefined: the database keeps its own id
 */
export const foundDeployment = async (sql: Sql, { actual }: Identity, joined: string | undefined): Promise<void> => {
  await sql`update deployment set database = ${actual}, id = coalesce(${joined ?? null}, id) where database is null`
}

/** Makes the database that of the deployment, where it is now. */
export const recordDatabase = async (sql: Sql, { actual }: Identity): Promise<void> => {
  await sql`update deployment set database = ${actual}`
}

/** Makes the database that of a new deployment. */
export const renameDeployment = async (sql: Sql, { actual }: Identity): Promise<void> => {
  const [id, cell] = [randomBytes(16).toString('hex'), randomBytes(4).toString('hex')]
  await sql`update deployment set id = ${id}, cell = ${cell}, database = ${actual}`
}

/** Whether the rows were copied from another database. */
export const isCopied = ({ database, actual }: Identity): boolean => database !== null && database !== actual

/** Marks the database as a physical copy, whose place is that of the original. It stays a copy until it is adopted. */
export const markAsCopy = async (sql: Sql, { actual }: Identity): Promise<void> => {
  await sql`update deployment set database = ${`${COPY}${randomBytes(4).toString('hex')}`} where database = ${actual}`
}

/**
 * The name of a process's keys and channels in Redis. It contains the place of the database, so that a copy never
 * meets its original, whatever an operator adopts.
 */
export const composeScope = ({ id, cell, actual, database }: Identity): string => {
  const address = `${cell} ${actual}${database?.startsWith(COPY) ? ` ${database}` : ''}`
  return `parley:${id}-${createHash('sha256').update(address).digest('hex').slice(0, 8)}`
}

/** Shows that the process that wrote an id had a secret of the deployment. Any one of the secrets is enough. */
export const proveDeployment = (id: string, secret: string): string =>
  createHmac('sha256', secret).update(`deployment ${id}`).digest('hex')

/** The process of a Postgres server. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../src/dev/failure.js'
import type { Sql } from '../../src/store/sql.js'

/**
 * Reads the id of the process whose children are the server's connections.
 * @param data the folder of its data
 * @throws Failure if the server is on another machine
 */
export const readPostmasterPid = (data: string): number => {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch (cause) {
    throw new Failure('The data of DATABASE_URL must be in a folder of this machine: run without DATABASE_URL.', {
      cause,
    })
  }
}

/** Finds the process of the server to which a pool is connected, likewise. */
export const findPostmasterPid = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ data: string }[]>`select current_setting('data_directory') as data`
  return readPostmasterPid(row?.data ?? '')
}

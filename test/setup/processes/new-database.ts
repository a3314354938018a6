/** Databases beside the one that the tests share, for tests that no other rows may disturb. */
import { randomBytes } from 'node:crypto'
import { migrate } from '../../../src/store/migrations.js'
import { openSql, type Sql } from '../../../src/store/sql.js'

/** A database of the shared server to which nobody connects: only such a one can be copied at any time. */
const TEMPLATE = 'parley_test_template'

let count = 0

/** Copies a database that has the tables and no rows, as the template of new ones. Nobody may be connected to it. */
export const keepTemplate = async (database_url: string): Promise<void> => {
  const url = new URL(database_url)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const outside = openSql(url.href, 1)
  await outside`create database ${outside(TEMPLATE)} template ${outside(name)}`
  await outside.end()
}

/**
 * Creates a database with the tables of Parley, and returns its URL.
 * @param server_url the URL of any database of the server
 * @param options the part of `create database` after the name; without it, the tables are copied if the server has a
 * template, which takes half of the time of the migrations
 */
export const newDatabase = async (server_url: string, options?: string): Promise<string> => {
  const url = new URL(server_url)
  const name = `own_${process.pid}_${++count}`
  const outside = openSql(url.href, 1)
  const [template] = await outside`select 1 from pg_database where datname = ${TEMPLATE}`
  const isCopied = options === undefined && template !== undefined
  // The other strategy writes all pages of the copy to the log.
  const how = isCopied ? `template ${TEMPLATE} strategy file_copy` : (options ?? '')
  await outside.unsafe(`create database ${name} ${how}`)
  await outside.end()
  url.pathname = `/${name}`
  const inside = openSql(url.href, 1)
  if (isCopied) await becomeAnotherDeployment(inside)
  else await migrate(inside)
  await inside.end()
  return url.href
}

/** Gives a copy ids of its own, as the first migration does. */
const becomeAnotherDeployment = async (sql: Sql): Promise<void> => {
  const [id, cell] = [randomBytes(16).toString('hex'), randomBytes(4).toString('hex')]
  await sql`update deployment set id = ${id}, cell = ${cell}`
}

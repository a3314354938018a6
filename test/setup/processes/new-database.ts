/** Databases beside the one that the tests share, for tests that no other rows may disturb. */
import { migrate } from '../../../src/store/migrations.js'
import { openSql } from '../../../src/store/sql.js'

let count = 0

/**
 * Creates a database with the tables of Parley, and returns its URL.
 * @param server_url the URL of any database of the server
 * @param options the part of `create database` after the name
 */
export const newDatabase = async (server_url: string, options = ''): Promise<string> => {
  const url = new URL(server_url)
  const name = `own_${process.pid}_${++count}`
  const outside = openSql(url.href, 1)
  await outside.unsafe(`create database ${name} ${options}`)
  await outside.end()
  url.pathname = `/${name}`
  const inside = openSql(url.href, 1)
  await migrate(inside)
  await inside.end()
  return url.href
}

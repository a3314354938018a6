/** The descriptors of the structural tables, compared with the tables in Postgres. */
import { expect, inject, test } from 'vitest'
import { tableNames, tables } from '../../src/domain/log/tables.js'
import { openSql } from '../../src/store/sql.js'

test('The key of every structural table is its primary key in Postgres.', async () => {
  const sql = openSql(inject('database_url'), 1)
  const rows = await sql<{ name: string; columns: string[] }[]>`
    select i.indrelid::regclass::text as name, array_agg(a.attname::text order by a.attname) as columns
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indisprimary and i.indrelid::regclass::text = any(${[...tableNames]})
    group by i.indrelid`
  await sql.end()
  const primaryKeys = Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
  for (const name of tableNames) {
    const scope = name === 'realms' ? [] : ['realm_id']
    expect(primaryKeys[name], name).toEqual([...scope, ...tables[name].key].sort())
  }
})

/** How often Postgres plans a statement: planning takes longer than running most of them. */
import { expect, inject, onTestFinished, test } from 'vitest'
import { loadHeads } from '../../src/store/log/log.js'
import { loadContent } from '../../src/store/register/registration-content.js'
import { type Db, openSql } from '../../src/store/sql.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'

const openConnection = () => {
  const sql = openSql(inject('database_url'), 1)
  onTestFinished(() => sql.end())
  return sql
}

/** The plans of the statements of this connection that begin so. */
const listPlans = async (sql: Db, start: string) => [
  ...(await sql`
    select generic_plans::int as once, custom_plans::int as by_values from pg_prepared_statements
    where starts_with(ltrim(statement, E' \n'), ${start})`),
]

test('A statement is planned once, at its first call, for all values.', async () => {
  const { realm, ada } = await newRealmWith('Owner', 'Ada')
  await using _ = realm
  const sql = openConnection()
  for (let i = 0; i < 3; i++) {
    await loadHeads(sql, [realm.realm_id])
    await loadContent(sql, realm.realm_id, ada.user_id, ['last_message_id', 'unread_topics', 'unread_direct'])
  }
  expect(await listPlans(sql, 'select realm_id, log_seq')).toEqual([{ once: 3, by_values: 0 }])
  expect(await listPlans(sql, 'select log_seq as seq')).toEqual([{ once: 3, by_values: 0 }])
})

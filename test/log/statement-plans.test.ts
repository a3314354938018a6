/** Statements that Postgres plans once, for all values: planning them at each call would take longer than running them. */
import { expect, inject, onTestFinished, test } from 'vitest'
import { loadHeads } from '../../src/store/log/log.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import { newRealm } from '../setup/realm.js'

/** Postgres decides after five executions. */
const EXECUTIONS = 12

test('The question for the heads of realms is planned once, for all lists of realms.', async () => {
  await using realm = await newRealm()
  const sql = openSql(inject('database_url'), 1)
  onTestFinished(() => sql.end())
  const rollback = new Error('rollback')
  const done = sql.begin(async (tx) => {
    // In a small table all plans cost the same.
    await tx`update pg_class set relpages = 1, reltuples = 1000000 where oid = 'log_heads'::regclass`
    await tx`set local cpu_operator_cost = 0.0000001`
    for (let i = 0; i < EXECUTIONS; i++) await loadHeads(tx as unknown as Sql, [realm.realm_id])
    const executed = await tx`
      select generic_plans > 0 as is_planned_once from pg_prepared_statements
      where generic_plans + custom_plans = ${EXECUTIONS}`
    expect([...executed]).toEqual([{ is_planned_once: true }])
    throw rollback
  })
  await expect(done).rejects.toBe(rollback)
})

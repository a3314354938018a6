/**
 * The query plans of narrow pages in a realm of 50,000 messages: Postgres follows indexes and reads little more than
 * the page, for every narrow and user. Measured times of the same pages: `npm run bench -- narrows`.
 */

import { expect, inject, test } from 'vitest'
import { loadState } from '../../src/store/log/row-tables.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import { newDatabase } from '../setup/processes/new-database.js'
import {
  buffersOf,
  genericPlanOf,
  nodesOf,
  type PlanNode,
  planOf,
  recordStatements,
} from '../setup/processes/statements.js'
import { testDeployment } from '../setup/realm/deployment.js'
import { makeHistory } from '../setup/realm/message-history.js'
import { anchors, narrows, readPage } from '../setup/realm/narrow-cases.js'

/** Tables that grow with the number of messages. */
const largeTables = ['messages', 'message_flags', 'message_terms', 'reactions']
/** The maximum number of buffers for a page of 50 messages. Reading the whole history would take ten times as many. */
const MOST_BUFFERS = 20_000

const sequentialScans = (plan: PlanNode): string[] =>
  [...nodesOf(plan)].flatMap(({ 'Node Type': node, 'Relation Name': table = '' }) =>
    node === 'Seq Scan' && largeTables.includes(table) ? [table] : [],
  )

/** Plan nodes that combine bitmaps: they collect the ids of a whole history to save reading some of its rows. */
const bitmapAnds = (plan: PlanNode): string[] =>
  [...nodesOf(plan)].flatMap(({ 'Node Type': node }) => (node === 'BitmapAnd' ? [node] : []))

test('No narrow page scans a large table sequentially, and none reads more than 20,000 buffers.', {
  timeout: 240_000,
}, async () => {
  // The rows of other tests would be a part of the statistics that decide the plans.
  const sql = openSql(await newDatabase(inject('database_url')), 2) as Sql
  const history = await makeHistory(sql, `plans-${process.pid}-${Date.now().toString(36)}`, 50_000)
  const state = await sql.begin((tx) => loadState(tx, testDeployment(), history.realm_id))
  if (state === undefined) throw new Error('there is no such realm')
  for (const name of Object.keys(narrows)) {
    for (const anchor of Object.keys(anchors) as (keyof typeof anchors)[]) {
      const recorder = recordStatements(sql)
      await readPage(recorder.sql, state, history, name, anchor)
      let buffers = 0
      for (const statement of recorder.statements()) {
        const plan = await planOf(sql, statement)
        const generic = await genericPlanOf(sql, statement)
        const about = `${name} from ${anchor}: ${statement.text}`
        for (const one of [plan, generic]) expect([...sequentialScans(one), ...bitmapAnds(one)], about).toEqual([])
        buffers += buffersOf(plan)
      }
      expect(buffers, `${name} from ${anchor}`).toBeLessThan(MOST_BUFFERS)
    }
  }
  await sql.end()
})

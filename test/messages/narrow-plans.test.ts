/**
 * What Postgres does for a page of a narrow, in a realm of fifty thousand messages: it walks along indexes, and not
 * much further than the page is long, whoever asks for whatever. Times of the same pages: `npm run bench -- narrows`.
 */
import { expect, inject, test } from 'vitest'
import { loadState } from '../../src/store/log/rows.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import { makeHistory } from '../setup/history.js'
import { anchors, narrows, readPage } from '../setup/narrows.js'
import { buffersOf, genericPlanOf, nodesOf, type PlanNode, planOf, watched } from '../setup/statements.js'

/** Tables that grow with the history. */
const long = ['messages', 'message_flags', 'message_words', 'reactions']
/** Pages of the buffer pool that reading fifty messages may touch; those of a whole history would be ten times that. */
const MOST_BUFFERS = 20_000

const scanned = (plan: PlanNode): string[] =>
  [...nodesOf(plan)].flatMap(({ 'Node Type': node, 'Relation Name': table = '' }) =>
    node === 'Seq Scan' && long.includes(table) ? [table] : [],
  )

/** Lists of a whole history, put together to save reading some of its rows. */
const listed = (plan: PlanNode): string[] =>
  [...nodesOf(plan)].flatMap(({ 'Node Type': node }) => (node === 'BitmapAnd' ? [node] : []))

test('no page of a narrow is read by going through a table', { timeout: 240_000 }, async () => {
  const sql = openSql(inject('database_url'), 2) as Sql
  const history = await makeHistory(sql, `plans-${process.pid}-${Date.now().toString(36)}`, 50_000)
  const state = await sql.begin((tx) => loadState(tx, history.realm_id))
  if (state === undefined) throw new Error('there is no such realm')
  for (const name of Object.keys(narrows)) {
    for (const anchor of Object.keys(anchors) as (keyof typeof anchors)[]) {
      const watch = watched(sql)
      await readPage(watch.sql, state, history, name, anchor)
      let buffers = 0
      for (const statement of watch.statements()) {
        const plan = await planOf(sql, statement)
        const generic = await genericPlanOf(sql, statement)
        const about = `${name} from ${anchor}: ${statement.text}`
        for (const one of [plan, generic]) expect([...scanned(one), ...listed(one)], about).toEqual([])
        buffers += buffersOf(plan)
      }
      expect(buffers, `${name} from ${anchor}`).toBeLessThan(MOST_BUFFERS)
    }
  }
  await sql.end()
})

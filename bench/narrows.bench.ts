/**
 * What does a page of a narrow cost in a history of a million messages, against one of ten thousand?
 *
 * Fifty messages around each of four anchors, for every form of narrow and for full-text search, by somebody in two
 * thirds of the channels and by a newcomer who has two quiet ones. The same mixture of messages in both realms, in one
 * database; what is asked comes round by round from the one and the other. Times are those of the database and of
 * everything between it and the messages' rows, in one connection; the pages of the buffer pool that the same
 * statements touch are counted beside, because a busy machine does not change them.
 *
 * Not measured: HTTP and JSON, which are the same for both; a database that does not fit into memory; writes.
 */

import type { RealmState } from '../src/domain/log/state.js'
import { loadState } from '../src/store/log/rows.js'
import { openSql, type Sql } from '../src/store/sql.js'
import { testDeployment } from '../test/setup/deployment.js'
import { type History, makeHistory } from '../test/setup/message-history.js'
import { anchors, narrows, readPage } from '../test/setup/narrow-cases.js'
import { buffersOf, nodesOf, planOf, watched } from '../test/setup/statements.js'
import { type Answer, type Bench, figure, required, rounds } from './bench.js'
import { median } from './measure.js'

const ROUNDS = 5
const SHORT = 10_000

type Anchor = keyof typeof anchors
const anchorNames = Object.keys(anchors) as Anchor[]

interface Side {
  sql: Sql
  history: History
  state: RealmState
}

/** What a group of narrows is called in the table, and which belong to it. */
const groups: readonly (readonly [string, (name: string) => boolean])[] = [
  ['of a newcomer', (name) => name.startsWith('newcomer')],
  ['with words', (name) => name.includes('word')],
  ['by flags, unread', (name) => /unread|mentioned|starred/.test(name)],
  ['by topics followed, muted', (name) => /followed|muted|home/.test(name)],
  ['with links, files, reactions', (name) => name.includes('has:')],
  ['by channel, topic, sender, people', () => true],
]

export const narrowed: Bench = {
  question: 'What does a page of a narrow cost among a million messages, against ten thousand?',
  async run({ sql: admin, database_url, tell, isShort }) {
    const long = isShort ? 100_000 : 1_000_000
    const sql = openSql(database_url, 1)
    const side = async (messages: number): Promise<Side> => {
      const history = await makeHistory(admin, `history-${process.pid}-${messages}`, messages)
      const state = await admin.begin((tx) => loadState(tx, testDeployment(), history.realm_id))
      if (state === undefined) throw new Error('the realm of the bench is gone')
      return { sql, history, state }
    }
    const sides = { small: await side(SHORT), large: await side(long) }
    await admin`vacuum analyze`

    const found = new Map<string, { small: number[]; large: number[]; buffers: [number, number] }>()
    for (const name of Object.keys(narrows)) {
      const turn = async () => ({ small: await timed(sides.small, name), large: await timed(sides.large, name) })
      await turn()
      const turns = await rounds(ROUNDS, turn)
      const looks = { small: await look(sides.small, name), large: await look(sides.large, name) }
      const [small, large] = [turns.map((one) => one.small), turns.map((one) => one.large)]
      found.set(name, { small, large, buffers: [looks.small.buffers, looks.large.buffers] })
      const ratio = median(large.map((time, i) => time / (small[i] ?? Number.NaN)))
      tell(
        `${name}: ${figure(median(large))} ms against ${figure(median(small))} (${figure(ratio)}), ` +
          `${looks.large.buffers} buffers against ${looks.small.buffers}; ${looks.large.indexes.join(', ')}` +
          (looks.large.scans.length > 0 ? `; SCANS ${looks.large.scans.join(', ')}` : ''),
      )
    }
    await sql.end()
    return answersOf(found, long)
  },
}

/** Milliseconds of the pages around all anchors. */
const timed = async ({ sql, history, state }: Side, name: string): Promise<number> => {
  const began = performance.now()
  for (const anchor of anchorNames) await readPage(sql, state, history, name, anchor)
  return performance.now() - began
}

/** What Postgres touches for the same pages, by its own account. */
const look = async ({ sql, history, state }: Side, name: string) => {
  const indexes = new Set<string>()
  const scans = new Set<string>()
  let buffers = 0
  for (const anchor of anchorNames) {
    const watch = watched(sql)
    await readPage(watch.sql, state, history, name, anchor)
    for (const statement of watch.statements()) {
      const plan = await planOf(sql, statement)
      buffers += buffersOf(plan)
      for (const { 'Node Type': node, 'Relation Name': table = '', 'Index Name': index } of nodesOf(plan)) {
        if (index !== undefined && /^(messages|message_)/.test(index)) indexes.add(index)
        if (node === 'Seq Scan' && /^message/.test(table)) scans.add(table)
      }
    }
  }
  return { buffers, indexes: [...indexes].sort(), scans: [...scans] }
}

const answersOf = (
  found: ReadonlyMap<string, { small: number[]; large: number[]; buffers: [number, number] }>,
  long: number,
): Answer[] => {
  const left = new Map(found)
  const answers: Answer[] = []
  for (const [title, belongs] of groups) {
    const own = [...left].filter(([name]) => belongs(name))
    for (const [name] of own) left.delete(name)
    const total = (side: 'small' | 'large', round: number) =>
      own.reduce((sum, [, times]) => sum + (times[side][round] ?? Number.NaN), 0)
    const ratios = Array.from({ length: ROUNDS }, (_, round) => total('large', round) / total('small', round))
    const touched = (side: 0 | 1) => own.reduce((sum, [, { buffers }]) => sum + buffers[side], 0)
    const pages = own.length * anchorNames.length
    const cell = (side: 'small' | 'large', number: 0 | 1) => {
      const each = median(Array.from({ length: ROUNDS }, (_, round) => total(side, round) / pages))
      return `${figure(each)} ms, ${figure(touched(number) / pages)} buffers`
    }
    answers.push({
      what: `a page ${title}, ${long.toLocaleString('en')} messages`,
      ours: cell('large', 1),
      baseline: `${cell('small', 0)} (${SHORT.toLocaleString('en')} messages)`,
      ratios,
      expected: required.atMost(1.5, ratios),
    })
  }
  return answers
}

/**
 * What does a page of a narrow cost in a history of 1,000,000 messages? Baseline: 10,000 messages.
 *
 * A page is 50 messages around an anchor. The benchmark fetches pages around four anchors, for every form of narrow and
 * for full-text search, as the regular user and as the newcomer of test/setup/realm/message-history.ts. Both histories
 * have the same distribution and are in one database; each round fetches the pages of one and then of the other. Times
 * are those of the store on one connection, from the narrow to the rows of the messages. The benchmark also counts the
 * accesses to buffers of the same statements, which other processes of the machine do not change.
 *
 * Not measured: HTTP and JSON, which cost the same for both; a database larger than memory; writes.
 */

import type { RealmState } from '../src/domain/log/state.js'
import { loadState } from '../src/store/log/row-tables.js'
import { openSql, type Sql } from '../src/store/sql.js'
import { buffersOf, nodesOf, planOf, recordStatements } from '../test/setup/processes/statements.js'
import { testDeployment } from '../test/setup/realm/deployment.js'
import { type History, makeHistory } from '../test/setup/realm/message-history.js'
import { anchors, narrows, readPage } from '../test/setup/realm/narrow-cases.js'
import { median } from './harness/measure.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const ROUNDS = 5
/** Some narrows have less than a page in the small history, so that their baseline reads less. */
const MAX_RATIO = 2

type Anchor = keyof typeof anchors
const anchorNames = Object.keys(anchors) as Anchor[]

type Side = 'small' | 'large'

interface LoadedHistory {
  sql: Sql
  history: History
  state: RealmState
}

/** The results of one narrow: milliseconds of each round, and accesses to buffers. */
interface Measurement {
  milliseconds: Record<Side, number[]>
  buffers: Record<Side, number>
}

/** The groups of narrows that the table shows. A narrow belongs to the first group whose function returns true. */
const groups: readonly (readonly [label: string, includes: (name: string) => boolean])[] = [
  ['of a newcomer', (name) => name.startsWith('newcomer')],
  ['with search words', (name) => name.includes('word')],
  ['with flags', (name) => /unread|mentioned|starred/.test(name)],
  ['with followed, muted or home', (name) => /followed|muted|home/.test(name)],
  ['with has:', (name) => name.includes('has:')],
  ['with channel, topic, sender or dm', () => true],
]

export const narrowsBench: Bench = {
  question: 'What does a page of a narrow cost in 1,000,000 messages? Baseline: 10,000 messages',
  async run(environment) {
    const { sql: admin, database_url, print, size } = environment
    const large = size(1_000_000, { short: 100_000, smoke: 2_000 })
    const small = size(10_000, { smoke: 1_000 })
    const sql = openSql(database_url, 1)
    const loadHistory = async (messages: number): Promise<LoadedHistory> => {
      const history = await makeHistory(admin, `history-${process.pid}-${messages}`, messages)
      const state = await admin.begin((tx) => loadState(tx, testDeployment(), history.realm_id))
      if (state === undefined) throw new Error('the realm was not loaded')
      return { sql, history, state }
    }
    const histories = { small: await loadHistory(small), large: await loadHistory(large) }
    await admin`vacuum analyze`

    const measurements = new Map<string, Measurement>()
    for (const name of Object.keys(narrows)) {
      const measureRound = async () => ({
        small: await measureMilliseconds(histories.small, name),
        large: await measureMilliseconds(histories.large, name),
      })
      await measureRound()
      const rounds = await runRounds(environment, ROUNDS, measureRound)
      const plans = { small: await readPlans(histories.small, name), large: await readPlans(histories.large, name) }
      const milliseconds = { small: rounds.map((round) => round.small), large: rounds.map((round) => round.large) }
      const buffers = { small: plans.small.buffers, large: plans.large.buffers }
      measurements.set(name, { milliseconds, buffers })
      const ratio = median(rounds.map((round) => round.large / round.small))
      const { indexes, sequentialScans } = plans.large
      print(
        `${name}: ${formatNumber(median(milliseconds.large))} ms, baseline ${formatNumber(median(milliseconds.small))} ` +
          `(${formatNumber(ratio)}); ${buffers.large} buffers, baseline ${buffers.small}; indexes ${indexes.join(', ')}` +
          (sequentialScans.length > 0 ? `; SEQUENTIAL SCANS OF ${sequentialScans.join(', ')}` : ''),
      )
    }
    await sql.end()
    return summarize(measurements, { small, large })
  },
}

/** Measures the time of the pages around all anchors. */
const measureMilliseconds = async ({ sql, history, state }: LoadedHistory, name: string): Promise<number> => {
  const start = performance.now()
  for (const anchor of anchorNames) await readPage(sql, state, history, name, anchor)
  return performance.now() - start
}

/** Executes the statements of the same pages with EXPLAIN, and reads buffers, indexes and sequential scans. */
const readPlans = async ({ sql, history, state }: LoadedHistory, name: string) => {
  const indexes = new Set<string>()
  const sequentialScans = new Set<string>()
  let buffers = 0
  for (const anchor of anchorNames) {
    const recorder = recordStatements(sql)
    await readPage(recorder.sql, state, history, name, anchor)
    for (const statement of recorder.statements()) {
      const plan = await planOf(sql, statement)
      buffers += buffersOf(plan)
      for (const { 'Node Type': node, 'Relation Name': table = '', 'Index Name': index } of nodesOf(plan)) {
        if (index !== undefined && /^(messages|message_)/.test(index)) indexes.add(index)
        if (node === 'Seq Scan' && /^message/.test(table)) sequentialScans.add(table)
      }
    }
  }
  return { buffers, indexes: [...indexes].sort(), sequentialScans: [...sequentialScans] }
}

/** Summarizes the measurements as one result per group, as averages per page. */
const summarize = (measurements: ReadonlyMap<string, Measurement>, counts: Record<Side, number>): BenchResult[] => {
  const remaining = new Map(measurements)
  return groups.map(([label, includes]) => {
    const names = [...remaining.keys()].filter(includes)
    const members = names.map((name) => remaining.get(name)).filter((member) => member !== undefined)
    for (const name of names) remaining.delete(name)
    const pages = members.length * anchorNames.length
    const sumMilliseconds = (side: Side, round: number) =>
      members.reduce((sum, { milliseconds }) => sum + (milliseconds[side][round] ?? Number.NaN), 0)
    const formatSide = (side: Side) => {
      const milliseconds = median(Array.from({ length: ROUNDS }, (_, round) => sumMilliseconds(side, round) / pages))
      const buffers = members.reduce((sum, member) => sum + member.buffers[side], 0) / pages
      return `${formatNumber(milliseconds)} ms, ${formatNumber(buffers)} buffers`
    }
    const ratios = Array.from(
      { length: ROUNDS },
      (_, round) => sumMilliseconds('large', round) / sumMilliseconds('small', round),
    )
    return {
      label: `one page, narrows ${label}, ${counts.large.toLocaleString('en')} messages`,
      measured: formatSide('large'),
      baseline: `${formatSide('small')} (${counts.small.toLocaleString('en')} messages)`,
      ratios,
      bound: requireAtMost(MAX_RATIO, ratios),
    }
  })
}

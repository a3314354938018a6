/**
 * What does a message to a channel of 20,000 subscribers cost the database? Baseline: a channel of ten subscribers.
 *
 * The benchmark sends the same message one time after another through the store, as a gateway does. It measures
 * statements, rows written, bytes of write-ahead log, accesses to buffers, and time. Postgres counts everything except
 * statements and time, so other processes of the machine do not change the counts.
 *
 * Not measured: HTTP, delivery (see fanout), and mentions, which write a row per mentioned user.
 */

import { openCell } from '../src/store/cell/cell.js'
import { openPools } from '../src/store/cell/pools.js'
import { WriteContext } from '../src/store/log/write-context.js'
import { sendMessage } from '../src/store/messages/sending/send-message.js'
import { openSql, type Sql } from '../src/store/sql.js'
import { recordStatements } from '../test/setup/processes/statements.js'
import { testDeployment } from '../test/setup/realm/deployment.js'
import { openScopeOf } from '../test/setup/realm/scope.js'
import type { BenchEnvironment } from './fleet/environment.js'
import { createBenchRealm } from './fleet/realm.js'
import { median } from './harness/measure.js'
import { readCounters, subtractCounters } from './harness/postgres-counters.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const FEW = 10
const ROUNDS = 5

/** The cost of one send. */
interface Cost {
  statements: number
  rows: number
  wal: number
  buffers: number
  milliseconds: number
}

export const audienceBench: Bench = {
  question: 'What does a message to a channel of 20,000 subscribers cost the database? Baseline: ten subscribers',
  async run(environment) {
    const many = environment.size(20_000, { short: 2_000, smoke: 50 })
    const sql = openSql(environment.database_url, 1)
    const senders = {
      few: await openSender(environment, sql, FEW),
      many: await openSender(environment, sql, many),
    }
    const measureRound = async () => ({ few: await senders.few.measureCost(), many: await senders.many.measureCost() })
    await measureRound()
    const results = await runRounds(environment, ROUNDS, measureRound)
    await Promise.all([senders.few.close(), senders.many.close()])
    await sql.end()

    const compare = (name: string, key: keyof Cost, unit: string, isRequired: boolean): BenchResult => {
      const formatMedian = (side: 'few' | 'many') =>
        `${formatNumber(median(results.map((result) => result[side][key])))} ${unit}`.trimEnd()
      const ratios = results.map(({ few, many }) => many[key] / few[key])
      return {
        label: `one send to ${many.toLocaleString('en')} subscribers: ${name}`,
        measured: formatMedian('many'),
        baseline: `${formatMedian('few')} (${FEW} subscribers)`,
        ratios,
        ...(isRequired ? { bound: requireAtMost(1.2, ratios) } : {}),
      }
    }
    return [
      compare('statements', 'statements', '', true),
      compare('rows written', 'rows', '', true),
      compare('write-ahead log', 'wal', 'bytes', true),
      compare('buffer accesses', 'buffers', '', true),
      compare('time', 'milliseconds', 'ms', false),
    ]
  },
}

/** Opens a sender to a channel with `subscribers` subscribers, none of whom is connected. */
const openSender = async (environment: BenchEnvironment, sql: Sql, subscribers: number) => {
  const { id, channel_id, user_ids } = await createBenchRealm(environment, subscribers)
  const recorder = recordStatements(sql)
  const pools = openPools({ DATABASE_URL: environment.database_url }, { connections: 1 })
  // The senders share one connection, which is that of the counters.
  const cell = openCell(
    { ...pools, sql: recorder.sql },
    {
      redis_url: environment.redis_url,
      scope: openScopeOf(environment.sql),
      deployment: testDeployment(),
      anti_entropy_ms: 3_600_000,
    },
  )
  const realm = await cell.realms.get(id)
  const sender = realm?.state.users.get(user_ids[0] ?? 0)
  if (realm === undefined || sender === undefined) throw new Error('the realm was not loaded')
  const sends = environment.size(200, { smoke: 5 })
  const content = 'The kettle is on again, and **whoever** wants tea should come before the call at three.'
  return {
    async measureCost(): Promise<Cost> {
      const [sent, before, start] = [recorder.statements().length, await readCounters(sql), performance.now()]
      for (let i = 0; i < sends; i++) {
        const to = { channel: channel_id, topic: 'tea' }
        await sendMessage(WriteContext.open(cell.writing, realm), { sender, to, content, client: 'bench' })
      }
      const milliseconds = (performance.now() - start) / sends
      const { rows, wal, buffers } = subtractCounters(await readCounters(sql), before)
      const statements = (recorder.statements().length - sent) / sends
      return { statements, rows: rows / sends, wal: wal / sends, buffers: buffers / sends, milliseconds }
    },
    close: cell.close,
  }
}

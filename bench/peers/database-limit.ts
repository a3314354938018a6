/** The physical limit of durable sends: the database alone, one transaction per message (baselines/). */
import type { SingleTransactionProcedures } from '../baselines/single-transactions.js'
import type { BenchEnvironment } from '../fleet/environment.js'
import { createBenchRealm } from '../fleet/realm.js'
import { startProcess } from '../harness/child-process.js'
import type { DatabaseFigures } from '../harness/comparison.js'
import { createRoundCounts, measureRounds } from '../harness/machine.js'
import { median, percentile, readCpuSecondsOfTree } from '../harness/measure.js'
import { findPostmasterPid } from '../harness/postmaster.js'
import type { Work } from './compare.js'

/** Measures it with a number of connections. */
export const measureDatabase = async (
  environment: BenchEnvironment,
  { senders, closedSeconds, rounds }: Work,
  pool: number,
): Promise<DatabaseFigures> => {
  const { group, database_url, sql, scale } = environment
  const realm = await createBenchRealm(environment, 1)
  const child = startProcess<SingleTransactionProcedures>(group, 'baselines/single-transactions')
  await child.call('open', {
    database_url,
    pool,
    realm_id: realm.id,
    channel_id: realm.channel_id,
    sender_id: realm.user_ids[0] ?? 0,
  })
  const postgres = await findPostmasterPid(sql)
  const send = async () => {
    const before = readCpuSecondsOfTree(postgres)
    const { count, seconds, responseTimes } = await child.call('sendInClosedLoop', { senders, seconds: closedSeconds })
    const stores = ((readCpuSecondsOfTree(postgres) - before) * 1e6) / count
    return { perSecond: count / seconds, stores, p99: percentile(responseTimes, 0.99) }
  }
  await send()
  const counts = createRoundCounts()
  const results = await measureRounds(counts, { count: rounds, isRepeating: scale !== 'smoke' }, send)
  await child.stop()
  const middle = (key: 'perSecond' | 'stores' | 'p99') => median(results.map((one) => one[key]))
  return { pool, perSecond: middle('perSecond'), stores: middle('stores'), p99: middle('p99'), rounds: counts }
}

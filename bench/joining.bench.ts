/**
 * What does it cost when one request subscribes 5,000 users to a channel? Baseline: one user per request.
 *
 * The benchmark measures the time of the request over HTTP, the write-ahead log of the database, and the length of the
 * text in the realm's log, from which every replica reads it. The ratio is per user.
 *
 * Not measured: delivery of the events. No client is connected.
 */

import { openSql, type Sql } from '../src/store/sql.js'
import { type BenchRealm, createBenchRealm } from './fleet/realm.js'
import { median } from './harness/measure.js'
import { readCounters, subtractCounters } from './harness/postgres-counters.js'
import { connectHttp, formatRequest, type HttpConnection, parseSuccess } from './load/http.js'
import { type Bench, type BenchResult, formatNumber, runRounds } from './results/bench.js'

const ROUNDS = 3

interface Cost {
  milliseconds: number
  wal: number
  text: number
}

export const joiningBench: Bench = {
  question: 'What does it cost when one request subscribes 5,000 users to a channel? Baseline: one user per request',
  async run(environment) {
    const users = environment.size(5_000, { short: 1_000, smoke: 20 })
    /** requests with one user, per round */
    const singleRequests = environment.size(50, { smoke: 4 })
    const realm = await createBenchRealm(environment, users)
    const gateway = await environment.startGateway()
    const sql = openSql(environment.database_url, 1)
    const connection = await connectHttp(gateway.port)
    let channels = 0
    /** Subscribes users to a new channel, with one request per list of users. */
    const measureCost = async (requests: readonly (readonly number[])[]): Promise<Cost> => {
      channels += 1
      const name = `channel ${channels}`
      await subscribe(connection, realm, name, [realm.user_ids[0] ?? 0])
      const [before, textBefore] = [await readCounters(sql), await measureLogText(sql, realm.id)]
      const start = performance.now()
      for (const user_ids of requests) await subscribe(connection, realm, name, user_ids)
      const milliseconds = performance.now() - start
      const { wal } = subtractCounters(await readCounters(sql), before)
      return { milliseconds, wal, text: (await measureLogText(sql, realm.id)) - textBefore }
    }
    const others = realm.user_ids.slice(1)
    const singles = others.slice(0, singleRequests).map((id) => [id])
    await measureCost(singles)
    const costs = await runRounds(environment, ROUNDS, async () => ({
      all: await measureCost([others]),
      singles: await measureCost(singles),
    }))
    connection.close()
    await Promise.all([gateway.stop(), sql.end()])

    const compare = (name: string, key: keyof Cost, unit: string): BenchResult => {
      const all = costs.map((cost) => cost.all[key])
      const single = costs.map((cost) => cost.singles[key] / singleRequests)
      return {
        label: `one request subscribes ${users.toLocaleString('en')} users: ${name}`,
        measured: `${formatNumber(median(all))} ${unit}, ${formatNumber(median(all) / others.length)} per user`,
        baseline: `${formatNumber(median(single))} ${unit} (one user)`,
        ratios: all.map((cost, i) => cost / others.length / (single[i] ?? Number.NaN)),
      }
    }
    return [
      compare('time', 'milliseconds', 'ms'),
      compare('write-ahead log', 'wal', 'bytes'),
      compare('text in the log of the realm', 'text', 'bytes'),
    ]
  },
}

const subscribe = async (
  connection: HttpConnection,
  realm: BenchRealm,
  name: string,
  user_ids: readonly number[],
): Promise<void> => {
  const fields = {
    subscriptions: JSON.stringify([{ name }]),
    principals: JSON.stringify(user_ids),
    send_new_subscription_messages: 'false',
  }
  const identity = realm.identify(realm.user_ids[0] ?? 0)
  parseSuccess(await connection.send(formatRequest('POST', '/users/me/subscriptions', identity, fields)))
}

/** Measures the length of all entries of a realm, in characters. */
const measureLogText = async (sql: Sql, realm_id: number): Promise<number> => {
  const [row] = await sql<{ length: number }[]>`
    select coalesce(sum(length(audience::text) + length(data::text) + coalesce(length(rows::text), 0)), 0)::bigint as length
    from log where realm_id = ${realm_id}`
  return row?.length ?? 0
}

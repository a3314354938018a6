/**
 * What does a message take on the disk? Baseline: the bytes of its content.
 *
 * 100 members send messages of a hundred characters through a gateway, and their words are indexed. Then the tables are
 * vacuumed: the growth of each table with its indexes, and of the write-ahead log, per message. The log of entries is
 * kept for days only, so it is apart from the history.
 *
 * Not measured: flags, reactions and files, which depend on what people do; a table that shrank before.
 */
import { indexRealm } from '../src/store/messages/narrow/index-messages.js'
import { openSql, type Sql } from '../src/store/sql.js'
import { createBenchRealm, startSenders } from './fleet/realm.js'
import { readCounters, subtractCounters } from './harness/postgres-counters.js'
import { content } from './load/messages.js'
import { type Bench, type BenchResult, formatNumber } from './results/bench.js'

/** Kept for `LOG_RETENTION_DAYS`. */
const LOG = 'log'
/** Also counted in the history. */
const WORDS = 'message_terms'

export const storageBench: Bench = {
  question: 'What does a message take on the disk? Baseline: the bytes of its content',
  async run(environment) {
    const { database_url, print, size } = environment
    const count = size(50_000, { short: 5_000, smoke: 200 })
    const realm = await createBenchRealm(environment, 100)
    const gateway = await environment.startGateway()
    const senders = startSenders(environment, realm, gateway.port, realm.user_ids)
    const sql = openSql(database_url, 1)
    const send = async (messages: number) => {
      await senders.send({ rate: size(1_000, { smoke: 500 }), count: messages })
      await indexRealm(sql, realm.id)
    }
    // Without the pages that a table begins with.
    await send(size(1_000, { smoke: 50 }))
    const before = { sizes: await readSizes(sql), counters: await readCounters(sql) }
    await send(count)
    const counters = subtractCounters(await readCounters(sql), before.counters)
    const sizes = await readSizes(sql)
    await Promise.all([senders.stop(), gateway.stop(), sql.end()])

    const growth = new Map(
      [...sizes].map(([table, bytes]) => [table, (bytes - (before.sizes.get(table) ?? 0)) / count]),
    )
    for (const [table, bytes] of growth) if (bytes >= 1) print(`${table}: ${formatNumber(bytes)} bytes per message`)
    const history = [...growth].reduce((sum, [table, bytes]) => (table === LOG ? sum : sum + bytes), 0)
    const compose = (label: string, bytes: number): BenchResult => ({
      label,
      measured: `${formatNumber(bytes)} bytes`,
      baseline: `${content.length} bytes of content`,
      ratios: [bytes / content.length],
    })
    return [
      compose('a message in the history, with indexes', history),
      compose('the words of a message for searches, with their index', growth.get(WORDS) ?? 0),
      compose('a message in the log of entries', growth.get(LOG) ?? 0),
      compose('a message in the write-ahead log', counters.wal / count),
    ]
  },
}

/** The bytes of each table with its indexes and its long values, after a vacuum. */
const readSizes = async (sql: Sql): Promise<Map<string, number>> => {
  await sql`vacuum analyze`
  const rows = await sql<{ name: string; bytes: number }[]>`
    select relname as name, pg_total_relation_size(oid)::bigint as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by bytes desc`
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}

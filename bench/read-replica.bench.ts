/**
 * What does reading history cost the primary when a standby runs the reads? Baseline: without a standby.
 *
 * Two gateways of one database, one of them with DATABASE_READ_URL. Callers read pages of 100 messages of a channel, or
 * search in it, in a closed loop, first through one gateway and then through the other. The result is the CPU time of
 * all processes of the primary per read. What is left with a standby is the question for the head of the log, which all
 * reads of a gateway share that wait at the same time. The CPU time of the standby and of the gateways is printed.
 *
 * Not measured: the replay of the log on the standby, which costs the same without reads; the network between servers.
 */
import { indexRealm } from '../src/store/messages/narrow/index-messages.js'
import type { BenchEnvironment, GatewayProcess } from './fleet/environment.js'
import { createBenchRealm } from './fleet/realm.js'
import { startStandby } from './fleet/standby.js'
import { startProcess } from './harness/child-process.js'
import { median, readCpuSeconds, readCpuSecondsOfTree } from './harness/measure.js'
import type { ClosedLoopCallProcedures } from './load/closed-loop-calls.js'
import { formatRequest } from './load/http.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const ROUNDS = 5
const CONNECTIONS = 8

/** Microseconds of CPU per read. */
interface Cost {
  primary: number
  standby: number
  gateway: number
}

export const readReplicaBench: Bench = {
  question: 'What does reading history cost the primary when a standby runs the reads? Baseline: without a standby',
  async run(environment) {
    const { group, size, print } = environment
    const messages = size(100_000, { short: 10_000, smoke: 500 })
    const reads = size(2_000, { short: 300, smoke: 20 })
    const realm = await createBenchRealm(environment, 1)
    await insertMessages(environment, realm.id, realm.channel_id, messages)
    const standby = await startStandby(environment)
    const gateways = {
      without: await environment.startGateway(),
      with: await environment.startGateway({ DATABASE_READ_URL: standby.url }),
    }
    const callers = startProcess<ClosedLoopCallProcedures>(group, 'load/closed-loop-calls')
    const identity = realm.identify(realm.user_ids[0] ?? 0)
    const format = (page: Record<string, string>, terms: readonly object[]) => {
      const narrow = JSON.stringify([{ operator: 'channel', operand: realm.channel_id }, ...terms])
      return formatRequest('GET', '/messages', identity, { anchor: 'newest', num_after: '0', narrow, ...page })
    }
    const kinds = [
      ['a page of 100 messages', format({ num_before: '100' }, [])],
      ['a search of 20 messages', format({ num_before: '20' }, [{ operator: 'search', operand: 'kettle' }])],
    ] as const

    const measure = async (gateway: GatewayProcess, text: string): Promise<Cost> => {
      const read = () => ({
        primary: readCpuSecondsOfTree(standby.pids.primary),
        standby: readCpuSecondsOfTree(standby.pids.standby),
        gateway: readCpuSeconds(gateway.pid),
      })
      const before = read()
      await callers.call('repeatCall', { port: gateway.port, text, connections: CONNECTIONS, count: reads })
      const after = read()
      const perRead = (key: keyof Cost) => ((after[key] - before[key]) * 1e6) / reads
      return { primary: perRead('primary'), standby: perRead('standby'), gateway: perRead('gateway') }
    }
    const results: BenchResult[] = []
    for (const [label, text] of kinds) {
      await standby.catchUp()
      const measureRound = async () => ({
        without: await measure(gateways.without, text),
        with: await measure(gateways.with, text),
      })
      await measureRound()
      const rounds = await runRounds(environment, ROUNDS, measureRound)
      const find = (side: 'without' | 'with', key: keyof Cost) =>
        formatNumber(median(rounds.map((round) => round[side][key])))
      const ratios = rounds.map((round) => round.with.primary / round.without.primary)
      const isRun =
        median(rounds.map((round) => round.with.standby)) > median(rounds.map((round) => round.with.primary))
      if (!isRun && environment.scale !== 'smoke') throw new Error('the standby did not run the reads')
      print(
        `${label}: standby ${find('with', 'standby')} µs; gateway ${find('with', 'gateway')} µs, without a standby ${find('without', 'gateway')} µs`,
      )
      results.push({
        label: `${label}: CPU of the primary`,
        measured: `${find('with', 'primary')} µs`,
        baseline: `${find('without', 'primary')} µs (without a standby)`,
        ratios,
        bound: requireAtMost(0.25, ratios),
      })
    }
    await callers.stop()
    await Promise.all([gateways.with.stop(), gateways.without.stop(), standby.sql.end()])
    return results
  },
}

/** Inserts messages of the only user, which are indexed for searches. */
const insertMessages = async ({ sql }: BenchEnvironment, realm_id: number, channel_id: number, count: number) => {
  await sql`
    insert into messages (
      realm_id, id, sender_id, channel_id, topic, content, rendered_content, timestamp, client, is_me_message,
      sender_read, has_link, has_image, has_attachment
    )
    select ${realm_id}, n, 2, ${channel_id}, 'tea ' || n % 50, text, '<p>' || text || '</p>', 1700000000 + n, 'bench',
      false, true, false, false, false
    from generate_series(1, ${count}::int) as n, lateral (
      select 'Message ' || n || case when n % 100 = 0 then ': the kettle' else ': the pot' end
        || ' is on again, and everyone is welcome to tea before the call at three.' as text
    ) as texts`
  await sql`update log_heads set last_message_id = ${count} where realm_id = ${realm_id}`
  await indexRealm(sql, realm_id)
  await sql`vacuum analyze`
}

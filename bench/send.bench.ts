/**
 * How many durable sends per second can one gateway answer? Baseline: the database alone, one transaction per message.
 *
 * 256 senders each send the next message when the last one is acknowledged, over HTTP keep-alive and as calls over
 * sockets. The baseline does without the send combiner: 256 callers, one transaction per message with the same three
 * writes in one round trip, through a pool as large as the gateway's. It has no HTTP, Markdown, Redis or load process
 * beside it, so the ratio is smaller than the effect of the combiner alone.
 *
 * Not measured: fan-out (no client receives the messages), several realms or replicas at once, messages with mentions
 * or links. Postgres runs with fsync on. The duration of an fsync depends on the machine.
 */
import type { SingleTransactionProcedures } from './baselines/single-transactions.js'
import { buildHandshake, createBenchRealm, registerQueues } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import { median, percentile } from './harness/measure.js'
import type { ClosedLoopSenderProcedures } from './load/closed-loop-senders.js'
import { formatSendCall, formatSendRequest } from './load/messages.js'
import { type Bench, type BenchResult, formatNumber, requireAtLeast, runRounds } from './results/bench.js'

const ROUNDS = 5
/** Connections of the gateway's pool. */
const POOL = 10
/** All sends lock the same row, so the baseline is fastest when few connections wait for the lock. */
const FASTEST_POOL = 2

interface Measurement {
  count: number
  seconds: number
  responseTimes: number[]
}

export const sendBench: Bench = {
  question: 'How many durable sends per second can one gateway answer? Baseline: one transaction per message',
  async run(environment) {
    const { group, print, size } = environment
    const senderCount = size(256, { smoke: 8 })
    const [warmUp, seconds] = [size(1, { smoke: 0.2 }), size(2, { smoke: 0.2 })]
    const realm = await createBenchRealm(environment, senderCount)
    const baselineRealm = await createBenchRealm(environment, senderCount)
    const gateway = await environment.startGateway()
    const { port } = gateway
    const senders = startProcess<ClosedLoopSenderProcedures>(group, 'load/closed-loop-senders')
    const requests = realm.user_ids.map((id) => formatSendRequest(realm.identify(id), realm.channel_id))
    await senders.call('openHttpSenders', { group: 'http', port, requests })
    // These queues receive no message events, so the sockets carry only the responses.
    const queues = await registerQueues(realm, port, realm.user_ids, { event_types: '["restart"]' })
    await senders.call('openSocketSenders', {
      group: 'sockets',
      port,
      host: realm.host,
      handshakes: queues.map(buildHandshake),
      call: formatSendCall(realm.channel_id),
    })
    const startTransactions = async (pool: number) => {
      const child = startProcess<SingleTransactionProcedures>(group, 'baselines/single-transactions')
      const { id: realm_id, channel_id, user_ids } = baselineRealm
      const { database_url } = environment
      await child.call('open', { database_url, pool, realm_id, channel_id, sender_id: user_ids[0] ?? 0 })
      return child
    }
    const [transactions, fastest] = [await startTransactions(POOL), await startTransactions(FASTEST_POOL)]

    const sides: { [side: string]: (seconds: number) => Promise<Measurement> } = {
      http: (seconds) => senders.call('sendMessages', { group: 'http', seconds }),
      sockets: (seconds) => senders.call('sendMessages', { group: 'sockets', seconds }),
      transactions: (seconds) => transactions.call('sendInClosedLoop', { senders: senderCount, seconds }),
      fastest: (seconds) => fastest.call('sendInClosedLoop', { senders: senderCount, seconds }),
    }
    for (const measure of Object.values(sides)) await measure(warmUp)
    const rounds = await runRounds(environment, ROUNDS, async () => {
      const round: { [side: string]: Measurement } = {}
      for (const [side, measure] of Object.entries(sides)) round[side] = await measure(seconds)
      return round
    })
    await Promise.all([senders, transactions, fastest].map((child) => child.stop()))
    await gateway.stop()

    const rates = (side: string) =>
      rounds.map((round) => (round[side]?.count ?? Number.NaN) / (round[side]?.seconds ?? Number.NaN))
    for (const side of Object.keys(sides)) {
      const times = rounds.flatMap((round) => round[side]?.responseTimes ?? [])
      const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)].map(formatNumber)
      print(`${side}: ${rates(side).map(formatNumber).join(', ')} sends/s; one send: p50 ${p50} ms, p99 ${p99} ms`)
    }
    const compare = (label: string, side: string, baseline: string, name: string): BenchResult => {
      const baselineRates = rates(baseline)
      return {
        label,
        measured: `${formatNumber(median(rates(side)))}/s`,
        baseline: `${formatNumber(median(baselineRates))}/s (${name})`,
        ratios: rates(side).map((rate, i) => rate / (baselineRates[i] ?? Number.NaN)),
      }
    }
    const name = `one transaction each, pool of ${POOL}`
    const http = compare(`sends per second over HTTP, ${senderCount} senders`, 'http', 'transactions', name)
    return [
      { ...http, bound: requireAtLeast(3.5, http.ratios) },
      compare(`sends per second as socket calls, ${senderCount} senders`, 'sockets', 'transactions', name),
      compare(
        `sends per second over HTTP, ${senderCount} senders`,
        'http',
        'fastest',
        `one transaction each, pool of ${FASTEST_POOL}, the fastest`,
      ),
    ]
  },
}

/**
 * How long does a message take from send to delivery, on one replica and across two?
 *
 * Users send 500 or 2,000 messages per second over HTTP, each at its due time. Every message is delivered to 20
 * sockets: of the same gateway, and of another gateway that receives the entry through Redis. Times are measured from
 * the due time of a message until a socket's reader has it. Baseline: the commit alone, as single transactions on the
 * same database at the same rate.
 *
 * Not measured: networks (all connections are loopback), large audiences (see fanout), outages of Redis.
 * Load and servers share the cores of this machine, so the high percentiles include the effect of the load.
 */
import type { SingleTransactionProcedures } from './baselines/single-transactions.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './bench.js'
import { startProcess } from './child-process.js'
import type { GatewayProcess } from './environment.js'
import { formatSendRequest } from './load/messages.js'
import type { OpenLoopSenderProcedures } from './load/open-loop-senders.js'
import { median, percentile } from './measure.js'
import { buildHandshake, createBenchRealm, registerQueues } from './realm.js'

const RECEIVERS = 20
const SENDERS = 8
/** messages per second */
const RATES = [500, 2_000]
const SECONDS = 2
const ROUNDS = 5
/** For the median, in times of the commit's. */
const MAX_P50_RATIO = 1.5
const MAX_P99_MS = 10

/** Measures the milliseconds of each delivery or commit. */
type Measure = (rate: number) => Promise<number[]>

export const latencyBench: Bench = {
  question: 'How long does a message take from send to delivery? Baseline: its commit alone',
  async run(environment) {
    const { group, database_url, size } = environment
    const countAt = (rate: number) => rate * size(SECONDS, { smoke: 0.1 })
    const [first, second] = [await environment.startGateway(), await environment.startGateway()]
    const children: { stop(): Promise<void> }[] = []

    /** Prepares sends to one gateway and sockets at one, in a new realm: no other client receives the messages. */
    const prepareDelivery = async (to: GatewayProcess, from: GatewayProcess): Promise<Measure> => {
      const realm = await createBenchRealm(environment, RECEIVERS + SENDERS)
      const senders = startProcess<OpenLoopSenderProcedures>(group, 'load/open-loop-senders')
      children.push(senders)
      const ids = realm.user_ids.slice(RECEIVERS)
      const requests = ids.map((id) => formatSendRequest(realm.identify(id), realm.channel_id))
      const queues = await registerQueues(realm, from.port, realm.user_ids.slice(0, RECEIVERS))
      const handshakes = queues.map(buildHandshake)
      await senders.call('openReceivers', { port: from.port, host: realm.host, handshakes })
      return async (rate) => {
        const load = { port: to.port, requests, rate, count: countAt(rate) }
        const { deliveryTimes, missing } = await senders.call('sendMessages', load)
        if (missing !== 0) throw new Error(`${missing} deliveries are missing`)
        return deliveryTimes
      }
    }
    const prepareCommit = async (): Promise<Measure> => {
      const { id: realm_id, channel_id, user_ids } = await createBenchRealm(environment, 1)
      const transactions = startProcess<SingleTransactionProcedures>(group, 'baselines/single-transactions')
      children.push(transactions)
      const options = { database_url, pool: 10, realm_id, channel_id, sender_id: user_ids[0] ?? 0 }
      await transactions.call('open', options)
      return (rate) => transactions.call('sendAtRate', { rate, count: countAt(rate) })
    }

    const measure = {
      one: await prepareDelivery(first, first),
      two: await prepareDelivery(first, second),
      commit: await prepareCommit(),
    }
    const measureRound = async (rate: number) => ({
      one: await measure.one(rate),
      two: await measure.two(rate),
      commit: await measure.commit(rate),
    })
    const rounds: { rate: number; times: Awaited<ReturnType<typeof measureRound>>[] }[] = []
    for (const rate of RATES) {
      await measureRound(rate)
      rounds.push({ rate, times: await runRounds(environment, ROUNDS, () => measureRound(rate)) })
    }
    await Promise.all(children.map((child) => child.stop()))
    await Promise.all([first.stop(), second.stop()])

    return rounds.flatMap(({ rate, times }) =>
      sides.flatMap(([side, replicas]) =>
        percentiles.map(([share, name]): BenchResult => {
          const ofRounds = (key: keyof typeof measure) => times.map((round) => percentile(round[key], share))
          const [measured, baseline] = [ofRounds(side), ofRounds('commit')]
          const ratios = measured.map((time, i) => time / (baseline[i] ?? Number.NaN))
          return {
            label: `send to delivery, ${rate} messages/s, ${replicas}: ${name}`,
            measured: `${formatNumber(median(measured))} ms`,
            baseline: `${formatNumber(median(baseline))} ms (${name} of a single transaction)`,
            ratios,
            bound:
              name === 'p50'
                ? { ...requireAtMost(MAX_P50_RATIO, ratios), isRequired: false }
                : { text: `≤ ${MAX_P99_MS} ms`, isMet: median(measured) <= MAX_P99_MS, isRequired: false },
          }
        }),
      ),
    )
  },
}

const sides = [
  ['one', 'one replica'],
  ['two', 'across two replicas'],
] as const
const percentiles = [
  [0.5, 'p50'],
  [0.99, 'p99'],
] as const

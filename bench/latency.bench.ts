/**
 * How long does a message take from send to delivery, on one replica and across two?
 *
 * Users send 500 or 2,000 messages per second over HTTP, each at its due time. Every message is delivered to 20
 * sockets: of the same gateway, and of another gateway that receives the entry through Redis. Times are measured from
 * the due time of a message until a socket's reader has it. Baselines, on the same database at the same rate: the
 * commit alone, as single transactions; and a minimal server, which does nothing but store a message and publish it.
 *
 * Not measured: networks (all connections are loopback), large audiences (see fanout), outages of Redis.
 * Load and servers share the cores of this machine, so the high percentiles include the effect of the load.
 */
import type { MinimalServerProcedures } from './baselines/minimal-server.js'
import type { SingleTransactionProcedures } from './baselines/single-transactions.js'
import { type BenchQueue, type BenchRealm, buildHandshake, createBenchRealm, registerQueues } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import { median, percentile } from './harness/measure.js'
import { formatSendRequest } from './load/messages.js'
import type { OpenLoopSenderProcedures } from './load/open-loop-senders.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

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
  question: 'How long does a message take from send to delivery? Baselines: its commit alone, and a minimal server',
  async run(environment) {
    const { group, database_url, size } = environment
    const countAt = (rate: number) => rate * size(SECONDS, { smoke: 0.1 })
    const [first, second] = [await environment.startGateway(), await environment.startGateway()]
    const children: { stop(): Promise<void> }[] = []

    const openRealm = () => createBenchRealm(environment, RECEIVERS + SENDERS)
    /** Prepares sends to one port, and sockets at another that receive them. */
    const prepareDelivery = async (
      realm: BenchRealm,
      to: number,
      from: number,
      queues: BenchQueue[],
    ): Promise<Measure> => {
      const senders = startProcess<OpenLoopSenderProcedures>(group, 'load/open-loop-senders')
      children.push(senders)
      const ids = realm.user_ids.slice(RECEIVERS)
      const requests = ids.map((id) => formatSendRequest(realm.identify(id), realm.channel_id))
      const handshakes = queues.map(buildHandshake)
      await senders.call('openReceivers', { port: from, host: realm.host, handshakes })
      return async (rate) => {
        const { deliveryTimes, missing } = await senders.call('sendMessages', {
          port: to,
          requests,
          rate,
          count: countAt(rate),
        })
        if (missing !== 0) throw new Error(`${missing} deliveries are missing`)
        return deliveryTimes
      }
    }
    /** Prepares sends to one gateway and sockets at one, in a new realm: no other client receives the messages. */
    const prepareGateways = async (to: number, from: number) => {
      const realm = await openRealm()
      const queues = await registerQueues(realm, from, realm.user_ids.slice(0, RECEIVERS))
      return prepareDelivery(realm, to, from, queues)
    }
    const describeStore = ({ id: realm_id, channel_id, user_ids }: BenchRealm) => ({
      database_url,
      pool: 10,
      realm_id,
      channel_id,
      sender_id: user_ids[0] ?? 0,
    })
    const prepareMinimalServer = async () => {
      const realm = await openRealm()
      const server = startProcess<MinimalServerProcedures>(group, 'baselines/minimal-server')
      children.push(server)
      const port = await server.call('listen', describeStore(realm))
      // The server has no queues: it accepts every socket.
      const queues = Array<BenchQueue>(RECEIVERS).fill({ queue_id: '', last_event_id: -1, credentials: '' })
      return prepareDelivery(realm, port, port, queues)
    }
    const prepareCommit = async (): Promise<Measure> => {
      const transactions = startProcess<SingleTransactionProcedures>(group, 'baselines/single-transactions')
      children.push(transactions)
      await transactions.call('open', describeStore(await createBenchRealm(environment, 1)))
      return (rate) => transactions.call('sendAtRate', { rate, count: countAt(rate) })
    }

    const measure = {
      one: await prepareGateways(first.port, first.port),
      two: await prepareGateways(first.port, second.port),
      commit: await prepareCommit(),
      minimal: await prepareMinimalServer(),
    }
    const measureRound = async (rate: number) => ({
      one: await measure.one(rate),
      two: await measure.two(rate),
      commit: await measure.commit(rate),
      minimal: await measure.minimal(rate),
    })
    const rounds: { rate: number; times: Awaited<ReturnType<typeof measureRound>>[] }[] = []
    for (const rate of RATES) {
      await measureRound(rate)
      rounds.push({ rate, times: await runRounds(environment, ROUNDS, () => measureRound(rate)) })
    }
    await Promise.all(children.map((child) => child.stop()))
    await Promise.all([first.stop(), second.stop()])

    return rounds.flatMap(({ rate, times }) =>
      percentiles.flatMap(([share, name]) => {
        const ofRounds = (key: keyof typeof measure) => times.map((round) => percentile(round[key], share))
        return comparisons.map(([key, replicas, against, what]): BenchResult => {
          const [measured, baseline] = [ofRounds(key), ofRounds(against)]
          const ratios = measured.map((time, i) => time / (baseline[i] ?? Number.NaN))
          return {
            label: `send to delivery, ${rate} messages/s, ${replicas}: ${name}`,
            measured: `${formatNumber(median(measured))} ms`,
            baseline: `${formatNumber(median(baseline))} ms (${name} of ${what})`,
            ratios,
            ...(against === 'commit' ? { bound: judge(name, measured, ratios) } : {}),
          }
        })
      }),
    )
  },
}

const comparisons = [
  ['one', 'one replica', 'commit', 'a single transaction'],
  ['two', 'across two replicas', 'commit', 'a single transaction'],
  ['one', 'one replica', 'minimal', 'the minimal server'],
] as const
const percentiles = [
  [0.5, 'p50'],
  [0.99, 'p99'],
] as const

const judge = (name: 'p50' | 'p99', measured: readonly number[], ratios: readonly number[]) =>
  name === 'p50'
    ? { ...requireAtMost(MAX_P50_RATIO, ratios), isRequired: false }
    : { text: `≤ ${MAX_P99_MS} ms`, isMet: median(measured) <= MAX_P99_MS, isRequired: false }

/**
 * How long does a message take from send to delivery, on one replica and across two?
 *
 * Users send 500 messages per second over HTTP, each at its due time. Every message is delivered to 20 sockets: of the
 * same gateway, and of another gateway that receives the entry through Redis. Times are measured from the due time of a
 * message until a socket's reader has it. Baseline: the commit alone, as single transactions on the same
 * database at the same rate.
 *
 * Not measured: networks (all connections are loopback), large audiences (see fanout), outages of Redis.
 * Load and servers share the cores of this machine, so the high percentiles include the effect of the load.
 */
import type { SingleTransactionProcedures } from './baselines/single-transactions.js'
import { type Bench, type BenchResult, formatNumber, runRounds } from './bench.js'
import { startProcess } from './child-process.js'
import type { GatewayProcess } from './environment.js'
import { formatSendRequest } from './load/messages.js'
import type { OpenLoopSenderProcedures } from './load/open-loop-senders.js'
import { median, percentile } from './measure.js'
import { buildHandshake, createBenchRealm, registerQueues } from './realm.js'

const RECEIVERS = 20
const SENDERS = 8
const RATE = 500
const ROUNDS = 5

/** Measures the milliseconds of each delivery or commit. */
type Measure = () => Promise<number[]>

export const latencyBench: Bench = {
  question: 'How long does a message take from send to delivery? Baseline: its commit alone',
  async run(environment) {
    const { group, database_url, size } = environment
    const count = RATE * size(2, { smoke: 0.1 })
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
      return async () => {
        const load = { port: to.port, requests, rate: RATE, count }
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
      return () => transactions.call('sendAtRate', { rate: RATE, count })
    }

    const measure = {
      one: await prepareDelivery(first, first),
      two: await prepareDelivery(first, second),
      commit: await prepareCommit(),
    }
    const measureRound = async () => ({
      one: await measure.one(),
      two: await measure.two(),
      commit: await measure.commit(),
    })
    await measureRound()
    const times = await runRounds(environment, ROUNDS, measureRound)
    await Promise.all(children.map((child) => child.stop()))
    await Promise.all([first.stop(), second.stop()])

    const results: BenchResult[] = []
    for (const [side, replicas] of [['one', 'one replica'] as const, ['two', 'across two replicas'] as const]) {
      for (const [share, name] of [[0.5, 'p50'] as const, [0.99, 'p99'] as const]) {
        const percentiles = (key: keyof typeof measure) => times.map((round) => percentile(round[key], share))
        const [measured, baseline] = [percentiles(side), percentiles('commit')]
        results.push({
          label: `send to delivery, ${RATE} messages/s, ${replicas}: ${name}`,
          measured: `${formatNumber(median(measured))} ms`,
          baseline: `${formatNumber(median(baseline))} ms (${name} of a single transaction)`,
          ratios: measured.map((time, i) => time / (baseline[i] ?? Number.NaN)),
        })
      }
    }
    return results
  },
}

/**
 * What does one delivery of a channel message to a long poll cost? Baseline: raw uWebSockets.
 *
 * A few users send at a constant rate to 500 clients that long-poll. Each delivery is a response and the
 * next request of the client, which waits again. The baseline is a process with only uWebSockets, which
 * responds to as many waiting requests with the same body as the gateway, at the same rate. The cost is the
 * CPU time of the one process per delivered event.
 *
 * Not measured: clients that fall behind, and the CPU of Postgres and Redis. The raw server has no queues: a
 * client that has not sent its next request in time misses a response, and it is not counted. At the gateway
 * every client must receive every message once.
 */
import type { RawUwsProcedures } from './baselines/raw-uws.js'
import { createBenchRealm, type Load, registerQueues, startSenders } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import { median, readCpuSeconds } from './harness/measure.js'
import type { PollProcedures } from './load/polls.js'
import { type Bench, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const SENDERS = 4
const ROUNDS = 5
const TIMEOUT_MS = 30_000
const MAX_RATIO = 1.5

export const pollsBench: Bench = {
  question: 'What does one delivery of a channel message to a long poll cost? Baseline: raw uWebSockets',
  async run(environment) {
    const { group, size } = environment
    const clientCount = size(500, { smoke: 20 })
    const load: Load = { rate: 20, count: size(40, { smoke: 4 }) }
    const realm = await createBenchRealm(environment, clientCount + SENDERS)
    const gateway = await environment.startGateway()
    const raw = startProcess<RawUwsProcedures>(group, 'baselines/raw-uws')
    const clients = {
      parley: startProcess<PollProcedures>(group, 'load/polls'),
      raw: startProcess<PollProcedures>(group, 'load/polls'),
    }
    const senders = startSenders(environment, realm, gateway.port, realm.user_ids.slice(clientCount))
    const queues = await registerQueues(realm, gateway.port, realm.user_ids.slice(0, clientCount))
    await clients.parley.call('pollQueues', { port: gateway.port, host: realm.host, clients: queues })
    await clients.raw.call('pollPath', { port: await raw.call('listen', null), path: '/poll', clients: clientCount })

    const measureParley = async () => {
      await clients.parley.call('resetCounts', null)
      const before = readCpuSeconds(gateway.pid)
      await senders.send(load)
      const counts = await clients.parley.call('waitForEvents', { each: load.count, within_ms: TIMEOUT_MS })
      const used = readCpuSeconds(gateway.pid) - before
      const { total, wrongCounts, outOfOrder, sample } = counts
      if (wrongCounts > 0 || outOfOrder > 0) {
        throw new Error(
          `${wrongCounts} clients did not receive ${load.count} messages, ${outOfOrder} events were out of order`,
        )
      }
      return { cost: (used * 1e6) / total, sample }
    }
    const measureRaw = async (body: string) => {
      await clients.raw.call('resetCounts', null)
      const before = readCpuSeconds(raw.pid)
      await raw.call('answerPolls', { body, ...load })
      const { total } = await clients.raw.call('waitForEvents', { each: load.count, within_ms: 500 })
      return { cost: ((readCpuSeconds(raw.pid) - before) * 1e6) / total }
    }
    const { sample } = await measureParley()
    await measureRaw(sample)
    const rounds = await runRounds(environment, ROUNDS, async () => ({
      parley: await measureParley(),
      raw: await measureRaw(sample),
    }))
    await Promise.all([raw, clients.parley, clients.raw, senders].map((child) => child.stop()))
    await gateway.stop()

    const ratios = rounds.map(({ parley, raw }) => parley.cost / raw.cost)
    const formatCost = (side: 'parley' | 'raw') => `${formatNumber(median(rounds.map((one) => one[side].cost)))} µs CPU`
    return [
      {
        label: `one delivery, ${load.rate} messages/s to ${clientCount} long polls`,
        measured: formatCost('parley'),
        baseline: `${formatCost('raw')} (raw uWebSockets)`,
        ratios,
        bound: { ...requireAtMost(MAX_RATIO, ratios), isRequired: false },
      },
    ]
  },
}

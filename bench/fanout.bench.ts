/**
 * What does one delivery of a channel message cost? Baseline: raw uWebSockets.
 *
 * A few users send at a constant rate. A message takes the whole path (HTTP, permission, commit, publication, hub) to
 * 5,000 sockets of as many users. The baseline is a process with only uWebSockets, which publishes the same frame at
 * the same rate to 5,000 sockets. The cost is the CPU time of the one process, user and system, divided by its
 * deliveries. Every socket must receive every message exactly once.
 *
 * Then BURST_SENDERS messages are in flight at all times: the next one is sent when all sockets have received one. The
 * baseline publishes a frame for each request, from as many senders.
 *
 * Not measured: long polls (see polls), the CPU of Postgres, Redis, a second replica and the network (all connections
 * are loopback, where the sender's CPU time includes the receiver's TCP), slow readers, users with a profile of their
 * own. At a low rate the sender's CPU time also includes waking the reader for every delivery, so the cost per delivery
 * decreases when the rate increases: compare within one row only.
 */
import type { RawUwsProcedures } from './baselines/raw-uws.js'
import { buildHandshake, createBenchRealm, type Load, registerQueues, startSenders } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import { median, now, percentile, readCpuSeconds } from './harness/measure.js'
import { formatSendRequest } from './load/messages.js'
import type { SocketProcedures } from './load/sockets.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const SENDERS = 4
const BURST_SENDERS = 8
const ROUNDS = 5
const TIMEOUT_MS = 30_000

interface Measurement {
  /** microseconds of CPU per delivery */
  cost: number
  /** milliseconds from the due time of each message until as many frames have arrived as there are sockets */
  lastDeliveryTimes: number[]
}

export const fanoutBench: Bench = {
  question: 'What does one delivery of a channel message cost? Baseline: raw uWebSockets',
  async run(environment) {
    const { group, print, size } = environment
    const socketCount = size(5_000, { smoke: 50 })
    const loads: Load[] = [
      { rate: 20, count: size(50, { smoke: 4 }) },
      { rate: 100, count: size(250, { smoke: 4 }) },
    ]
    const burstSeconds = size(2, { smoke: 0.2 })
    const warmUp: Load = { rate: 20, count: size(20, { smoke: 2 }) }
    const realm = await createBenchRealm(environment, socketCount + SENDERS + BURST_SENDERS)
    const gateway = await environment.startGateway()
    const raw = startProcess<RawUwsProcedures>(group, 'baselines/raw-uws')
    const rawPort = await raw.call('listen', null)
    const sockets = startProcess<SocketProcedures>(group, 'load/sockets')
    const senders = startSenders(environment, realm, gateway.port, realm.user_ids.slice(-SENDERS))
    const requests = realm.user_ids
      .slice(socketCount, socketCount + BURST_SENDERS)
      .map((id) => formatSendRequest(realm.identify(id), realm.channel_id))

    const queues = await registerQueues(realm, gateway.port, realm.user_ids.slice(0, socketCount))
    await sockets.call('openGroup', {
      group: 'parley',
      port: gateway.port,
      host: realm.host,
      checksIds: true,
      handshakes: queues.map(buildHandshake),
    })
    await sockets.call('openGroup', {
      group: 'raw',
      port: rawPort,
      host: realm.host,
      checksIds: false,
      handshakes: new Array(socketCount).fill({ path: '/', headers: [] }),
    })

    /** @param publish returns the due time of each message */
    const measure = async (side: string, pid: number, publish: () => Promise<number[]>) => {
      await sockets.call('resetCounts', { group: side })
      const before = readCpuSeconds(pid)
      const dueTimes = await publish()
      const each = dueTimes.length
      const counts = await sockets.call('waitForFrames', { group: side, each, within_ms: TIMEOUT_MS })
      const used = readCpuSeconds(pid) - before
      const { total, wrongCounts, outOfOrder, sample } = counts
      if (wrongCounts > 0 || outOfOrder > 0) {
        throw new Error(
          `${side}: ${wrongCounts} sockets did not receive ${each} messages, ${outOfOrder} events were out of order`,
        )
      }
      const lastDeliveryTimes = counts.multipleTimes.map((time, i) => time - (dueTimes[i] ?? 0))
      return { cost: (used * 1e6) / total, lastDeliveryTimes, sample } satisfies Measurement & { sample: string }
    }
    const measureParley = (load: Load) => measure('parley', gateway.pid, () => senders.send(load))
    const { sample: frame } = await measureParley(warmUp)
    const measureRaw = (load: Load) => measure('raw', raw.pid, () => raw.call('publish', { frame, ...load }))
    await measureRaw(warmUp)

    const publications = requests.map(() => formatPublication(frame))
    const measureInFlight = async (side: string, pid: number, port: number, requests: string[]) => {
      let rate = 0
      const { cost } = await measure(side, pid, async () => {
        const began = now()
        const sent = await sockets.call('sendInFlight', { group: side, port, requests, seconds: burstSeconds })
        rate = (sent * 1000) / (now() - began)
        return new Array<number>(sent).fill(0)
      })
      return { cost, rate }
    }
    const measureBurst = async () => ({
      parley: await measureInFlight('parley', gateway.pid, gateway.port, requests),
      raw: await measureInFlight('raw', raw.pid, rawPort, publications),
    })

    const results: BenchResult[] = []
    for (const load of loads) {
      const measurements = await runRounds(environment, ROUNDS, async () => ({
        parley: await measureParley(load),
        raw: await measureRaw(load),
      }))
      print(`${load.rate} messages/s of ${Buffer.byteLength(frame)} bytes; time until the last socket received one:`)
      for (const side of ['parley', 'raw'] as const) {
        const times = measurements.flatMap((one) => one[side].lastDeliveryTimes)
        print(
          `  ${side}: p50 ${formatNumber(percentile(times, 0.5))} ms, p99 ${formatNumber(percentile(times, 0.99))} ms`,
        )
      }
      const formatCost = (side: 'parley' | 'raw') =>
        `${formatNumber(median(measurements.map((one) => one[side].cost)))} µs CPU`
      const ratios = measurements.map(({ parley, raw }) => parley.cost / raw.cost)
      results.push({
        label: `one delivery, ${load.rate} messages/s to ${socketCount.toLocaleString('en')} sockets`,
        measured: formatCost('parley'),
        baseline: `${formatCost('raw')} (raw uWebSockets)`,
        ratios,
        bound: requireAtMost(1.5, ratios),
      })
    }
    await measureBurst()
    const bursts = await runRounds(environment, ROUNDS, measureBurst)
    const ratios = bursts.map(({ parley, raw }) => parley.cost / raw.cost)
    const format = (side: 'parley' | 'raw') => {
      const middle = (key: 'cost' | 'rate') => formatNumber(median(bursts.map((burst) => burst[side][key])))
      return `${middle('cost')} µs CPU, ${middle('rate')} messages/s`
    }
    results.push({
      label: `one delivery, ${BURST_SENDERS} messages in flight to ${socketCount.toLocaleString('en')} sockets`,
      measured: format('parley'),
      baseline: `${format('raw')} (raw uWebSockets)`,
      ratios,
      bound: requireAtMost(1.3, ratios),
    })
    await Promise.all([sockets, raw, senders].map((child) => child.stop()))
    await gateway.stop()
    return results
  },
}

/** Formats the request that makes the baseline publish a frame. The header is for the number of the message. */
const formatPublication = (frame: string): string =>
  [
    'POST /publish HTTP/1.1',
    'Host: raw',
    'X-Number: NNNNNNNN',
    `Content-Length: ${Buffer.byteLength(frame)}`,
    '',
    frame,
  ].join('\r\n')

/**
 * Measures one server: sends, deliveries and memory. Every server gets the same work, one after the other.
 *
 * 1. 64 senders in a closed loop, and no receivers: sends per second, and the CPU time of a send.
 * 2. Senders at a constant rate, to 500 and then to 2,000 clients of one room: the CPU time of a delivery, and the time
 *    from when a message was due to each of its deliveries.
 * 3. Senders in a closed loop, to 500 WebSockets: deliveries per second. Not to long polls: a server that answers
 *    senders before it has answered the polls would get more messages than it keeps for them.
 * 4. The resident memory of a fresh server before and after the last 1,500 clients connected.
 *
 * The CPU times of the server and of its stores (Postgres and Redis) are read from /proc. A round is repeated when
 * other work took more than 5 % of the machine.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { BenchEnvironment } from '../fleet/environment.js'
import { startProcess } from '../harness/child-process.js'
import type { Cost, DeliveryFigures, PeerFigures, SendFigures, Transport } from '../harness/comparison.js'
import { createRoundCounts, measureRounds } from '../harness/machine.js'
import { median, readCpuSecondsOfTree, readResidentBytesOfTree } from '../harness/measure.js'
import { findPostmasterPid } from '../harness/postmaster.js'
import type { PeerReceiverProcedures } from '../load/peer-receivers.js'
import type { PeerSenderProcedures } from '../load/peer-senders.js'
import { formatNumber } from '../results/bench.js'
import type { Peer, PeerSetup, RunningPeer } from './peer.js'

/** Senders, clients and times. */
export interface Work {
  senders: number
  /** how many clients are connected, one size after the other; messages per second; seconds */
  sizes: readonly { receivers: number; rate: number; seconds: number }[]
  closedSeconds: number
  rounds: number
}

/** A message that arrives after such a pause of all clients counts as lost. */
const QUIET_MS = 20_000

/** Starts a server, measures it, and stops it. */
export const measurePeer = async (
  environment: BenchEnvironment,
  peer: Peer,
  transport: Transport,
  work: Work,
): Promise<PeerFigures> => {
  const { group, print, scale } = environment
  const setup = { senders: work.senders, receivers: Math.max(...work.sizes.map(({ receivers }) => receivers)) }
  const bytesPerClient =
    scale === 'smoke' || transport === 'polls' ? undefined : await measureMemory(environment, peer, setup)
  const server = await peer.start(environment, setup)
  const senders = startProcess<PeerSenderProcedures>(group, 'load/peer-senders')
  const receivers = startProcess<PeerReceiverProcedures>(group, 'load/peer-receivers')
  const rounds = createRoundCounts()
  try {
    const readCost = await openCostReader(environment, server)
    await senders.call('open', { port: server.port, plan: server.senderPlan })
    const runRounds = <T>(measure: () => Promise<T>) =>
      measureRounds(rounds, { count: work.rounds, isRepeating: scale !== 'smoke' }, measure)

    const sendFreely = async () => {
      const before = readCost()
      const { count, startedAt, endedAt, p99 } = await senders.call('sendInClosedLoop', {
        senders: work.senders,
        seconds: work.closedSeconds,
      })
      return { perSecond: (count * 1000) / (endedAt - startedAt), p99, cost: costEach(before, readCost(), count) }
    }
    await sendFreely()
    const sends = summarizeSends(await runRounds(sendFreely))

    const deliveries: DeliveryFigures[] = []
    let full: PeerFigures['full']
    let connected = 0
    for (const [i, size] of work.sizes.entries()) {
      const added = size.receivers - connected
      const plan = await server.planReceivers(connected, added, transport)
      await receivers.call('open', { port: server.port, plan })
      connected = size.receivers

      const count = Math.max(1, Math.round(size.rate * size.seconds))
      const deliver = async () => {
        await receivers.call('reset', null)
        const before = readCost()
        await senders.call('sendAtRate', { rate: size.rate, count })
        const counts = await receivers.call('wait', { each: count, quiet_ms: QUIET_MS })
        return { ...counts, cost: costEach(before, readCost(), counts.total) }
      }
      await deliver()
      deliveries.push({ ...size, ...summarizeDeliveries(await runRounds(deliver)) })
      if (i > 0 || transport === 'polls') continue
      const deliverFully = async () => {
        await receivers.call('reset', null)
        const sent = await senders.call('sendInClosedLoop', { senders: FEW_SENDERS, seconds: work.closedSeconds })
        const counts = await receivers.call('wait', { each: sent.count, quiet_ms: QUIET_MS })
        const seconds = (counts.lastAt - sent.startedAt) / 1000
        return { sends: sent.count / seconds, deliveries: counts.total / seconds, lost: counts.lost }
      }
      const results = await runRounds(deliverFully)
      full = {
        sends: median(results.map((one) => one.sends)),
        deliveries: median(results.map((one) => one.deliveries)),
        lost: results.reduce((sum, one) => sum + one.lost, 0),
      }
    }
    await receivers.call('close', null)
    await senders.call('close', null)
    print(
      `  ${formatNumber(sends.perSecond)} sends per second; a delivery: ${deliveries.map(({ cost }) => formatNumber(cost.server)).join(', ')} µs CPU; ${rounds.measured} rounds, ${rounds.repeated} repeated, ${rounds.disturbed} disturbed`,
    )
    return { peer, transport, version: server.version, sends, deliveries, full, bytesPerClient, rounds }
  } finally {
    await Promise.all([senders.stop(), receivers.stop()])
    await server.stop()
  }
}

/** Measures the resident memory of a fresh server per client, with the garbage that it has not collected. */
const measureMemory = async (environment: BenchEnvironment, peer: Peer, setup: PeerSetup): Promise<number> => {
  const server = await peer.start(environment, setup)
  const receivers = startProcess<PeerReceiverProcedures>(environment.group, 'load/peer-receivers')
  const first = Math.ceil(setup.receivers / 4)
  const open = async (from: number, count: number) => {
    await receivers.call('open', { port: server.port, plan: await server.planReceivers(from, count, 'sockets') })
    await sleep(SETTLE_MS)
    return readResidentBytesOfTree(server.pid)
  }
  const before = await open(0, first)
  const after = await open(first, setup.receivers - first)
  await receivers.stop()
  await server.stop()
  return (after - before) / (setup.receivers - first)
}

/** Senders of the closed loop with receivers: every message goes to hundreds of clients. */
const FEW_SENDERS = 16
/** After connections are opened, before memory is read. */
const SETTLE_MS = 500

/** Opens a reader of the CPU seconds that the server and its stores have used so far. */
const openCostReader = async ({ sql, redis_url }: BenchEnvironment, server: RunningPeer): Promise<() => Cost> => {
  const postgres = await findPostmasterPid(sql)
  const redis = new Redis(redis_url)
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1])
  redis.disconnect()
  return () => ({
    server: readCpuSecondsOfTree(server.pid),
    stores: readCpuSecondsOfTree(postgres) + readCpuSecondsOfTree(redisPid),
  })
}

const costEach = (before: Cost, after: Cost, count: number): Cost => ({
  server: ((after.server - before.server) * 1e6) / count,
  stores: ((after.stores - before.stores) * 1e6) / count,
})

const medianCost = (costs: readonly Cost[]): Cost => ({
  server: median(costs.map(({ server }) => server)),
  stores: median(costs.map(({ stores }) => stores)),
})

const summarizeSends = (rounds: readonly SendFigures[]): SendFigures => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p99: median(rounds.map(({ p99 }) => p99)),
  cost: medianCost(rounds.map(({ cost }) => cost)),
})

/** The figures of deliveries, whatever their size and rate. */
type DeliveryCosts = Omit<DeliveryFigures, 'receivers' | 'rate'>

interface DeliveryRound extends DeliveryCosts {
  total: number
}

const summarizeDeliveries = (rounds: readonly DeliveryRound[]): DeliveryCosts => ({
  cost: medianCost(rounds.map(({ cost }) => cost)),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  lost: rounds.reduce((sum, { lost }) => sum + lost, 0),
  repeated: rounds.reduce((sum, { repeated }) => sum + repeated, 0),
  orders: Math.max(...rounds.map(({ orders }) => orders)),
  bytes: median(rounds.map(({ bytes, total }) => bytes / total)),
})

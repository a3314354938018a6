/**
 * What does one delivery of a channel message cost, against raw uWebSockets?
 *
 * A few senders post at a steady pace; the message goes its whole way (HTTP, permission, commit, publication, hub) to
 * 5,000 sockets of as many users. A process with nothing but uWebSockets publishes the very frame that the gateway
 * delivered, at the same pace, to 5,000 sockets of its own. Cost is the CPU time of the one process, user and system,
 * divided by its deliveries; every socket must have got every message exactly once.
 *
 * Not measured: long polls (see polls), the CPU of Postgres and Redis, of a second replica, of the network (all is
 * loopback, where the sender pays for the receiver's TCP), slow readers, and users with profiles of their own. At a low
 * pace the sender also pays for waking the reader at every delivery, so the cost per delivery falls as the pace rises:
 * compare within a row only.
 */
import type { RawJobs } from './baselines/raw-uws.js'
import { type Answer, type Bench, figure, required, rounds } from './bench.js'
import type { SocketJobs } from './load/sockets.js'
import { cpuSeconds, median, percentile } from './measure.js'
import { startPart } from './part.js'
import { benchRealm, doorOf, type Pace, posters, registered } from './realm.js'

const SOCKETS = 5_000
const SENDERS = 4
/** How much one turn of a side sends. */
const PACES: Pace[] = [
  { rate: 20, count: 50 },
  { rate: 100, count: 250 },
]
const ROUNDS = 5
const PATIENCE_MS = 30_000

/** What one turn of one side cost, and how late its last receiver was. */
interface Turn {
  /** microseconds of CPU per delivery */
  cost: number
  /** milliseconds from when each message was due until as many frames had come as there are sockets */
  late: number[]
}

export const fanout: Bench = {
  question: 'What does one delivery of a channel message cost, against raw uWebSockets?',
  async run(setting) {
    const { hold, tell } = setting
    const realm = await benchRealm(setting, SOCKETS + SENDERS)
    const gateway = await setting.gateway()
    const raw = startPart<RawJobs>(hold, 'baselines/raw-uws')
    const clients = startPart<SocketJobs>(hold, 'load/sockets')
    const senders = posters(setting, realm, gateway.port, realm.user_ids.slice(SOCKETS))

    const queues = await registered(realm, gateway.port, realm.user_ids.slice(0, SOCKETS))
    const ours = { group: 'ours', port: gateway.port, host: realm.host, ordered: true, doors: queues.map(doorOf) }
    await clients.call('open', ours)
    const door = { path: '/', headers: [] }
    const port = await raw.call('listen', null)
    await clients.call('open', { ...ours, group: 'raw', port, ordered: false, doors: new Array(SOCKETS).fill(door) })

    const turn = async (group: string, pid: number, pace: Pace, publish: (pace: Pace) => Promise<number[]>) => {
      await clients.call('reset', { group })
      const before = cpuSeconds(pid)
      const dues = await publish(pace)
      const counted = await clients.call('counted', { group, each: pace.count, within_ms: PATIENCE_MS })
      const used = cpuSeconds(pid) - before
      const { total, wrong, disorder, sample } = counted
      if (wrong > 0 || disorder > 0) {
        throw new Error(`${group}: ${wrong} sockets did not get ${pace.count} messages, ${disorder} came out of order`)
      }
      const late = counted.rounds.map((at, i) => at - (dues[i] ?? 0))
      return { cost: (used * 1e6) / total, late, sample } satisfies Turn & { sample: string }
    }
    const atGateway = (pace: Pace) => turn('ours', gateway.pid, pace, senders.post)
    const { sample: frame } = await atGateway({ rate: 20, count: 20 })
    const atRaw = (pace: Pace) => turn('raw', raw.pid, pace, (pace) => raw.call('publish', { frame, ...pace }))
    await atRaw({ rate: 20, count: 20 })

    const answers: Answer[] = []
    for (const pace of PACES) {
      const turns = await rounds(ROUNDS, async () => ({ ours: await atGateway(pace), raw: await atRaw(pace) }))
      tell(`${pace.rate} messages/s of ${Buffer.byteLength(frame)} bytes; until the last socket had one:`)
      for (const side of ['ours', 'raw'] as const) {
        const late = turns.flatMap((turn) => turn[side].late)
        tell(`  ${side}: p50 ${figure(percentile(late, 0.5))} ms, p99 ${figure(percentile(late, 0.99))} ms`)
      }
      const cost = (side: 'ours' | 'raw') => `${figure(median(turns.map((turn) => turn[side].cost)))} µs CPU`
      const ratios = turns.map(({ ours, raw }) => ours.cost / raw.cost)
      answers.push({
        what: `a delivery, ${pace.rate} messages/s to ${SOCKETS} sockets`,
        ours: cost('ours'),
        baseline: `${cost('raw')} (raw uWS)`,
        ratios,
        expected: required.atMost(1.5, ratios),
      })
    }
    await Promise.all([clients, raw, senders].map((part) => part.stop()))
    await gateway.stop()
    return answers
  },
}

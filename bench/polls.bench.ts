/**
 * What does one delivery of a channel message cost to a long poll?
 *
 * A few senders post at a steady pace to 500 clients who poll: each delivery is an answer and the client's next
 * request, which parks again. A process with nothing but uWebSockets answers as many parked requests with the very
 * body that the gateway answered with, at the same pace. Cost is the CPU time of the one process per event delivered.
 *
 * Not measured: clients that fall behind, and the CPU of Postgres and Redis. The raw server has no queues: who is not
 * back in time misses an answer there and is not counted; at the gateway every client gets every message once.
 */
import type { RawJobs } from './baselines/raw-uws.js'
import { type Bench, figure, rounds } from './bench.js'
import type { PollJobs } from './load/polls.js'
import { cpuSeconds, median } from './measure.js'
import { startPart } from './part.js'
import { benchRealm, type Pace, posters, registered } from './realm.js'

const POLLS = 500
const SENDERS = 4
const PACE: Pace = { rate: 20, count: 40 }
const ROUNDS = 5
const PATIENCE_MS = 30_000

export const polls: Bench = {
  question: 'What does one delivery of a channel message cost to a long poll?',
  async run(setting) {
    const { hold } = setting
    const realm = await benchRealm(setting, POLLS + SENDERS)
    const gateway = await setting.gateway()
    const raw = startPart<RawJobs>(hold, 'baselines/raw-uws')
    const [ours, theirs] = [startPart<PollJobs>(hold, 'load/polls'), startPart<PollJobs>(hold, 'load/polls')]
    const senders = posters(setting, realm, gateway.port, realm.user_ids.slice(POLLS))
    const pollers = await registered(realm, gateway.port, realm.user_ids.slice(0, POLLS))
    await ours.call('poll', { port: gateway.port, host: realm.host, pollers })
    await theirs.call('park', { port: await raw.call('listen', null), path: '/park', clients: POLLS })

    const atGateway = async () => {
      await ours.call('reset', null)
      const before = cpuSeconds(gateway.pid)
      await senders.post(PACE)
      const counted = await ours.call('counted', { each: PACE.count, within_ms: PATIENCE_MS })
      const used = cpuSeconds(gateway.pid) - before
      const { total, wrong, disorder, sample } = counted
      if (wrong > 0 || disorder > 0) {
        throw new Error(`${wrong} polls did not get ${PACE.count} messages, ${disorder} came out of order`)
      }
      return { cost: (used * 1e6) / total, sample }
    }
    const atRaw = async (body: string) => {
      await theirs.call('reset', null)
      const before = cpuSeconds(raw.pid)
      await raw.call('answer', { body, ...PACE })
      const { total } = await theirs.call('counted', { each: PACE.count, within_ms: 500 })
      return { cost: ((cpuSeconds(raw.pid) - before) * 1e6) / total }
    }
    const { sample } = await atGateway()
    await atRaw(sample)
    const turns = await rounds(ROUNDS, async () => ({ ours: await atGateway(), raw: await atRaw(sample) }))
    await Promise.all([raw, ours, theirs, senders].map((part) => part.stop()))
    await gateway.stop()

    const cost = (side: 'ours' | 'raw') => `${figure(median(turns.map((turn) => turn[side].cost)))} µs CPU`
    return [
      {
        what: `a delivery, ${PACE.rate} messages/s to ${POLLS} long polls`,
        ours: cost('ours'),
        baseline: `${cost('raw')} (raw uWS, parked requests)`,
        ratios: turns.map(({ ours, raw }) => ours.cost / raw.cost),
      },
    ]
  },
}

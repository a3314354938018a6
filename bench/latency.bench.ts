/**
 * How long from a send to its delivery, on one replica and across two?
 *
 * 500 messages a second, each due at its own moment, over HTTP; every message goes to 20 sockets: of the same gateway,
 * and of another one that hears of it through Redis. Times run from when a message was due to when a socket's reader
 * has it. The baseline is the durable part alone: single transactions on the same database at the same pace.
 *
 * Not measured: networks (all is loopback), large audiences (see fanout), a Redis that is away. Load and servers share
 * this machine's cores, so the tail says as much about them as about the gateway.
 */
import type { LoneJobs } from './baselines/lone-commits.js'
import { type Answer, type Bench, figure, rounds } from './bench.js'
import { httpSend } from './load/messages.js'
import type { PulseJobs } from './load/pulse.js'
import { median, percentile } from './measure.js'
import { startPart } from './part.js'
import { benchRealm, doorOf, registered } from './realm.js'
import type { Gateway } from './setting.js'

const RECEIVERS = 20
const SENDERS = 8
const RATE = 500
const SECONDS = 2
const ROUNDS = 5

/** The milliseconds that each delivery, or commit, of one turn took. */
type Turn = () => Promise<number[]>

export const latency: Bench = {
  question: 'How long from a send to its delivery, on one replica and across two?',
  async run(setting) {
    const [near, far] = [await setting.gateway(), await setting.gateway()]
    const parts: { stop(): Promise<void> }[] = []

    /** Messages to one gateway, received at one: in a realm of their own, so that nobody else listens. */
    const delivery = async (to: Gateway, from: Gateway): Promise<Turn> => {
      const realm = await benchRealm(setting, RECEIVERS + SENDERS)
      const pulse = startPart<PulseJobs>(setting.hold, 'load/pulse')
      parts.push(pulse)
      const texts = realm.user_ids.slice(RECEIVERS).map((id) => httpSend(realm.who(id), realm.channel_id))
      const queues = await registered(realm, from.port, realm.user_ids.slice(0, RECEIVERS))
      await pulse.call('receive', { port: from.port, host: realm.host, doors: queues.map(doorOf) })
      return async () => {
        const sent = await pulse.call('send', { port: to.port, texts, rate: RATE, count: RATE * SECONDS })
        if (sent.missing !== 0) throw new Error(`${sent.missing} deliveries did not come`)
        return sent.delivered
      }
    }
    const commits = async (): Promise<Turn> => {
      const { id: realm_id, channel_id, user_ids } = await benchRealm(setting, 1)
      const lone = startPart<LoneJobs>(setting.hold, 'baselines/lone-commits')
      parts.push(lone)
      const { database_url } = setting
      await lone.call('open', { database_url, pool: 10, realm_id, channel_id, sender_id: user_ids[0] ?? 0 })
      return () => lone.call('pace', { rate: RATE, count: RATE * SECONDS })
    }

    const sides = { one: await delivery(near, near), two: await delivery(near, far), commit: await commits() }
    const turn = async () => ({ one: await sides.one(), two: await sides.two(), commit: await sides.commit() })
    await turn()
    const turns = await rounds(ROUNDS, turn)
    await Promise.all(parts.map((part) => part.stop()))
    await Promise.all([near.stop(), far.stop()])

    const answers: Answer[] = []
    for (const [side, where] of [['one', 'one replica'] as const, ['two', 'across two'] as const]) {
      for (const [share, name] of [[0.5, 'p50'] as const, [0.99, 'p99'] as const]) {
        const times = (of: keyof typeof sides) => turns.map((turn) => percentile(turn[of], share))
        const [ours, commit] = [times(side), times('commit')]
        answers.push({
          what: `send to delivery, ${RATE}/s, ${where}: ${name}`,
          ours: `${figure(median(ours))} ms`,
          baseline: `${figure(median(commit))} ms (${name} of a lone commit)`,
          ratios: ours.map((time, i) => time / (commit[i] ?? Number.NaN)),
        })
      }
    }
    return answers
  },
}

/**
 * How many durable sends a second?
 *
 * 256 senders each send the next message when the last one is acknowledged, to one gateway: over HTTP keep-alive, and
 * as calls over sockets. The baseline is what the database gives without a combiner: 256 callers, each message one
 * transaction of the same three writes, in one round trip, through a pool of the gateway's size. It has no HTTP, no
 * Markdown, no Redis and no load process beside it, so the ratio is less than what the combiner alone is worth.
 *
 * Not measured: fan-out (nobody listens), several realms or replicas at once, messages with mentions or links.
 * Postgres runs with fsync on; how long one takes is the machine's own.
 */
import type { LoneJobs } from './baselines/lone-commits.js'
import { type Answer, type Bench, figure, required, rounds } from './bench.js'
import { httpSend, socketSend } from './load/messages.js'
import type { SenderJobs } from './load/senders.js'
import { median, percentile } from './measure.js'
import { startPart } from './part.js'
import { benchRealm, doorOf, registered } from './realm.js'

const SENDERS = 256
const ROUNDS = 5
const SECONDS = 2
/** Connections of the gateway's pool. */
const POOL = 10
/** A lock that all sends want is held shortest when few wait for it: the best that lone commits can do. */
const BEST_POOL = 2

interface Run {
  count: number
  seconds: number
  latencies: number[]
}

export const send: Bench = {
  question: 'How many durable sends a second?',
  async run(setting) {
    const { hold, tell } = setting
    const [realm, lonely] = [await benchRealm(setting, SENDERS), await benchRealm(setting, SENDERS)]
    const gateway = await setting.gateway()
    const { port } = gateway
    const senders = startPart<SenderJobs>(hold, 'load/senders')
    const texts = realm.user_ids.map((id) => httpSend(realm.who(id), realm.channel_id))
    await senders.call('overHttp', { kind: 'http', port, texts })
    // Queues that take no events: answers alone come back over these sockets.
    const queues = await registered(realm, port, realm.user_ids, { event_types: '["restart"]' })
    const calls = { host: realm.host, doors: queues.map(doorOf), text: socketSend(realm.channel_id) }
    await senders.call('overSockets', { kind: 'sockets', port, ...calls })
    const lone = async (pool: number) => {
      const part = startPart<LoneJobs>(hold, 'baselines/lone-commits')
      const { id: realm_id, channel_id, user_ids } = lonely
      const given = { database_url: setting.database_url, pool, realm_id, channel_id, sender_id: user_ids[0] ?? 0 }
      await part.call('open', given)
      return part
    }
    const [ordinary, best] = [await lone(POOL), await lone(BEST_POOL)]

    const sides: { [side: string]: (seconds: number) => Promise<Run> } = {
      http: (seconds) => senders.call('run', { kind: 'http', seconds }),
      sockets: (seconds) => senders.call('run', { kind: 'sockets', seconds }),
      lone: (seconds) => ordinary.call('run', { senders: SENDERS, seconds }),
      best: (seconds) => best.call('run', { senders: SENDERS, seconds }),
    }
    for (const run of Object.values(sides)) await run(1)
    const turns = await rounds(ROUNDS, async () => {
      const turn: { [side: string]: Run } = {}
      for (const [side, run] of Object.entries(sides)) turn[side] = await run(SECONDS)
      return turn
    })
    await Promise.all([senders, ordinary, best].map((part) => part.stop()))
    await gateway.stop()

    const rate = (run: Run | undefined) => (run === undefined ? Number.NaN : run.count / run.seconds)
    const rates = (side: string) => turns.map((turn) => rate(turn[side]))
    for (const side of Object.keys(sides)) {
      const times = turns.flatMap((turn) => turn[side]?.latencies ?? [])
      const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
      tell(
        `${side}: ${rates(side).map(figure).join(', ')} sends/s; a send takes p50 ${figure(p50)} ms, p99 ${figure(p99)} ms`,
      )
    }
    const answer = (what: string, ours: string, baseline: string, name: string): Answer => ({
      what,
      ours: `${figure(median(rates(ours)))}/s`,
      baseline: `${figure(median(rates(baseline)))}/s (${name})`,
      ratios: turns.map((turn) => rate(turn[ours]) / rate(turn[baseline])),
    })
    const http = answer(`sends over HTTP, ${SENDERS} senders`, 'http', 'lone', `a transaction each, pool of ${POOL}`)
    return [
      { ...http, expected: required.atLeast(3, http.ratios) },
      answer(`sends as socket calls, ${SENDERS} senders`, 'sockets', 'lone', `a transaction each, pool of ${POOL}`),
      answer('sends over HTTP', 'http', 'best', `a transaction each, pool of ${BEST_POOL}: its best`),
    ]
  },
}

/**
 * What does a key cost with which a call may be repeated? Baseline: the same call without a key.
 *
 * The cost is the CPU time of the gateway, Postgres and Redis for each call, user and system. Sends: 256 senders, and
 * 8, each in a closed loop, with `queue_id` and `local_id`, with an `Idempotency-Key`, and without both. Another write:
 * 64 users who replace a draft, with an `Idempotency-Key` and without. The sides of a round run one after the other, in
 * another order in each round.
 *
 * A key of a send costs a row, an entry of the primary key, and 240 bytes of write-ahead log beside 1,600; the gateway
 * hashes what the send asks for in 2 µs. Another write is looked up first besides. The goal is 5 % of a send.
 *
 * Not measured: a call that is repeated; the deletion of keys after 24 hours (see `test/http/stored-keys.test.ts`).
 */
import { createBenchRealm } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import { median } from './harness/measure.js'
import type { ClosedLoopSenderProcedures } from './load/closed-loop-senders.js'
import { formatRequest, type Identity, parseSuccess, sendAll } from './load/http.js'
import { content, formatSendRequest, PLACEHOLDER } from './load/messages.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'
import { openCostMeter, sumCost } from './results/process-costs.js'

const ROUNDS = 15
const key = (side: string) => [`Idempotency-Key: ${side} ${PLACEHOLDER}`]

/** Two sides of a comparison, by the names of their groups of senders. */
interface Comparison {
  label: string
  keyed: string
  plain: string
  /** the goal */
  bound?: number
}

export const keysBench: Bench = {
  question: 'What does a key cost with which a call may be repeated? Baseline: the same call without a key',
  async run(environment) {
    const { group, print, size } = environment
    const many = size(256, { smoke: 8 })
    const [few, writers] = [Math.min(8, many), Math.min(64, many)]
    const [warmUp, seconds] = [size(2, { smoke: 0.2 }), size(1.5, { short: 0.7, smoke: 0.2 })]
    const realm = await createBenchRealm(environment, many)
    const gateway = await environment.startGateway()
    const { port } = gateway
    const identities = realm.user_ids.map(realm.identify)
    const send = (identity: Identity, more?: Parameters<typeof formatSendRequest>[2]) =>
      formatSendRequest(identity, realm.channel_id, more)
    const local = { fields: { queue_id: '6f1c1a3e-0000-4000-8000-000000000000', local_id: PLACEHOLDER } }
    const drafts = await createDrafts(port, identities.slice(0, writers), realm.channel_id)
    const groups: Record<string, string[]> = {
      plain: identities.map((identity) => send(identity)),
      local: identities.map((identity) => send(identity, local)),
      keyed: identities.map((identity) => send(identity, { headers: key('send') })),
      'few plain': identities.slice(0, few).map((identity) => send(identity)),
      'few local': identities.slice(0, few).map((identity) => send(identity, local)),
      'drafts plain': drafts.map((replace) => replace([])),
      'drafts keyed': drafts.map((replace) => replace(key('draft'))),
    }
    const senders = startProcess<ClosedLoopSenderProcedures>(group, 'load/closed-loop-senders')
    const measure = await openCostMeter(environment, { gateway: gateway.pid })
    const names = Object.keys(groups)
    for (const name of names) {
      await senders.call('openHttpSenders', { group: name, port, requests: groups[name] ?? [] })
      await senders.call('sendMessages', { group: name, seconds: warmUp })
    }
    let round = 0
    const rounds = await runRounds(environment, ROUNDS, async () => {
      const costs: Record<string, number> = {}
      round += 1
      for (const name of rotate(names, round)) {
        const cost = await measure(async () => (await senders.call('sendMessages', { group: name, seconds })).count)
        costs[name] = sumCost(cost)
      }
      return costs
    })
    await senders.stop()
    await gateway.stop()
    for (const name of names)
      print(`${name}: ${rounds.map((costs) => formatNumber(costs[name] ?? Number.NaN)).join(', ')} µs`)

    const compare = ({ label, keyed, plain, bound }: Comparison): BenchResult => {
      const costs = (side: string) => rounds.map((round) => round[side] ?? Number.NaN)
      const ratios = costs(keyed).map((cost, i) => cost / (costs(plain)[i] ?? Number.NaN))
      return {
        label,
        measured: `${formatNumber(median(costs(keyed)))} µs CPU`,
        baseline: `${formatNumber(median(costs(plain)))} µs CPU: without a key`,
        ratios,
        ...(bound === undefined ? {} : { bound: { ...requireAtMost(bound, ratios), isRequired: false } }),
      }
    }
    return [
      { label: `a send with queue_id and local_id, ${many} senders`, keyed: 'local', plain: 'plain', bound: 1.05 },
      { label: `a send with an Idempotency-Key, ${many} senders`, keyed: 'keyed', plain: 'plain', bound: 1.05 },
      { label: `a send with queue_id and local_id, ${few} senders`, keyed: 'few local', plain: 'few plain' },
      { label: `a draft with an Idempotency-Key, ${writers} users`, keyed: 'drafts keyed', plain: 'drafts plain' },
    ].map(compare)
  },
}

/** The names in another order in each round. */
const rotate = (names: readonly string[], round: number): string[] => {
  const order = [...names.slice(round % names.length), ...names.slice(0, round % names.length)]
  return round % 2 === 0 ? order : order.reverse()
}

/** Creates a draft for each user. @returns for each, what composes the request that replaces it */
const createDrafts = async (port: number, identities: readonly Identity[], channel_id: number) => {
  const draft = { type: 'stream', to: [channel_id], topic: 'tea', content }
  const requests = identities.map((identity) =>
    formatRequest('POST', '/drafts', identity, { drafts: JSON.stringify([draft]) }),
  )
  const answers = await sendAll(port, requests)
  return answers.map((answer, i) => {
    const [id] = parseSuccess<{ ids: number[] }>(answer).ids
    const identity = identities[i] as Identity
    return (headers: readonly string[]) =>
      formatRequest('PATCH', `/drafts/${id}`, identity, { draft: JSON.stringify(draft) }, headers)
  })
}

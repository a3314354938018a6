/**
 * What does each operation cost each process: gateway, worker, Postgres and Redis? Baseline: a send.
 *
 * In an organization of 1,000 users, one gateway and one worker. Each operation is repeated, and the CPU time of every
 * process, user and system, is divided by the number of operations: a send that nobody receives, a delivery to one of a
 * thousand sockets, a page of 100 messages, a typing notice, a report of presence, a registration, and a connection
 * that resumes a queue. These are the unit costs of docs/SCALE.md.
 *
 * Not measured: networks, TLS and the load balancer; what the kernel does for connections outside of these processes;
 * larger organizations (see register), Postgres with more data than memory.
 */

import { buildHandshake, createBenchRealm, registerQueues, startSenders } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import type { ClosedLoopCallProcedures } from './load/closed-loop-calls.js'
import { formatRequest } from './load/http.js'
import { formatSendRequest } from './load/messages.js'
import type { SocketProcedures } from './load/sockets.js'
import { type Bench, type BenchResult, formatNumber, runRounds } from './results/bench.js'
import {
  type Cost,
  formatCost,
  mapCost,
  medianCost,
  type Operation,
  openCostMeter,
  sumCost,
} from './results/process-costs.js'

const ROUNDS = 3
const CONNECTIONS = 8
const TIMEOUT_MS = 60_000

export const costsBench: Bench = {
  question: 'What does each operation cost each process? Baseline: a send',
  async run(environment) {
    const { group, size } = environment
    const users = size(1_000, { smoke: 20 })
    const calls = size(4_000, { short: 1_000, smoke: 20 })
    const realm = await createBenchRealm(environment, users)
    const gateway = await environment.startGateway()
    const worker = await environment.startWorker()
    const { port } = gateway
    const measure = await openCostMeter(environment, { gateway: gateway.pid, worker: worker.pid })
    const callers = startProcess<ClosedLoopCallProcedures>(group, 'load/closed-loop-calls')
    const sockets = startProcess<SocketProcedures>(group, 'load/sockets')
    const senders = startSenders(environment, realm, port, realm.user_ids.slice(0, 8))

    const identity = realm.identify(realm.user_ids[0] ?? 0)
    const repeat =
      (text: string, count = calls): Operation =>
      async () => {
        await callers.call('repeatCall', { port, text, connections: CONNECTIONS, count })
        return count
      }
    const narrow = JSON.stringify([{ operator: 'channel', operand: realm.channel_id }])
    const page = { anchor: 'newest', num_before: '100', num_after: '0', narrow }
    const typing = { type: 'channel', op: 'start', stream_id: String(realm.channel_id), topic: 'tea' }
    const registration = { apply_markdown: 'true', client_gravatar: 'true', slim_presence: 'true' }
    const gzip = ['Accept-Encoding: gzip']
    /** Opens a socket for a queue of each user. @returns the costs per connection */
    const connect = async (): Promise<Cost> => {
      const handshakes = (await registerQueues(realm, port, realm.user_ids)).map(buildHandshake)
      return measure(async () => {
        await sockets.call('openGroup', { group: 'clients', port, host: realm.host, checksIds: true, handshakes })
        return handshakes.length
      })
    }
    const send = repeat(formatSendRequest(identity, realm.channel_id))
    const operations: [name: string, operation: Operation][] = [
      ['a send', send],
      ['a page of 100 messages', repeat(formatRequest('GET', '/messages', identity, page), calls / 4)],
      ['a typing notice', repeat(formatRequest('POST', '/typing', identity, typing))],
      ['a report of presence', repeat(formatRequest('POST', '/users/me/presence', identity, { status: 'active' }))],
      [
        `a registration, ${users.toLocaleString('en')} users`,
        repeat(formatRequest('POST', '/register', identity, registration, gzip), calls / 20),
      ],
    ]
    for (const [, operation] of operations) await operation()
    const costs = new Map<string, Cost[]>()
    for (const [name, operation] of operations) {
      costs.set(name, await runRounds(environment, ROUNDS, () => measure(operation)))
    }
    costs.set('a connection', [await connect()])
    const deliver = async () => {
      const count = size(500, { short: 100, smoke: 4 })
      await sockets.call('resetCounts', { group: 'clients' })
      await senders.send({ rate: 100, count })
      await sockets.call('waitForFrames', { group: 'clients', each: count, within_ms: TIMEOUT_MS })
      return count
    }
    await deliver()
    const delivered = await runRounds(environment, ROUNDS, () => measure(deliver))
    const sent = medianCost(costs.get('a send') ?? [])
    costs.set(
      'a delivery',
      delivered.map((cost) => mapCost((name) => Math.max(0, cost[name] - sent[name]) / users)),
    )
    await Promise.all([callers, sockets, senders].map((child) => child.stop()))
    await Promise.all([gateway.stop(), worker.stop()])
    return composeResults(costs, sent)
  },
}

const composeResults = (costs: ReadonlyMap<string, readonly Cost[]>, sent: Cost): BenchResult[] =>
  [...costs].map(([label, rounds]) => ({
    label,
    measured: formatCost(medianCost(rounds)),
    baseline: `${formatNumber(sumCost(sent))} µs CPU: a send`,
    ratios: rounds.map((round) => sumCost(round) / sumCost(sent)),
  }))

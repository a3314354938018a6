/**
 * What does the size of an organization cost? Baseline: the smallest size.
 *
 * 1. Users: a send to a channel of all users, none of whom is connected.
 * 2. Messages: a send, and the newest page of 100 messages, in a channel with a history.
 * 3. Gateways: a send through one gateway while others serve a client of the same organization each. The cost of each
 *    of the others is that of applying the entry and delivering it to one socket.
 *
 * The cost is CPU time, user and system, of the gateway, a worker, Postgres and Redis together. A send does the same
 * work for ten subscribers as for twenty thousand (store/messages/sending/send-message.ts), so 1 and 2 have a bound.
 *
 * Not measured: deliveries, which grow with the connected clients (see fanout); registrations, which grow with the
 * users (see register).
 */

import type { BenchEnvironment, GatewayProcess } from './fleet/environment.js'
import { type BenchRealm, buildHandshake, createBenchRealm, registerQueues } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import { median, readCpuSeconds } from './harness/measure.js'
import type { ClosedLoopCallProcedures } from './load/closed-loop-calls.js'
import { formatRequest } from './load/http.js'
import { formatSendRequest } from './load/messages.js'
import type { SocketProcedures } from './load/sockets.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'
import { type Cost, formatCost, medianCost, type Operation, openCostMeter, sumCost } from './results/process-costs.js'

const ROUNDS = 3
const CONNECTIONS = 8
/** Rows per statement that inserts a history. */
const PART = 100_000

export const growthBench: Bench = {
  question: 'What does the size of an organization cost? Baseline: the smallest size',
  async run(environment) {
    const { group, size } = environment
    const gateway = await environment.startGateway()
    const worker = await environment.startWorker()
    const callers = startProcess<ClosedLoopCallProcedures>(group, 'load/closed-loop-calls')
    const calls = size(4_000, { short: 1_000, smoke: 20 })
    const repeat =
      (text: string, count: number): Operation =>
      async () => {
        await callers.call('repeatCall', { port: gateway.port, text, connections: CONNECTIONS, count })
        return count
      }
    const measure = await openCostMeter(environment, { gateway: gateway.pid, worker: worker.pid })
    const measureRounds = async (operation: Operation): Promise<Cost[]> => {
      await operation()
      return runRounds(environment, ROUNDS, () => measure(operation))
    }
    const measureSends = (realm: BenchRealm) => measureRounds(repeat(formatOwnSend(realm), calls))

    const users = size([100, 1_000, 10_000, 100_000], { short: [100, 10_000], smoke: [5, 10] })
    const byUsers: Cost[][] = []
    for (const count of users) byUsers.push(await measureSends(await createBenchRealm(environment, count)))

    const messages = size([10_000, 100_000, 1_000_000, 10_000_000], { short: [10_000, 100_000], smoke: [100, 200] })
    const byMessages: { sends: Cost[]; pages: Cost[] }[] = []
    for (const count of messages) {
      const realm = await createBenchRealm(environment, 10)
      await insertHistory(environment, realm, count)
      const narrow = JSON.stringify([{ operator: 'channel', operand: realm.channel_id }])
      const page = { anchor: 'newest', num_before: '100', num_after: '0', narrow }
      const fetch = formatRequest('GET', '/messages', realm.identify(realm.user_ids[0] ?? 0), page)
      byMessages.push({ sends: await measureSends(realm), pages: await measureRounds(repeat(fetch, calls / 4)) })
    }

    const replicas = size([1, 2, 4, 8], { short: [1, 4], smoke: [1, 2] })
    const realm = await createBenchRealm(environment, 10)
    const byReplicas = await measureReplicas(environment, realm, replicas, calls, () => measureSends(realm))
    await callers.stop()
    await Promise.all([gateway.stop(), worker.stop()])
    return [
      ...compareSizes(users, byUsers, (count) => `a send, ${count} users`),
      ...compareSizes(
        messages,
        byMessages.map(({ sends }) => sends),
        (count) => `a send, history of ${count} messages`,
      ),
      ...compareSizes(
        messages,
        byMessages.map(({ pages }) => pages),
        (count) => `a page of 100 messages, history of ${count}`,
      ),
      ...byReplicas,
    ]
  },
}

const formatOwnSend = (realm: BenchRealm): string =>
  formatSendRequest(realm.identify(realm.user_ids[0] ?? 0), realm.channel_id)

/** Compares each size with the smallest. The median of the ratios is at most the bound. */
const compareSizes = (
  sizes: readonly number[],
  costs: readonly Cost[][],
  label: (count: string) => string,
): BenchResult[] => {
  const [smallest = []] = costs
  const baseline = sumCost(medianCost(smallest))
  return costs.slice(1).map((rounds, i) => {
    const ratios = rounds.map((round) => sumCost(round) / baseline)
    return {
      label: label((sizes[i + 1] ?? 0).toLocaleString('en')),
      measured: formatCost(medianCost(rounds)),
      baseline: `${formatNumber(baseline)} µs CPU: ${(sizes[0] ?? 0).toLocaleString('en')}`,
      ratios,
      bound: requireAtMost(1.5, ratios),
    }
  })
}

/** Older messages of the channel, written directly to the tables. */
const insertHistory = async ({ sql }: BenchEnvironment, realm: BenchRealm, count: number): Promise<void> => {
  for (let first = 1; first <= count; first += PART) {
    await sql`
      insert into messages (realm_id, id, sender_id, channel_id, topic, content, rendered_content, timestamp, client,
        is_me_message, sender_read, has_link, has_image, has_attachment)
      select ${realm.id}, i, ${realm.user_ids[0] ?? 0}, ${realm.channel_id}, 'topic ' || i % 100, 'Is the kettle on?',
        '<p>Is the kettle on?</p>', 1700000000 + i, 'bench', false, true, false, false, false
      from generate_series(${first}::int, ${Math.min(first + PART - 1, count)}::int) i`
  }
  // With the head, otherwise the worker would index their words, and look for mails to send, meanwhile.
  await sql.begin(async (tx) => {
    await tx`update log_heads set last_message_id = ${count} where realm_id = ${realm.id}`
    await tx`
      insert into search_marks (realm_id, indexed_up_to, terms_from, terms_up_to) values (${realm.id}, 0, 0, ${count})
      on conflict (realm_id) do update set terms_from = 0, terms_up_to = excluded.terms_up_to`
    await tx`
      insert into mail_marks (realm_id, looked_up_to) values (${realm.id}, ${count})
      on conflict (realm_id) do update set looked_up_to = excluded.looked_up_to`
  })
  await sql`vacuum analyze messages`
}

/** Measures sends through the first gateway, while others serve one client of the organization each. */
const measureReplicas = async (
  environment: BenchEnvironment,
  realm: BenchRealm,
  replicas: readonly number[],
  calls: number,
  measureSends: () => Promise<Cost[]>,
): Promise<BenchResult[]> => {
  const { group } = environment
  const sockets = startProcess<SocketProcedures>(group, 'load/sockets')
  const others: GatewayProcess[] = []
  const found: { cost: Cost; other: number }[] = []
  for (const replica of replicas) {
    while (others.length < replica - 1) {
      const gateway = await environment.startGateway()
      const queues = await registerQueues(realm, gateway.port, realm.user_ids.slice(0, 1))
      await sockets.call('openGroup', {
        group: `gateway ${others.length}`,
        port: gateway.port,
        host: realm.host,
        checksIds: true,
        handshakes: queues.map(buildHandshake),
      })
      others.push(gateway)
    }
    const before = others.map(({ pid }) => readCpuSeconds(pid))
    const rounds = await measureSends()
    // One round more, to warm up.
    const sent = calls * (1 + rounds.length)
    const used = others.map(({ pid }, i) => ((readCpuSeconds(pid) - (before[i] ?? 0)) * 1e6) / sent)
    found.push({ cost: medianCost(rounds), other: used.length === 0 ? 0 : median(used) })
  }
  await sockets.stop()
  await Promise.all(others.map((gateway) => gateway.stop()))
  const alone = found[0]?.cost.gateway ?? Number.NaN
  return found.slice(1).map(({ cost, other }, i) => ({
    label: `a send, ${replicas[i + 1]} gateways`,
    measured: `${formatNumber(cost.gateway)} µs CPU in its gateway, ${formatNumber(other)} in each of the others`,
    baseline: `${formatNumber(alone)} µs CPU: one gateway`,
    ratios: [cost.gateway / alone],
  }))
}

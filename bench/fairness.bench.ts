/**
 * What does a busy organization cost the 999 others of a fleet? Baseline: the others alone.
 *
 * Each of the others has a user who is connected, and one who sends at a constant rate. The busy one sends 100 times as
 * much, fetches a page of history for each message, and has 100 connected users. All send to one gateway, and are
 * connected with another one. The result is the time of the others' messages from their due time to their delivery.
 * The same is measured while the busy organization sends, fetches and changes flags as fast as it is answered, over 16
 * connections each: this load takes the CPU of the machine too, so it has no bound.
 *
 * Also: the memory that an organization takes in a gateway, and what it costs to ask for the heads of 10,000 logs, as
 * each gateway does once in ANTI_ENTROPY_MS.
 *
 * Not measured: jobs of workers; limits of rates, which are off.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/dev/ports.js'
import { loadHeads } from '../src/store/log/log.js'
import { openSql } from '../src/store/sql.js'
import type { BenchEnvironment, GatewayProcess } from './fleet/environment.js'
import { inspectorVariables, openInspector } from './fleet/inspector.js'
import { type BenchRealm, buildHandshake, createBenchRealm, registerQueues } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import { median, percentile, readCpuSeconds } from './harness/measure.js'
import type { ClosedLoopCallProcedures } from './load/closed-loop-calls.js'
import type { ClosedLoopSenderProcedures } from './load/closed-loop-senders.js'
import { formatRequest } from './load/http.js'
import { formatSendRequest } from './load/messages.js'
import type { OpenLoopCallProcedures } from './load/open-loop-calls.js'
import type { OpenLoopSenderProcedures } from './load/open-loop-senders.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const ROUNDS = 3
const BUSY_FACTOR = 100
/** The busy organization works for this long before and after the others. */
const LEAD_MS = 500
/** Organizations in the memory of a gateway before it is measured. */
const WARM_UP = 4

export const fairnessBench: Bench = {
  question: 'What does a busy organization cost the 999 others of a fleet? Baseline: the others alone',
  async run(environment) {
    const { size } = environment
    const count = size(1_000, { short: 100, smoke: 8 })
    /** messages per second of each of the others */
    const rate = size(0.2, { short: 0.5, smoke: 1 })
    const seconds = size(15, { short: 5, smoke: 0.4 })
    const [busy, ...others] = await createRealms(environment, count, size(101, { smoke: 4 }))
    if (busy === undefined) throw new Error('there is no realm')
    const inspectorPort = await freePort()
    const gateways = {
      sending: await environment.startGateway(),
      receiving: await environment.startGateway(inspectorVariables(inspectorPort)),
    }
    const memory = await openMemory(inspectorPort)
    await callAll(gateways.receiving, others.slice(0, WARM_UP))
    await memory.measure('warm')
    await callAll(gateways.receiving, others.slice(WARM_UP))
    await memory.measure('idle')

    const load = await openOthers(environment, gateways, others)
    const total = others.length * rate
    const measureP99 = async (): Promise<Percentiles> => {
      const times = await load.send(total, Math.round(total * seconds))
      return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
    }
    const measureBeside = async (work: Promise<unknown>): Promise<Percentiles> => {
      await sleep(LEAD_MS)
      const percentiles = await measureP99()
      await work
      return percentiles
    }
    const busySeconds = seconds + (2 * LEAD_MS) / 1000
    await measureP99()
    // Before the busy organization has messages.
    await memory.measure('used')
    const busyLoad = await openBusy(environment, gateways, busy)
    const rounds = await runRounds(environment, ROUNDS, async () => ({
      alone: await measureP99(),
      busy: await measureBeside(busyLoad.run(rate * BUSY_FACTOR, busySeconds)),
      flood: await measureBeside(busyLoad.flood(busySeconds)),
    }))
    await Promise.all([load.stop(), busyLoad.stop()])
    memory.close()
    await Promise.all([gateways.sending.stop(), gateways.receiving.stop()])

    const compare = (side: 'busy' | 'flood', label: string): BenchResult => {
      const ratios = rounds.map((round) => round[side].p99 / round.alone.p99)
      const format = (key: 'alone' | 'busy' | 'flood') => {
        const of = (name: keyof Percentiles) => formatNumber(median(rounds.map((round) => round[key][name])))
        return `${of('p99')} ms (p50 ${of('p50')})`
      }
      return {
        label: `a message of ${others.length} organizations to its delivery, ${label}: p99`,
        measured: format(side),
        baseline: `${format('alone')}: without it`,
        ratios,
        ...(side === 'busy' ? { bound: requireAtMost(2, ratios) } : {}),
      }
    }
    return [
      compare('busy', `beside one with ${BUSY_FACTOR} times as many messages`),
      compare('flood', 'beside one in a closed loop'),
      ...memory.results(others.length),
      await measureHeads(environment),
    ]
  },
}

interface Percentiles {
  p50: number
  p99: number
}

interface Gateways {
  sending: GatewayProcess
  receiving: GatewayProcess
}

/** Creates the busy organization, which has `members`, and the others, which have two. */
const createRealms = async (environment: BenchEnvironment, count: number, members: number): Promise<BenchRealm[]> => {
  const realms = [await createBenchRealm(environment, members)]
  while (realms.length < count) realms.push(await createBenchRealm(environment, 2))
  return realms
}

/** Makes one call to each organization, which loads it. */
const callAll = async ({ port }: GatewayProcess, realms: readonly BenchRealm[]): Promise<void> => {
  for (const realm of realms) await registerQueues(realm, port, realm.user_ids.slice(0, 1), { event_types: '[]' })
}

/** The senders and receivers of the others. */
const openOthers = async ({ group }: BenchEnvironment, gateways: Gateways, realms: readonly BenchRealm[]) => {
  const senders = startProcess<OpenLoopSenderProcedures>(group, 'load/open-loop-senders')
  const receivers: { host: string; handshake: ReturnType<typeof buildHandshake> }[] = []
  for (const realm of realms) {
    const [queue] = await registerQueues(realm, gateways.receiving.port, realm.user_ids.slice(0, 1))
    if (queue !== undefined) receivers.push({ host: realm.host, handshake: buildHandshake(queue) })
  }
  await senders.call('openReceiverPerRealm', { port: gateways.receiving.port, receivers })
  const requests = realms.map((realm) => formatSendRequest(realm.identify(realm.user_ids[1] ?? 0), realm.channel_id))
  return {
    /** @returns the milliseconds from the due time of each message to its delivery */
    async send(rate: number, count: number): Promise<number[]> {
      const load = { port: gateways.sending.port, requests, rate, count }
      const { deliveryTimes, missing } = await senders.call('sendMessages', load)
      if (missing !== 0) throw new Error(`${missing} deliveries are missing`)
      return deliveryTimes
    },
    stop: senders.stop,
  }
}

/** The load of the busy organization. */
const openBusy = async (environment: BenchEnvironment, { sending, receiving }: Gateways, realm: BenchRealm) => {
  const { group, size } = environment
  const connections = size(16, { smoke: 2 })
  const senders = startProcess<OpenLoopSenderProcedures>(group, 'load/open-loop-senders')
  const callers = startProcess<OpenLoopCallProcedures>(group, 'load/open-loop-calls')
  const fastSenders = startProcess<ClosedLoopSenderProcedures>(group, 'load/closed-loop-senders')
  const fastCallers = startProcess<ClosedLoopCallProcedures>(group, 'load/closed-loop-calls')
  const fastChangers = startProcess<ClosedLoopCallProcedures>(group, 'load/closed-loop-calls')
  const queues = await registerQueues(realm, receiving.port, realm.user_ids)
  const { host, channel_id } = realm
  await senders.call('openReceivers', { port: receiving.port, host, handshakes: queues.map(buildHandshake) })
  const requests = realm.user_ids.map((id) => formatSendRequest(realm.identify(id), channel_id))
  const narrow = JSON.stringify([{ operator: 'channel', operand: channel_id }])
  const page = { anchor: 'newest', num_before: '100', num_after: '0', narrow }
  const fetch = formatRequest('GET', '/messages', realm.identify(realm.user_ids[0] ?? 0), page)
  const { port } = sending
  const changes = realm.user_ids.slice(0, connections).flatMap((id) =>
    ['add', 'remove'].map((op) => {
      const fields = { messages: '[1]', op, flag: 'starred' }
      return formatRequest('POST', '/messages/flags', realm.identify(id), fields)
    }),
  )
  return {
    async run(rate: number, seconds: number): Promise<void> {
      const count = Math.round(rate * seconds)
      const fetches = Array.from({ length: count }, () => fetch)
      await Promise.all([
        senders.call('sendMessages', { port, requests, rate, count }),
        callers.call('makeCalls', { port, requests: fetches, rate, count }),
      ])
    },
    /** Sends, fetches and changes as fast as the answers arrive. */
    async flood(seconds: number): Promise<void> {
      // Now, because the gateway closes connections that are idle.
      await fastSenders.call('openHttpSenders', { group: 'busy', port, requests: requests.slice(0, connections) })
      const [{ count }, fetched, changed] = await Promise.all([
        fastSenders.call('sendMessages', { group: 'busy', seconds }),
        fastCallers.call('repeatCallsFor', { port, texts: [fetch], connections, seconds }),
        fastChangers.call('repeatCallsFor', { port, texts: changes, connections, seconds }),
      ])
      const [sends, fetches, all] = [count, fetched, changed].map((calls) => formatNumber(calls / seconds))
      environment.print(`the busy organization per second: ${sends} sends, ${fetches} fetches, ${all} changes of flags`)
    },
    async stop() {
      await Promise.all([senders, callers, fastSenders, fastCallers, fastChangers].map((one) => one.stop()))
    },
  }
}

/** Live memory of a gateway, after a full garbage collection. */
const openMemory = async (inspectorPort: number) => {
  const inspector = await openInspector(inspectorPort)
  const bytes = { warm: 0, idle: 0, used: 0 }
  return {
    async measure(when: keyof typeof bytes) {
      bytes[when] = await inspector.measureLiveBytes()
    },
    results(realms: number): BenchResult[] {
      const perRealm = (when: 'idle' | 'used') => (bytes[when] - bytes.warm) / (realms - WARM_UP) / 1000
      const compose = (label: string, when: 'idle' | 'used'): BenchResult => ({
        label,
        measured: `${formatNumber(perRealm(when))} kB live`,
        baseline: `${formatNumber(perRealm('idle'))} kB: without clients`,
        ratios: [perRealm(when) / perRealm('idle')],
      })
      return [
        compose('memory of an organization without clients', 'idle'),
        compose('memory of an organization with a client and its messages', 'used'),
      ]
    },
    close: inspector.close,
  }
}

/** Measures the CPU time of one question for the heads of all realms, in the gateway and in Postgres. */
const measureHeads = async ({ sql: admin, database_url, size }: BenchEnvironment): Promise<BenchResult> => {
  const count = size(10_000, { smoke: 50 })
  const repetitions = size(100, { smoke: 2 })
  const inserted = await admin<{ id: number }[]>`
    insert into realms (string_id, name, date_created)
    select 'heads-' || ${process.pid}::int || '-' || n, 'Bench', 0 from generate_series(1, ${count}::int) as n
    returning id`
  const ids = inserted.map(({ id }) => id)
  await admin`insert into log_heads (realm_id) select unnest(${ids}::int[])`
  await admin`vacuum analyze log_heads`
  const sql = openSql(database_url, 1)
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const pid = row?.pid ?? 0
  for (let i = 0; i < repetitions / 10; i++) await loadHeads(sql, ids)
  const before = { postgres: readCpuSeconds(pid), own: process.cpuUsage() }
  for (let i = 0; i < repetitions; i++) await loadHeads(sql, ids)
  const own = process.cpuUsage(before.own)
  const gateway = (own.user + own.system) / 1000 / repetitions
  const postgres = ((readCpuSeconds(pid) - before.postgres) * 1000) / repetitions
  await sql.end()
  return {
    label: `heads of ${count.toLocaleString('en')} organizations: CPU per question`,
    measured: `${formatNumber(gateway)} ms, and ${formatNumber(postgres)} ms in Postgres`,
    baseline: '1,000 ms: the time between two questions',
    ratios: [(gateway + postgres) / 1000],
  }
}

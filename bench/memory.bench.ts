/**
 * How much memory does an idle client take in a gateway? Baseline: raw uWebSockets.
 *
 * 10,000 queues of 500 users are each read by a WebSocket, and then (in a new process) by a waiting long poll. The
 * result is the growth of the process since before the clients connected, divided by their number: resident memory of
 * the operating system and live memory of V8, both after a full garbage collection. The baseline is a process with only
 * uWebSockets and as many idle WebSockets or waiting requests. The resident memory of the whole process is printed too:
 * what a process takes before the clients does not show in its growth. It has logged an error with a stack trace.
 *
 * Not measured: kernel memory per TCP connection, clients with a backlog, and the realm itself: the first measurement
 * is taken when the realm is loaded and the code is warm, after some clients have connected and disconnected.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/dev/ports.js'
import { plainProfile } from '../src/domain/log/profile.js'
import { openBus } from '../src/store/log/bus.js'
import { openQueues } from '../src/store/register/event-queues.js'
import { openScopeOf } from '../test/setup/realm/scope.js'
import type { RawUwsProcedures } from './baselines/raw-uws.js'
import type { BenchEnvironment } from './fleet/environment.js'
import { inspectorVariables, openInspector } from './fleet/inspector.js'
import { type BenchQueue, type BenchRealm, buildHandshake, createBenchRealm } from './fleet/realm.js'
import { startProcess } from './harness/child-process.js'
import { readResidentBytes } from './harness/measure.js'
import type { PollProcedures } from './load/polls.js'
import type { SocketProcedures } from './load/sockets.js'
import type { Handshake } from './load/websocket.js'
import { type Bench, type BenchResult, formatNumber } from './results/bench.js'

const GOAL_KB = 6
/** Of the whole gateway with all clients. It has 187 MB. */
const MAX_MB = 250

export const memoryBench: Bench = {
  question: 'How much memory does an idle client take in a gateway? Baseline: raw uWebSockets',
  async run(environment) {
    const { size } = environment
    const users = size(500, { smoke: 20 })
    const counts: Counts = {
      warmUp: size(500, { smoke: 20 }),
      measured: size(10_000, { smoke: 100 }),
      stableMs: size(1_000, { smoke: 20 }),
    }
    const realm = await createBenchRealm(environment, users)
    const queues = await createQueues(environment, realm, counts.warmUp + counts.measured)
    const results: BenchResult[] = []
    const clientTypes = [
      ['socket', createSocketClients(environment, realm)],
      ['long poll', createPollingClients(environment, realm)],
    ] as const
    for (const [name, clients] of clientTypes) {
      const parley = await measureGateway(environment, counts, queues, clients)
      const raw = await measureRaw(environment, counts, clients)
      results.push({
        label: `one idle ${name}, ${counts.measured.toLocaleString('en')} of ${users} users`,
        measured: `${formatNumber(parley.resident)} kB resident, ${formatNumber(parley.live)} kB live`,
        baseline: `${formatNumber(raw.resident)} kB resident (raw uWebSockets)`,
        ratios: [parley.resident / raw.resident],
        bound: { text: `< ${GOAL_KB} kB`, isMet: parley.resident < GOAL_KB, isRequired: false },
      })
      results.push({
        label: `the whole process with these ${name}s`,
        measured: `${formatNumber(parley.whole)} MB resident`,
        baseline: `${formatNumber(raw.whole)} MB resident (raw uWebSockets)`,
        ratios: [parley.whole / raw.whole],
        bound: { text: `< ${MAX_MB} MB`, isMet: parley.whole < MAX_MB, isRequired: true },
      })
    }
    return results
  },
}

/**
 * How many clients connect before the measurement and for it, and for how many milliseconds memory must not change
 * before it is read.
 */
interface Counts {
  warmUp: number
  measured: number
  stableMs: number
}

/** Connects idle clients from a process of their own. */
interface Clients {
  connectToGateway(port: number, queues: BenchQueue[]): Promise<Connected>
  connectToRaw(port: number, count: number): Promise<Connected>
}
/** Clients that are connected. */
interface Connected {
  disconnect(): Promise<void>
}

const createSocketClients = ({ group }: BenchEnvironment, { host }: BenchRealm): Clients => {
  const connect = async (port: number, handshakes: Handshake[]) => {
    const sockets = startProcess<SocketProcedures>(group, 'load/sockets')
    await sockets.call('openGroup', { group: 'idle', port, host, checksIds: false, handshakes })
    return { disconnect: sockets.stop }
  }
  return {
    connectToGateway: (port, queues) => connect(port, queues.map(buildHandshake)),
    connectToRaw: (port, count) => connect(port, new Array(count).fill({ path: '/', headers: [] })),
  }
}

const createPollingClients = ({ group }: BenchEnvironment, { host }: BenchRealm): Clients => ({
  async connectToGateway(port, queues) {
    const polls = startProcess<PollProcedures>(group, 'load/polls')
    await polls.call('pollQueues', { port, host, clients: queues })
    return { disconnect: polls.stop }
  },
  async connectToRaw(port, count) {
    const polls = startProcess<PollProcedures>(group, 'load/polls')
    await polls.call('pollPath', { port, path: '/poll', clients: count })
    return { disconnect: polls.stop }
  },
})

const measureGateway = async (
  environment: BenchEnvironment,
  counts: Counts,
  queues: BenchQueue[],
  clients: Clients,
): Promise<Growth> => {
  const inspectorPort = await freePort()
  const { pid, port, operationsPort, stop } = await environment.startGateway(inspectorVariables(inspectorPort))
  const inspector = await openInspector(inspectorPort)
  await inspector.logError()
  const growth = await measureGrowth(pid, counts, inspector.measureLiveBytes, async (from, to) => {
    const connected = await clients.connectToGateway(port, queues.slice(from, to))
    await waitForConnections(operationsPort, to - from)
    return connected
  })
  inspector.close()
  await stop()
  return growth
}

const measureRaw = async ({ group }: BenchEnvironment, counts: Counts, clients: Clients): Promise<Growth> => {
  const raw = startProcess<RawUwsProcedures>(group, 'baselines/raw-uws')
  const port = await raw.call('listen', null)
  const growth = await measureGrowth(
    raw.pid,
    counts,
    async () => 0,
    (from, to) => clients.connectToRaw(port, to - from),
  )
  await raw.stop()
  return growth
}

/** The growth of a process per client, in kB, and what the whole process takes with all clients, in MB. */
interface Growth {
  resident: number
  live: number
  whole: number
}

/**
 * Connects some clients and disconnects them, then connects all the others.
 * @param measureLiveBytes collects the garbage of the process and returns the bytes that are left
 * @param connect          connects the clients of a range of numbers
 */
const measureGrowth = async (
  pid: number,
  { warmUp: warmUpCount, measured, stableMs }: Counts,
  measureLiveBytes: () => Promise<number>,
  connect: (from: number, to: number) => Promise<Connected>,
): Promise<Growth> => {
  const measure = async () => {
    await waitUntilStable(pid, stableMs)
    return { live: await measureLiveBytes(), resident: readResidentBytes(pid) }
  }
  const warmUp = await connect(0, warmUpCount)
  await waitUntilStable(pid, stableMs)
  await warmUp.disconnect()
  const before = await measure()
  const connected = await connect(warmUpCount, warmUpCount + measured)
  const after = await measure()
  await connected.disconnect()
  return {
    resident: (after.resident - before.resident) / measured / 1000,
    live: (after.live - before.live) / measured / 1000,
    whole: after.resident / 1_000_000,
  }
}

/** Waits until the resident memory of the process has changed by less than 100 kB within the given time. */
const waitUntilStable = async (pid: number, milliseconds: number): Promise<void> => {
  for (let last = -1; ; ) {
    const resident = readResidentBytes(pid)
    if (Math.abs(resident - last) < 100_000) return
    last = resident
    await sleep(milliseconds)
  }
}

/** Waits until the metrics of the gateway show this number of connected clients. */
const waitForConnections = async (port: number, count: number): Promise<void> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const counts = [...text.matchAll(/^parley_connections\{[^}]*\} (\d+)$/gm)].map(([, number]) => Number(number))
    if (counts.reduce((sum, each) => sum + each, 0) === count) return
    await sleep(100)
  }
  throw new Error(`the metrics of the gateway do not show ${count} connections`)
}

/** Creates queues with the store, so that the gateway's memory contains nothing of their registrations. */
const createQueues = async (environment: BenchEnvironment, realm: BenchRealm, count: number): Promise<BenchQueue[]> => {
  const bus = openBus(environment.redis_url, openScopeOf(environment.sql), () => {})
  const queues = openQueues(environment.sql, bus)
  const registration = {
    realm_id: realm.id,
    profile: { ...plainProfile, apply_markdown: true },
    state_seq: 0,
    content_seq: 0,
    lifespan_secs: 3_600,
    position_name: null,
  }
  const created = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const user_id = realm.user_ids[i % realm.user_ids.length] ?? 0
      const { id } = await queues.create({ ...registration, user_id })
      return { queue_id: id, last_event_id: -1, credentials: realm.identify(user_id).credentials }
    }),
  )
  await queues.close()
  await bus.close()
  return created
}

/**
 * What does an idle client cost a gateway in memory?
 *
 * 10,000 queues of 500 users, each read by a WebSocket, then (at a fresh process) by a parked long poll. The cost is
 * what the process grew by since before they came, divided by their number: resident memory as the system sees it,
 * and live memory as V8 counts it, both after a full collection. Baseline: as many idle WebSockets, or parked
 * requests, at a process with nothing but uWebSockets.
 *
 * Not measured: what the kernel keeps per TCP connection, clients with a backlog under way, and the realm itself: the
 * base is taken when the realm is loaded and the code is warm, after some clients have come and gone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/dev/ports.js'
import { plainProfile } from '../src/domain/log/profile.js'
import { openBus } from '../src/store/log/bus.js'
import { openQueues } from '../src/store/register/event-queues.js'
import type { RawJobs } from './baselines/raw-uws.js'
import { type Answer, type Bench, figure } from './bench.js'
import { inspectable, openInspector } from './inspector.js'
import type { PollJobs } from './load/polls.js'
import type { SocketJobs } from './load/sockets.js'
import { residentBytes } from './measure.js'
import { startPart } from './part.js'
import { type BenchQueue, type BenchRealm, benchRealm, doorOf } from './realm.js'
import type { Setting } from './setting.js'

const CLIENTS = 10_000
const WARM_UP = 500
const USERS = 500
const GOAL_KB = 6

export const memory: Bench = {
  question: 'What does an idle client cost a gateway in memory?',
  async run(setting) {
    const realm = await benchRealm(setting, USERS)
    const queues = await storedQueues(setting, realm, WARM_UP + CLIENTS)
    const answers: Answer[] = []
    for (const [name, crowd] of [['socket', sockets] as const, ['poll', polls] as const]) {
      const ours = await atGateway(setting, queues, crowd(setting, realm))
      const raw = await atRaw(setting, crowd(setting, realm))
      answers.push({
        what: `an idle ${name}, ${CLIENTS} of ${USERS} users`,
        ours: `${figure(ours.resident)} kB resident, ${figure(ours.live)} kB live`,
        baseline: `${figure(raw.resident)} kB resident (raw uWS)`,
        ratios: [ours.resident / raw.resident],
        expected: { bound: `< ${GOAL_KB} kB`, met: ours.resident < GOAL_KB, required: false },
      })
    }
    return answers
  },
}

/** Clients who come and stay idle, in a process of their own. */
interface Crowd {
  atGateway(port: number, queues: BenchQueue[]): Promise<Leaving>
  atRaw(port: number, count: number): Promise<Leaving>
}
type Leaving = { leave(): Promise<void> }

const sockets = ({ hold }: Setting, { host }: BenchRealm): Crowd => {
  const open = async (port: number, doors: { path: string; headers: string[] }[]) => {
    const part = startPart<SocketJobs>(hold, 'load/sockets')
    await part.call('open', { group: 'idle', port, host, ordered: false, doors })
    return { leave: part.stop }
  }
  return {
    atGateway: (port, queues) => open(port, queues.map(doorOf)),
    atRaw: (port, count) => open(port, new Array(count).fill({ path: '/', headers: [] })),
  }
}

const polls = ({ hold }: Setting, { host }: BenchRealm): Crowd => ({
  async atGateway(port, pollers) {
    const part = startPart<PollJobs>(hold, 'load/polls')
    await part.call('poll', { port, host, pollers })
    return { leave: part.stop }
  },
  async atRaw(port, clients) {
    const part = startPart<PollJobs>(hold, 'load/polls')
    await part.call('park', { port, path: '/park', clients })
    return { leave: part.stop }
  },
})

const atGateway = async (setting: Setting, queues: BenchQueue[], crowd: Crowd): Promise<Growth> => {
  const inspected = await freePort()
  const { pid, port, stop } = await setting.gateway(inspectable(inspected))
  const inspector = await openInspector(inspected)
  const growth = await growthOf(pid, inspector.live, async (from, to) => {
    const here = await crowd.atGateway(port, queues.slice(from, to))
    await counted(port, to - from)
    return here
  })
  // A process that is being inspected does not end.
  inspector.close()
  await stop()
  return growth
}

const atRaw = async ({ hold }: Setting, crowd: Crowd): Promise<Growth> => {
  const raw = startPart<RawJobs>(hold, 'baselines/raw-uws')
  const port = await raw.call('listen', null)
  const growth = await growthOf(
    raw.pid,
    async () => 0,
    (from, to) => crowd.atRaw(port, to - from),
  )
  await raw.stop()
  return growth
}

/** What a process grew by per client, in kB. */
interface Growth {
  resident: number
  live: number
}

/**
 * Lets some clients come and go, then all the others come and stay.
 * @param live collects the process's garbage and tells the bytes that are left
 * @param arrive brings the clients from one number to another
 */
const growthOf = async (
  pid: number,
  live: () => Promise<number>,
  arrive: (from: number, to: number) => Promise<Leaving>,
): Promise<Growth> => {
  const look = async () => {
    await settled(pid)
    return { live: await live(), resident: residentBytes(pid) }
  }
  const warmUp = await arrive(0, WARM_UP)
  await settled(pid)
  await warmUp.leave()
  const before = await look()
  const all = await arrive(WARM_UP, WARM_UP + CLIENTS)
  const after = await look()
  await all.leave()
  return {
    resident: (after.resident - before.resident) / CLIENTS / 1000,
    live: (after.live - before.live) / CLIENTS / 1000,
  }
}

/** Waits until the process has neither grown nor shrunk by more than a little for a second. */
const settled = async (pid: number): Promise<void> => {
  for (let last = -1; ; ) {
    const resident = residentBytes(pid)
    if (Math.abs(resident - last) < 100_000) return
    last = resident
    await sleep(1_000)
  }
}

/** Waits until the gateway itself counts so many connected clients. */
const counted = async (port: number, count: number): Promise<void> => {
  for (let turn = 0; turn < 100; turn++) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const counts = [...text.matchAll(/^parley_connections\{[^}]*\} (\d+)$/gm)].map(([, number]) => Number(number))
    if (counts.reduce((sum, each) => sum + each, 0) === count) return
    await sleep(100)
  }
  throw new Error(`the gateway does not count ${count} clients`)
}

/** Registrations made by the store, so that the gateway's memory holds nothing of their making. */
const storedQueues = async (setting: Setting, realm: BenchRealm, count: number): Promise<BenchQueue[]> => {
  const bus = openBus(setting.redis_url, () => {})
  const queues = openQueues(setting.sql, bus)
  const registration = {
    realm_id: realm.id,
    profile: { ...plainProfile, apply_markdown: true },
    state_seq: 0,
    content_seq: 0,
    lifespan_secs: 3_600,
  }
  const made = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const user_id = realm.user_ids[i % realm.user_ids.length] ?? 0
      const { id } = await queues.create({ ...registration, user_id })
      return { queue_id: id, last_event_id: -1, credentials: realm.who(user_id).credentials }
    }),
  )
  await queues.close()
  await bus.close()
  return made
}

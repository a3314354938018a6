/**
 * A soak: many clients stay connected to several gateways for a long time, while messages are sent and other things
 * change. The memory of the gateways stays flat, no event loop is delayed for long, and no client misses a message.
 *
 * Each gateway logs an error every five seconds: what its first stack trace costs is in the figures.
 *
 * It is no test of the suite: `npm run chaos -- --soak --minutes 30 --clients 50000 --gateways 4` runs it.
 *
 * Most messages go to a team: a channel whose subscribers have 500 clients, on all gateways. Every half minute a
 * message goes to all clients. The clients are in processes of their own (soak-clients.mjs), which verify each event.
 *
 * The delay of an event loop is how late a timer of 10 ms was (own-delays.mjs). Gateways, clients, Postgres and Redis
 * share the CPUs of one machine here, so the bound is for the delay without the time that a gateway waited for a CPU:
 * the longest of its tasks. The whole delay is printed beside it.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { startFleet } from './fleet.js'
import { reportRun } from './report.js'

const minutes = Number(process.env.SOAK_MINUTES ?? 0)
const clients = Number(process.env.SOAK_CLIENTS ?? 0)
const gateways = Number(process.env.SOAK_GATEWAYS ?? 4)
/** An account has at most 250 queues. */
const CLIENTS_PER_ACCOUNT = 125
const CLIENTS_PER_TEAM = 500
/** Fewer than the files that a process may open on most machines. */
const CLIENTS_PER_PROCESS = 12_000
/** Of a hundred clients: those that read with long polls, and those that read with server-sent events. */
const POLLS = 2
const STREAMS = 3
const SEND_MS = 100
/** One of so many messages is for all clients. */
const SENDS_PER_MESSAGE_FOR_ALL = 300
/** After each of so many messages, something else than a message is sent. */
const SENDS_PER_OTHER_CALL = 10
const SAMPLE_MS = 5_000
/** What is measured while connections are opened, and shortly after, is not counted. */
const SETTLE_MS = 30_000
/** How much more memory the last third of the time may need than the second one. */
const MAX_GROWTH = 1.1
const MAX_DELAY_MS = 100

interface Sample {
  megabytes: number
  /** how long its main thread has waited for a CPU since it started, in milliseconds */
  waited_ms: number
}

/** What a gateway's event loop was late in one second, in milliseconds: as own-delays.mjs writes it. */
interface Delay {
  at: number
  pid: number
  late: number
  /** without the time that its thread waited for a CPU */
  own: number
}

/** What a process of clients answers. */
interface Check {
  repeated: number
  disordered: number
  closed: number
  refused: number
  events: number
  /** clients that have not received everything */
  incomplete: number
  missed: number
  samples: string[]
  megabytes: number
  cpu_seconds: number
}

test.skipIf(minutes === 0)(
  'The memory of gateways with many clients stays flat, their event loops are not delayed, and no client misses a message.',
  { timeout: minutes * 60_000 + 1_200_000 },
  async () => {
    // All clients have one address. They get heartbeats as in production, and answers are not checked.
    const delayLog = join(inject('log_folder'), `soak-delays-${process.pid}.jsonl`)
    writeFileSync(delayLog, '')
    const env = {
      MAX_OPEN_REQUESTS_PER_ADDRESS: '200000',
      POLL_HEARTBEAT_MS: '45000',
      STREAM_HEARTBEAT_MS: '9000',
      NODE_ENV: 'production',
      DELAY_LOG: delayLog,
      ERROR_MS: '5000',
    }
    await using fleet = await startFleet({ gateways, workers: 1 }, env)
    await using realm = await newRealm({ database_url: fleet.postgres.url, redis_url: fleet.redis.url })
    const names = Array.from({ length: Math.ceil(clients / CLIENTS_PER_ACCOUNT) }, (_, i) => `Reader ${i}`)
    const people = await realm.people(...names.map((full_name) => ({ full_name, settings: neverFollowing })))
    const urls = fleet.urls()
    const url = (i: number) => urls[i % urls.length] as string
    const teamOf = (i: number) => Math.floor(i / CLIENTS_PER_TEAM)
    const accountOf = (i: number) => people[Math.floor(i / CLIENTS_PER_ACCOUNT)] as Person
    const teams = Array.from({ length: teamOf(clients - 1) + 1 }, (_, team) =>
      people.slice(
        (team * CLIENTS_PER_TEAM) / CLIENTS_PER_ACCOUNT,
        ((team + 1) * CLIENTS_PER_TEAM) / CLIENTS_PER_ACCOUNT,
      ),
    )
    const channels = [{ name: 'all', members: people }, ...teams.map((members, i) => ({ name: `team ${i}`, members }))]
    for (const { name, members } of channels) {
      const principals = members.map(({ user_id }) => user_id)
      const subscriptions = [{ name }]
      await ok(members[0], 'POST', '/users/me/subscriptions', { subscriptions, principals }, { url: url(0) })
    }

    const list = Array.from({ length: clients }, (_, i) => {
      const account = accountOf(i)
      const percent = Math.floor(i / gateways) % 100
      return {
        port: Number(new URL(url(i)).port),
        host: account.host,
        authorization: basicAuthorization(account),
        team: teamOf(i),
        transport: percent < POLLS ? 'poll' : percent < POLLS + STREAMS ? 'sse' : 'websocket',
      }
    })
    const count = Math.ceil(clients / CLIENTS_PER_PROCESS)
    await using processes = startClientProcesses(count)
    const began = performance.now()
    // Neighbours in the list are in different processes.
    await processes.call('open', (i) => ({ list: list.filter((_, n) => n % count === i) }))
    const connectMs = performance.now() - began

    const sent = { all: 0, teams: teams.map(() => 0), others: teams.map(() => 0) }
    const load = { messages: 0, others: 0 }
    const send = async () => {
      const isForAll = load.messages % SENDS_PER_MESSAGE_FOR_ALL === SENDS_PER_MESSAGE_FOR_ALL - 1
      const team = load.messages % teams.length
      const [ada, grace] = teams[team] as [Person, Person?]
      const at = { url: url(load.messages) }
      load.messages += 1
      if (isForAll) sent.all += 1
      else sent.teams[team] = (sent.teams[team] ?? 0) + 1
      const content = isForAll ? `all number ${sent.all}` : `team ${team} number ${sent.teams[team]}`
      const to = isForAll ? 'all' : `team ${team}`
      const { id } = await ok(ada, 'POST', '/messages', { type: 'stream', to, topic: 't', content }, at)
      if (isForAll || load.messages % SENDS_PER_OTHER_CALL !== 0) return
      const addOther = () => {
        sent.others[team] = (sent.others[team] ?? 0) + 1
      }
      const other = load.others++ % 4
      if (other === 0) {
        addOther()
        await ok(ada, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }, at)
      } else if (other === 1) {
        addOther()
        await ok(ada, 'PATCH', `/messages/${id}`, { content: `${content}, edited` }, at)
      } else if (other === 2) {
        await ok(grace ?? ada, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' }, at)
      } else {
        const to = (grace ?? ada).user_id
        await ok(ada, 'POST', '/typing', { op: 'start', to: [to] }, at)
      }
    }

    const readSamples = () =>
      Promise.all(
        fleet.slots.flatMap(({ kind, process }) =>
          kind === 'gateway' && process !== undefined ? [readSample(process.pid, process.operations_url)] : [],
        ),
      )
    const samples: Sample[][] = []
    let settledAt = 0
    const started = performance.now()
    let sampledAt = started
    let isSettled = false
    for (let n = 0; performance.now() - started < minutes * 60_000; n++) {
      // A call that takes long delays no later one, unless it takes longer than the time until that one.
      await Promise.all([send(), sleep(started + n * SEND_MS - performance.now())])
      if (performance.now() - sampledAt < SAMPLE_MS) continue
      sampledAt = performance.now()
      const sample = await readSamples()
      if (isSettled) samples.push(sample)
      if (!isSettled) settledAt = Date.now()
      isSettled = sampledAt - started > Math.min(SETTLE_MS, minutes * 10_000)
    }
    const endedAt = Date.now()
    const seconds = (performance.now() - started) / 1000

    let checks = await processes.call<Check>('check', () => sent)
    const deadline = performance.now() + 60_000
    while (checks.some(({ incomplete }) => incomplete > 0) && performance.now() < deadline) {
      await sleep(500)
      checks = await processes.call<Check>('check', () => sent)
    }
    const sum = (figure: Exclude<keyof Check, 'samples'>) => checks.reduce((total, check) => total + check[figure], 0)

    const third = Math.floor(samples.length / 3)
    const meanOf = (part: Sample[][], gateway: number) =>
      Math.round(
        part.reduce((total, sample) => total + (sample[gateway]?.megabytes ?? 0), 0) / Math.max(1, part.length),
      )
    const memory = urls.map((_, gateway) => [
      meanOf(samples.slice(third, 2 * third), gateway),
      meanOf(samples.slice(2 * third), gateway),
    ])
    const delays = readFileSync(delayLog, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Delay)
      .filter(({ at }) => at > settledAt && at <= endedAt)
    const own = delays.map((each) => each.own)
    const waited = urls.map((_, gateway) => {
      const [first, last] = [samples[0]?.[gateway], samples.at(-1)?.[gateway]]
      const ms = (last?.waited_ms ?? 0) - (first?.waited_ms ?? 0)
      return `${((100 * ms) / Math.max(1, (samples.length - 1) * SAMPLE_MS)).toFixed(1)} %`
    })
    const faults = {
      missed: sum('missed'),
      repeated: sum('repeated'),
      disordered: sum('disordered'),
      'clients that lack an event': sum('incomplete'),
      'connections closed by gateways': sum('closed'),
      'connections refused': sum('refused'),
      'processes that ended by themselves': fleet.crashes.length,
    }
    reportRun({
      minutes,
      clients,
      gateways,
      'seconds to connect all': (connectMs / 1000).toFixed(1),
      'messages sent': load.messages,
      'messages per second': (load.messages / seconds).toFixed(1),
      'reactions, edits, flags and typing': load.others,
      'events received': sum('events'),
      ...faults,
      'memory in the second and last third (MB)': memory.map(([a, b]) => `${a} → ${b}`).join(', '),
      'longest task of a gateway (ms)': largest(own),
      'delay with the wait for a CPU, largest (ms)': largest(delays.map(({ late }) => late)),
      [`seconds with such a delay over ${MAX_DELAY_MS} ms`]: `${delays.filter(({ late }) => late > MAX_DELAY_MS).length} of ${delays.length}`,
      'time that gateways waited for a CPU': waited.join(', '),
      'memory of the client processes (MB)': sum('megabytes'),
      'CPU of the client processes (s)': sum('cpu_seconds').toFixed(0),
    })
    const what = [...checks.flatMap(({ samples }) => samples), ...fleet.crashes]
    expect({ ...faults, what }).toEqual({
      ...Object.fromEntries(Object.keys(faults).map((name) => [name, 0])),
      what: [],
    })
    for (const [second = 0, last = 0] of memory) expect(last).toBeLessThan(second * MAX_GROWTH + 20)
    expect(delays.length).toBeGreaterThan(0)
    expect(largest(own)).toBeLessThanOrEqual(MAX_DELAY_MS)
  },
)

const largest = (numbers: readonly number[]): number => numbers.reduce((max, each) => Math.max(max, each), 0)

/** Processes of clients, which end with this one at the latest. */
interface ClientProcesses extends AsyncDisposable {
  /** Calls a procedure in every process. @param input of the process with this number */
  call<T>(procedure: string, input: (i: number) => unknown): Promise<T[]>
}

const startClientProcesses = (count: number): ClientProcesses => {
  const children = Array.from({ length: count }, () => fork(join(root, 'test/chaos/soak-clients.mjs')))
  // Gateways of production share no machine with their clients: the clients get the CPU that the gateways leave.
  for (const { pid } of children) if (pid !== undefined) setPriority(pid, 19)
  let id = 0
  return {
    call: <T>(procedure: string, input: (i: number) => unknown) =>
      Promise.all(
        children.map(
          (child, i) =>
            new Promise<T>((resolve, reject) => {
              const own = ++id
              const receive = (message: { id: number; result: T }) => {
                if (message.id !== own) return
                child.off('message', receive).off('exit', fail)
                resolve(message.result)
              }
              const fail = (code: number | null, signal: string | null) =>
                reject(new Error(`a process of clients ended: ${signal ?? code}`))
              child.on('message', receive).once('exit', fail)
              child.send({ id: own, procedure, input: input(i) })
            }),
        ),
      ),
    async [Symbol.asyncDispose]() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          child.disconnect()
          await once(child, 'exit')
        }),
      )
    },
  }
}

const readSample = async (pid: number, operations_url: string): Promise<Sample> => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  await sendRequest(Number(new URL(operations_url).port), { path: '/metrics' })
  return {
    megabytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
    waited_ms: Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6,
  }
}

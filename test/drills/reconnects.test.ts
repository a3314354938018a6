/**
 * All clients of a gateway lose their connections at the same moment, and connect to another gateway: after a kill, a
 * drain, a restart of the load balancers, a restart of Redis, and a kill after which their event queues are gone.
 *
 * Each client is the client library. All of them are connected to one gateway, so one other gateway gets all of them.
 * Meanwhile messages are sent at a constant rate (open loop: a latency is counted from the time at which its message
 * was due) to the gateway that gets the clients.
 *
 * 1. No event is lost or doubled, no client fails, and no send fails.
 * 2. All clients are back within the time of the phase, and few of them need more than one attempt.
 * 3. The clients decide to connect at different times: not more than MAX_SHARE of them within 100 ms.
 * 4. No task keeps the event loop of the gateway busy for more than MAX_TASK_MS (test/chaos/own-delays.mjs).
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/dev/ports.js'
import { root } from '../../src/dev/root.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { startGateway, startRedis, type TestProcess } from '../setup/processes/processes.js'
import { countingProxy } from '../setup/proxies/counting-proxy.js'
import { findHaproxy, type RunningProxy, startHaproxyOfFleet } from '../setup/proxies/proxies.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { isFull, reportFigures, seconds } from './report.js'

const size = isFull
  ? {
      clients: Number(process.env.DRILL_CLIENTS),
      accounts: 250,
      channels: 100,
      processes: 2,
      period_ms: 100,
      before_ms: 6_000,
      back_ms: 150_000,
    }
  : { clients: 60, accounts: 6, channels: 3, processes: 1, period_ms: 100, before_ms: 1_000, back_ms: 20_000 }
const CLIENTS_PER_PROXY = 9_000
const NOTICE_MS = 2_500
/** Pauses of up to two seconds have a share of 5 %. */
const MAX_SHARE = 0.1
/** Attempts for each client. */
const MAX_ATTEMPTS = 2
const MAX_TASK_MS = 250

/** What a process of clients answers. Times are Date.now(). */
interface Check {
  planned: number[]
  begun: number[]
  answered: number[]
  statuses: Record<string, number>
  registrations: Record<string, number>
  /** of each client that lost a connection: when it lost the first one, and when it was back for the last time */
  gaps: [from: number, to: number][]
  lost: number
  doubled: number
  disordered: number
  resets: number
  failures: string[]
  cpu_seconds: number
  megabytes: number
}

/** Processes of clients, which end with this one at the latest. */
interface ClientProcesses extends AsyncDisposable {
  /** Calls a procedure in every process. @param input of the process with this number */
  call<T>(procedure: string, input?: (i: number) => unknown): Promise<T[]>
}

const startClientProcesses = (count: number): ClientProcesses => {
  const children = Array.from({ length: count }, () => fork(join(root, 'test/drills/library-clients.mjs')))
  let id = 0
  return {
    call: <T>(procedure: string, input: (i: number) => unknown = () => ({})) =>
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

/** Seconds of CPU that a process has used. */
const readCpu = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0

/** The largest number of times within one interval. */
const findPeak = (times: readonly number[], interval_ms: number): number => {
  const sorted = times.toSorted((a, b) => a - b)
  let [peak, first] = [0, 0]
  for (const [i, time] of sorted.entries()) {
    while ((sorted[first] ?? time) <= time - interval_ms) first += 1
    peak = Math.max(peak, i - first + 1)
  }
  return peak
}

interface Sent {
  /** when it was due, as Date.now() */
  due: number
  milliseconds: number
  channel: string
  id: number | undefined
}

/** Sends messages at a constant rate. `url` names the gateway of each send. */
const startSends = (account: Person, channels: readonly string[], url: () => string) => {
  // Idle connections are closed before the gateway closes them.
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64, timeout: 5_000 })
  const sends: Sent[] = []
  const failures: string[] = []
  const pending = new Set<Promise<void>>()
  let [isStopped, count] = [false, 0]
  const post = (to: string, content: string) =>
    new Promise<number>((resolve, reject) => {
      const body = new URLSearchParams({ type: 'stream', to, topic: 't', content }).toString()
      const headers = {
        Host: account.host,
        Authorization: basicAuthorization(account),
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': Buffer.byteLength(body),
      }
      const request = http.request(`${url()}/api/v1/messages`, { method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('error', reject)
        response.on('end', () => {
          if (response.statusCode === 200) resolve((JSON.parse(text) as { id: number }).id)
          else reject(new Error(`${response.statusCode} ${text.slice(0, 200)}`))
        })
      })
      request.on('error', reject)
      request.end(body)
    })
  const send = async (due: number) => {
    const channel = channels[count % channels.length] as string
    const sent: Sent = { due, milliseconds: 0, channel, id: undefined }
    sends.push(sent)
    try {
      sent.id = await post(channel, `number ${++count}`)
    } catch (error) {
      failures.push((error as Error).message)
    }
    sent.milliseconds = Date.now() - due
  }
  const run = async () => {
    for (let due = Date.now(); !isStopped; due += size.period_ms) {
      await sleep(Math.max(0, due - Date.now()))
      const sending = send(due)
      pending.add(sending)
      void sending.finally(() => pending.delete(sending))
    }
  }
  const running = run()
  return {
    sends,
    failures,
    async stop() {
      isStopped = true
      await running
      await Promise.all(pending)
      agent.destroy()
    },
  }
}

test('Clients that all lose their connections at once come back spread, and lose and double no event.', {
  timeout: isFull ? 900_000 : 120_000,
}, async ({ skip }) => {
  const haproxy = findHaproxy() ?? skip('this machine has no HAProxy and cannot unpack one')
  const delayLog = join(inject('log_folder'), `reconnect-delays-${process.pid}.jsonl`)
  writeFileSync(delayLog, '')
  const redis = await startRedis()
  await using fleet = await startOwnFleet({}, undefined, redis)
  const ports = [await freePort(), await freePort()]
  await using first = await countingProxy(fleet.database_url)
  await using second = await countingProxy(fleet.database_url)
  const databases = [first, second]
  const preload = ['--import', join(root, 'test/chaos/own-delays.mjs')]
  const start = (slot: number) =>
    startGateway(
      {
        DATABASE_URL: databases[slot]?.url ?? '',
        REDIS_URL: redis.url,
        PORT: String(ports[slot]),
        NODE_ENV: 'production',
        DRAIN_NOTICE_MS: String(NOTICE_MS),
        POLL_HEARTBEAT_MS: '45000',
        TRUSTED_PROXIES: '127.0.0.1',
        // Each account has many clients here, which would wait for each other.
        RATE_LIMITS: 'off',
        DELAY_LOG: delayLog,
      },
      undefined,
      [process.execPath, ...preload],
    )
  const gateways: TestProcess[] = [await start(0)]
  const startProxies = (wanted: readonly number[] = []) =>
    Promise.all(
      Array.from({ length: Math.ceil(size.clients / CLIENTS_PER_PROXY) }, (_, i) =>
        startHaproxyOfFleet(haproxy, ports, isFull ? CLIENTS_PER_PROXY : 400, { port: wanted[i] }),
      ),
    )
  let proxies: RunningProxy[] = await startProxies()
  const proxyPorts = proxies.map(({ port }) => port)
  const stopProxies = () => Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()))
  onTestFinished(async () => {
    await Promise.all([...gateways.map((gateway) => gateway.stop()), stopProxies()])
  })

  const { realm } = fleet
  const names = Array.from({ length: size.accounts }, (_, i) => `Reader ${i}`)
  const people = await realm.people(...names.map((full_name) => ({ full_name, settings: neverFollowing })))
  const [ada] = people as [Person]
  const channels = Array.from({ length: size.channels }, (_, i) => `channel ${i}`)
  for (const [i, name] of channels.entries()) {
    const principals = people.filter((_, j) => j === 0 || j % channels.length === i).map(({ user_id }) => user_id)
    await ok(
      ada,
      'POST',
      '/users/me/subscriptions',
      { subscriptions: [{ name }], principals },
      { url: fleet.gateway.url },
    )
  }
  await using processes = startClientProcesses(size.processes)
  const list = Array.from({ length: size.clients }, (_, i) => {
    // The first account is subscribed to all channels, and has no clients.
    const owner = 1 + (i % (people.length - 1))
    const { email, api_key, host } = people[owner] as Person
    const url = `http://127.0.0.1:${proxyPorts[i % proxyPorts.length]}`
    return { url, host, email, apiKey: api_key, channel: channels[owner % channels.length] }
  })
  const opening = performance.now()
  await processes.call('open', (i) => ({ list: list.filter((_, n) => n % size.processes === i) }))
  console.log(`${size.clients} clients are connected after ${seconds(performance.now() - opening)}`)
  gateways.push(await start(1))
  // The proxies use it after a check.
  await sleep(1_500)

  /** The statements of a gateway about queues and the entries that their clients missed. */
  const countStatements = (slot: number) =>
    databases[slot]?.statements().filter((text) => / event_queues | from log where /.test(text)).length ?? 0
  const countAll = async (name: 'open' | 'back', resets = false) => {
    const counts = await processes.call<{ open: number; back: number }>('count', () => ({ resets }))
    return counts.reduce((sum, each) => sum + each[name], 0)
  }

  /**
   * Measures what a cause does to the clients.
   * @param survivor the slot of the gateway that gets them, and all sends
   */
  const measure = async (
    scenario: string,
    survivor: number,
    cause: () => Promise<unknown>,
    { loses = true, resets = false, isSpread = true } = {},
  ) => {
    const gateway = gateways[survivor] as TestProcess
    await expect.poll(() => countAll('open'), { timeout: size.back_ms }).toBe(size.clients)
    await processes.call('begin')
    const load = startSends(ada, channels, () => gateway.url)
    await sleep(1_000)
    const [beganAt, cpu] = [Date.now(), readCpu(gateway.pid)]
    await sleep(size.before_ms)
    const [causedAt, statements, cpuBefore] = [Date.now(), countStatements(survivor), readCpu(gateway.pid)]
    await cause()
    const deadline = Date.now() + size.back_ms
    const wanted = loses ? size.clients : 0
    if (!loses) await sleep(size.before_ms)
    while ((await countAll('back', resets)) < wanted && Date.now() < deadline) await sleep(100)
    const backAt = Date.now()
    const [cpuAfter, statementsAfter] = [readCpu(gateway.pid), countStatements(survivor)]
    // Until the delays of the last second are written.
    await sleep(1_100)
    await load.stop()
    const sent = Object.fromEntries(channels.map((name) => [name, [] as number[]]))
    for (const { channel, id } of load.sends) if (id !== undefined) sent[channel]?.push(id)
    let checks = await processes.call<Check>('check', () => ({ sent }))
    for (let i = 0; i < 20 && checks.some(({ lost }) => lost > 0); i++) {
      await sleep(500)
      checks = await processes.call<Check>('check', () => ({ sent }))
    }

    const sum = (name: 'lost' | 'doubled' | 'disordered' | 'resets' | 'megabytes' | 'cpu_seconds') =>
      checks.reduce((total, check) => total + check[name], 0)
    const counts = (name: 'statuses' | 'registrations') => {
      const total: Record<string, number> = {}
      for (const check of checks) {
        for (const [key, count] of Object.entries(check[name])) total[key] = (total[key] ?? 0) + count
      }
      return total
    }
    const gaps = checks.flatMap((check) => check.gaps)
    const lengths = gaps.map(([from, to]) => to - from)
    const planned = checks.flatMap((check) => check.planned)
    const begun = checks.flatMap((check) => check.begun)
    const answered = checks.flatMap((check) => check.answered)
    const latencies = (from: number, to: number) =>
      load.sends.filter(({ due }) => due >= from && due < to).map(({ milliseconds }) => milliseconds)
    const [before, during] = [latencies(beganAt, causedAt), latencies(causedAt, Math.max(backAt, causedAt + 1_000))]
    const delays = readFileSync(delayLog, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { at: number; pid: number; own: number })
      .filter(({ at, pid }) => pid === gateway.pid && at > causedAt && at <= backAt + 1_000)
    const longestTask = Math.max(0, ...delays.map(({ own }) => own))
    const ownCpu = cpuAfter - cpuBefore - ((cpuBefore - cpu) * (backAt - causedAt)) / (causedAt - beganAt)
    const reconnects = Math.max(1, gaps.length)
    const describe = (values: readonly number[]) =>
      `${percentile(values, 0.5)} ms, ${percentile(values, 0.99)} ms, ${percentile(values, 1)} ms`
    const text = (values: Record<string, number>) =>
      Object.entries(values)
        .map(([key, count]) => `${key}: ${count}`)
        .join(', ')
    reportFigures(scenario, {
      clients: size.clients,
      'back: 50 %, 90 %, 99 %, all': [0.5, 0.9, 0.99, 1].map((share) => seconds(percentile(lengths, share))).join(', '),
      'planned, most per 100 ms': `${planned.length}, ${findPeak(planned, 100)}`,
      'handshakes begun, most per second, most per 100 ms': `${begun.length}, ${findPeak(begun, 1_000)}, ${findPeak(begun, 100)}`,
      'handshakes answered, most per second': `${answered.length}, ${findPeak(answered, 1_000)}`,
      'answers and close codes': text(counts('statuses')),
      registrations: text(counts('registrations')),
      'CPU of the other gateway': `${ownCpu.toFixed(2)} s, ${((1e6 * ownCpu) / reconnects).toFixed(0)} µs each`,
      'Postgres statements each': ((statementsAfter - statements) / reconnects).toFixed(3),
      'longest task of the other gateway': `${longestTask} ms`,
      'sends before: p50, p99, max': describe(before),
      'sends meanwhile: p50, p99, max': describe(during),
      sends: load.sends.length,
      'failed sends': load.failures.length,
      lost: sum('lost'),
      doubled: sum('doubled'),
      'out of order': sum('disordered'),
      'new queues': sum('resets'),
      'memory of the clients': `${sum('megabytes')} MB`,
    })
    expect.soft([...new Set(load.failures)]).toEqual([])
    expect.soft(checks.flatMap(({ failures }) => failures)).toEqual([])
    const faults = { lost: sum('lost'), doubled: sum('doubled'), disordered: sum('disordered') }
    expect.soft(faults).toEqual({ lost: 0, doubled: 0, disordered: 0 })
    expect.soft(gaps.length).toBe(wanted)
    expect.soft(sum('resets')).toBe(resets ? size.clients : 0)
    // One for a client that comes alone, fewer for many. A new queue has one more that looks for the former queue.
    expect.soft(statementsAfter - statements).toBeLessThanOrEqual((resets ? 3 : 1) * wanted + 20)
    if (!isFull) return
    expect.soft(longestTask).toBeLessThanOrEqual(MAX_TASK_MS)
    if (!isSpread) return
    expect.soft(begun.length).toBeLessThanOrEqual(MAX_ATTEMPTS * wanted)
    expect.soft(findPeak(planned, 100)).toBeLessThanOrEqual(MAX_SHARE * wanted)
  }

  const restart = async (slot: number) => {
    gateways[slot] = await start(slot)
    await sleep(1_500)
  }

  await measure('All clients of a gateway that was killed', 1, async () => {
    gateways[0]?.signal('SIGKILL')
    await gateways[0]?.ended
  })
  await restart(0)
  await measure('All clients of a gateway that drains', 0, async () => {
    gateways[1]?.signal('SIGTERM')
  })
  expect(await gateways[1]?.ended).toBe('exit code 0')
  // No attempt succeeds before they are back.
  await measure(
    'All clients of load balancers that restart',
    0,
    async () => {
      await stopProxies()
      proxies = await startProxies(proxyPorts)
    },
    { isSpread: false },
  )
  await restart(1)
  await measure(
    'Redis restarts',
    0,
    async () => {
      await redis.kill()
      await sleep(500)
      await redis.start()
    },
    { loses: false, isSpread: false },
  )
  await measure(
    'All clients of a gateway that was killed, and their event queues are gone',
    1,
    async () => {
      await realm.sql`delete from event_queues`
      gateways[0]?.signal('SIGKILL')
      await gateways[0]?.ended
    },
    // Each client connects twice: with its former queue, and with its new one.
    { resets: true, isSpread: false },
  )
})

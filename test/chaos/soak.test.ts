/**
 * A soak: many clients stay connected to several gateways for a long time, while messages are sent. The memory of the
 * gateways stays flat, and no client misses a message.
 *
 * It is no test of the suite: `npm run chaos -- --soak --minutes 30 --clients 50000 --gateways 3` runs it.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { basicAuthorization } from '../setup/event-reader.js'
import { sendRequest } from '../setup/raw-request.js'
import { newRealm, ok, type Person } from '../setup/realm.js'
import { neverFollowing } from '../setup/realm-with-people.js'
import { startFleet } from './fleet.js'
import { reportRun } from './report.js'

const minutes = Number(process.env.SOAK_MINUTES ?? 0)
const clients = Number(process.env.SOAK_CLIENTS ?? 0)
const gateways = Number(process.env.SOAK_GATEWAYS ?? 3)
/** An account has at most 250 queues. */
const CLIENTS_PER_ACCOUNT = 200
const SEND_MS = 2_000
const SAMPLE_MS = 5_000
/** How much more memory the last third of the time may need than the second one. */
const MAX_GROWTH = 1.1

interface Sample {
  megabytes: number
  /** p99 of the delay of the event loop, in milliseconds */
  lag_ms: number
}

test.skipIf(minutes === 0)(
  'The memory of gateways with many clients stays flat.',
  {
    timeout: minutes * 60_000 + 1_200_000,
  },
  async () => {
    // All clients have one address. They get heartbeats as in production.
    const env = { MAX_OPEN_REQUESTS_PER_ADDRESS: '200000', POLL_HEARTBEAT_MS: '45000' }
    await using fleet = await startFleet({ gateways, workers: 1 }, env)
    await using realm = await newRealm({ database_url: fleet.postgres.url, redis_url: fleet.redis.url })
    const names = Array.from({ length: Math.ceil(clients / CLIENTS_PER_ACCOUNT) + 1 }, (_, i) => `Reader ${i}`)
    const people = await realm.people(...names.map((full_name) => ({ full_name, settings: neverFollowing })))
    const [ada, ...readers] = people as [Person, ...Person[]]
    const urls = fleet.urls()
    const url = (i: number) => urls[i % urls.length] as string
    const principals = people.map(({ user_id }) => user_id)
    await ok(
      ada,
      'POST',
      '/users/me/subscriptions',
      { subscriptions: [{ name: 'general' }], principals },
      { url: url(0) },
    )

    const received = new Uint32Array(clients)
    const lastIds = new Float64Array(clients)
    let disordered = 0
    let closed = 0
    const sockets: WebSocket[] = []
    const connect = (i: number) =>
      new Promise<void>((resolve) => {
        const account = readers[Math.floor(i / CLIENTS_PER_ACCOUNT)] as Person
        const headers = { Host: account.host, Authorization: basicAuthorization(account) }
        const path = '/api/v1/events?event_types=["message"]&fetch_event_types=[]'
        const socket = new WebSocket(`${url(i).replace('http', 'ws')}${path}`, { headers, perMessageDeflate: false })
        sockets[i] = socket
        socket.on('message', (data) => {
          const text = String(data)
          if (text.includes('"req":0')) return resolve()
          if (!text.includes('"type":"message"')) return undefined
          const { id } = JSON.parse(text) as { id: number }
          if (id <= (lastIds[i] ?? 0)) disordered += 1
          lastIds[i] = id
          received[i] = (received[i] ?? 0) + 1
          return undefined
        })
        socket.on('error', () => resolve())
        socket.on('close', () => {
          closed += 1
          resolve()
        })
      })
    const began = performance.now()
    for (let i = 0; i < clients; i += 50) {
      await Promise.all(Array.from({ length: Math.min(50, clients - i) }, (_, j) => connect(i + j)))
    }
    const connectMs = performance.now() - began

    const samples: Sample[][] = []
    let sent = 0
    const until = performance.now() + minutes * 60_000
    let sampledAt = performance.now()
    while (performance.now() < until) {
      await ok(
        ada,
        'POST',
        '/messages',
        { type: 'stream', to: 'general', topic: 't', content: `n ${sent}` },
        { url: url(sent) },
      )
      sent += 1
      await sleep(SEND_MS)
      if (performance.now() - sampledAt < SAMPLE_MS) continue
      sampledAt = performance.now()
      samples.push(
        await Promise.all(
          fleet.slots.flatMap(({ kind, process }) =>
            kind === 'gateway' && process !== undefined ? [readSample(process.pid, process.operations_url)] : [],
          ),
        ),
      )
    }
    const isComplete = () => received.every((count) => count === sent)
    const deadline = performance.now() + 60_000
    while (!isComplete() && performance.now() < deadline) await sleep(100)
    const missed = received.reduce((sum, count) => sum + sent - count, 0)
    const closedByGateways = closed
    for (const socket of sockets) socket.terminate()

    const third = Math.floor(samples.length / 3)
    const meanOf = (part: Sample[][], gateway: number) =>
      Math.round(part.reduce((sum, sample) => sum + (sample[gateway]?.megabytes ?? 0), 0) / Math.max(1, part.length))
    const memory = urls.map((_, gateway) => [
      meanOf(samples.slice(third, 2 * third), gateway),
      meanOf(samples.slice(2 * third), gateway),
    ])
    const lags = samples.flat().map(({ lag_ms }) => lag_ms)
    reportRun({
      minutes,
      clients,
      gateways,
      'seconds to connect all': (connectMs / 1000).toFixed(1),
      'messages sent': sent,
      'events received': received.reduce((sum, count) => sum + count, 0),
      missed,
      disordered,
      'connections closed by gateways': closedByGateways,
      'memory in the second and last third (MB)': memory.map(([a, b]) => `${a} → ${b}`).join(', '),
      'event loop delay p99, largest (ms)': Math.max(0, ...lags).toFixed(1),
      'processes that ended by themselves': fleet.crashes.length,
    })
    expect({ missed, disordered, closedByGateways, crashes: fleet.crashes }).toEqual({
      missed: 0,
      disordered: 0,
      closedByGateways: 0,
      crashes: [],
    })
    for (const [second = 0, last = 0] of memory) expect(last).toBeLessThan(second * MAX_GROWTH + 20)
  },
)

const readSample = async (pid: number, operations_url: string): Promise<Sample> => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const { text } = await sendRequest(Number(new URL(operations_url).port), { path: '/metrics' })
  const lag = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1]
  return { megabytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024), lag_ms: Number(lag ?? 0) * 1000 }
}

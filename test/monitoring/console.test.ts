/** The console's data: which processes it shows, what it says about problems, and what it can change. */
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import type { ConsoleState, ShownProcess } from '../../src/monitoring/console/report.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import type { TestProcess } from '../setup/processes/processes.js'
import { sendRequest } from '../setup/requests/raw-request.js'

/** Processes report every two seconds, and several of them start in each test. */
const LONG = { timeout: 60_000 }

type Listener = Pick<TestProcess, 'operations_url'>

const readState = async ({ operations_url }: Listener): Promise<ConsoleState> =>
  (await sendRequest(portOf(operations_url), { path: '/console/state?history=all' })).json as unknown as ConsoleState

const find = (state: ConsoleState, { pid }: TestProcess): ShownProcess | undefined =>
  state.processes.find(({ report }) => report.pid === pid)

const retry = ({ operations_url }: Listener, ids: readonly number[]) =>
  sendRequest(portOf(operations_url), {
    method: 'POST',
    path: '/console/retry',
    host: new URL(operations_url).host,
    headers: { Origin: operations_url, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ids }),
  })

test(
  'The console of each process shows all gateways and workers, and forgets one that was shut down.',
  LONG,
  async () => {
    await using fleet = await startOwnFleet()
    await using second = await fleet.newGateway()
    await using worker = await fleet.worker()
    const all = [fleet.gateway, second, worker]
    for (const shower of all) {
      const seen = async () => {
        const state = await readState(shower)
        return all.map((one) => find(state, one)).map((one) => [one?.report.kind, (one?.samples.length ?? 0) > 1])
      }
      await expect.poll(seen, { timeout: 20_000 }).toEqual([
        ['gateway', true],
        ['gateway', true],
        ['worker', true],
      ])
      const state = await readState(shower)
      expect(find(state, shower)?.id).toBe(state.own_id)
      for (const one of all) {
        const { report, samples } = find(state, one) as ShownProcess
        expect(report.address).toBe(new URL(one.operations_url).host)
        expect(report.version).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{7}$/)
        expect(samples.at(-1)).toMatchObject({ lag: 0, loop: expect.any(Number), memory: expect.any(Number) })
      }
      // A machine that is busy with other tests makes processes slow, and the console says so.
      const slowness = /is busy for|event loop|A small query|arrive late/
      expect(state.problems.filter(({ text }) => !slowness.test(text))).toEqual([])
      expect(state.facts?.jobs.map(({ name }) => name)).toContain('mail')
    }
    await second.stop()
    const state = await readState(worker)
    expect(find(state, second)).toBeUndefined()
    expect(find(state, fleet.gateway)).toBeDefined()
  },
)

test('A process that was killed is shown as silent.', LONG, async () => {
  await using fleet = await startOwnFleet()
  const second = await fleet.newGateway()
  await expect.poll(async () => find(await readState(fleet.gateway), second), { timeout: 20_000 }).toBeDefined()
  second.signal('SIGKILL')
  await second.ended
  const problems = async () => (await readState(fleet.gateway)).problems.map(({ text }) => text)
  await expect
    .poll(problems, { timeout: 30_000 })
    .toContainEqual(expect.stringContaining(`:${second.pid} has not reported for`))
})

test('While Redis is away, the console shows its own process now and the others as they were.', LONG, async () => {
  await using fleet = await startOwnFleet()
  await using second = await fleet.newGateway()
  await expect.poll(async () => find(await readState(fleet.gateway), second), { timeout: 20_000 }).toBeDefined()
  await fleet.redis.kill()
  await expect
    .poll(async () => (await readState(fleet.gateway)).problems.map(({ text }) => text), { timeout: 20_000 })
    .toContainEqual(expect.stringMatching(/^Redis cannot be used/))
  const before = (await readState(fleet.gateway)).processes.find(({ report }) => report.pid === fleet.gateway.pid)
  const samples = async () => find(await readState(fleet.gateway), fleet.gateway)?.samples.at(-1)?.at ?? 0
  await expect.poll(samples, { timeout: 20_000 }).toBeGreaterThan(before?.samples.at(-1)?.at ?? 0)
  const state = await readState(fleet.gateway)
  expect(find(state, second)).toBeDefined()
  await fleet.redis.start()
  await expect
    .poll(async () => (await readState(fleet.gateway)).problems.map(({ text }) => text), { timeout: 20_000 })
    .not.toContainEqual(expect.stringMatching(/^Redis/))
})

test('The console shows why a job failed, and runs it when an operator says so.', LONG, async () => {
  await using fleet = await startOwnFleet()
  await using worker = await fleet.worker()
  const { sql, realm_id, host } = fleet.realm
  const [job] = await sql<{ id: number }[]>`
    insert into jobs (realm_id, kind, payload) values (${realm_id}, 'channel_notices', '{}') returning id`
  const id = job?.id as number
  const failed = async () => (await readState(worker)).facts?.failed_jobs.find((one) => one.id === id)
  await expect.poll(failed, { timeout: 20_000 }).toMatchObject({
    realm: host.split('.')[0],
    kind: 'channel_notices',
    last_error: expect.stringMatching(/^TypeError: /),
  })

  // It would run again by itself within the time of a reservation: it may be running now.
  await sql`update jobs set run_after = now() + interval '5 seconds', attempts = 2 where id = ${id}`
  expect((await retry(fleet.gateway, [id])).json).toEqual({ retried: [] })

  const payload = JSON.stringify({ actor_id: 0, channel_ids: [], announce: false })
  await sql`
    update jobs set run_after = now() + interval '1 hour', attempts = 9, payload = ${payload}::text::json
    where id = ${id}`
  const problems = async () => (await readState(worker)).problems.map(({ text }) => text)
  await expect.poll(problems, { timeout: 20_000 }).toContain('A job has failed 5 times or more.')
  expect((await retry(fleet.gateway, [id, 999_999])).json).toEqual({ retried: [id] })
  await expect
    .poll(async () => (await sql`select from jobs where id = ${id} and done_at is not null`).count, { timeout: 20_000 })
    .toBe(1)
  expect((await retry(fleet.gateway, [id])).json).toEqual({ retried: [] })
})

const statusWithoutHost = (port: number, head: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
    let text = ''
    socket.on('data', (part: Buffer) => {
      text += part.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(Number(text.split(' ')[1])))
  })

test('A page of another site can neither read the console nor retry a job.', LONG, async () => {
  await using fleet = await startOwnFleet({ OPERATIONS_NAMES: 'ops.example.com' })
  const port = portOf(fleet.gateway.operations_url)
  const own = `127.0.0.1:${port}`
  const json = { 'Content-Type': 'application/json' }
  const get = async (headers: Record<string, string>, path = '/console/state') =>
    (await sendRequest(port, { path, headers })).status
  const post = async (headers: Record<string, string>, body = '{"ids":[]}') =>
    (await sendRequest(port, { method: 'POST', path: '/console/retry', headers: { Host: own, ...headers }, body }))
      .status

  expect(await get({})).toBe(200)
  expect(await get({ Host: `localhost:${port}` })).toBe(200)
  expect(await get({ Host: `[::1]:${port}` })).toBe(200)
  expect(await get({ Host: 'ops.example.com' })).toBe(200)
  expect(await get({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200)
  // An attacker's name that resolves to this machine (DNS rebinding).
  for (const path of ['/', '/console/state', '/metrics', '/health/ready', '/health/live', '/nothing']) {
    expect(await get({ Host: `rebound.example.net:${port}` }, path)).toBe(403)
    expect(await get({ Host: `127.0.0.1.example.net:${port}` }, path)).toBe(403)
  }
  for (const path of ['/console/state', '/metrics', '/health/ready'])
    expect(await get({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }, path)).toBe(403)
  expect(await get({ 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' })).toBe(403)
  expect(await post({ ...json, Origin: `http://${own}` })).toBe(200)
  expect(await post({ ...json, Host: 'ops.example.com', Origin: 'https://ops.example.com' })).toBe(200)
  expect(await post(json)).toBe(403)
  expect(await post({ ...json, Origin: 'null' })).toBe(403)
  expect(await post({ ...json, Origin: 'http://127.0.0.1:1' })).toBe(403)
  expect(await post({ ...json, Origin: 'https://evil.example' })).toBe(403)
  expect(await post({ ...json, Origin: `http://${own}`, 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
  expect(await post({ ...json, Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` })).toBe(403)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])
    expect(await post({ 'Content-Type': type, Origin: `http://${own}` })).toBe(403)

  const valid = { ...json, Origin: `http://${own}` }
  for (const body of ['', '{}', '[]', 'null', '{"ids":["1"]}', '{"ids":[1.5]}', '{"ids":1}'])
    expect(await post(valid, body), body).toBe(400)
  expect(await post(valid, JSON.stringify({ ids: Array(101).fill(1) }))).toBe(400)
  expect(await post(valid, `{"ids":[${'1,'.repeat(20_000)}1]}`)).toBe(413)
  expect(await get({}, '/console/retry')).toBe(405)
})

test(
  'Prometheus and the probes of Kubernetes and HAProxy get their pages under an address, a chosen name, or no host.',
  LONG,
  async () => {
    await using fleet = await startOwnFleet({ OPERATIONS_NAMES: 'gateway, Worker.internal' })
    const port = portOf(fleet.gateway.operations_url)
    for (const path of ['/metrics', '/health/ready', '/health/live']) {
      // Kubernetes and the discovery of Prometheus use the address of a pod; a static target has the name of a network.
      for (const Host of [`10.42.3.17:${port}`, `[fd00::17]:${port}`, 'gateway:9990', 'worker.internal'])
        expect([Host, (await sendRequest(port, { path, headers: { Host } })).status]).toEqual([Host, 200])
      // HAProxy's httpchk speaks HTTP/1.0 without a Host header, unless it is told another.
      expect(await statusWithoutHost(port, `GET ${path} HTTP/1.0\r\n\r\n`)).toBe(200)
      expect(await statusWithoutHost(port, `GET ${path} HTTP/1.0\r\nOrigin: https://evil.example\r\n\r\n`)).toBe(403)
    }
    expect(await statusWithoutHost(port, 'POST /console/retry HTTP/1.0\r\nContent-Length: 0\r\n\r\n')).toBe(403)
  },
)

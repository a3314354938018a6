/** The metrics of gateways and workers, as Prometheus reads them. */
import { spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { findProgram } from '../../src/dev/debian-package.mjs'
import { portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import { startWorker, type TestProcess } from '../setup/processes/processes.js'
import { readEvents, transports } from '../setup/realm/event-reader.js'
import { gateways, ok } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const scrape = async ({ operations_url }: Pick<TestProcess, 'operations_url'>) =>
  (await sendRequest(portOf(operations_url), { path: '/metrics' })).text

const read = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length),
  )

/** The label of each transport's connections. */
const labels = { poll: 'polls', sse: 'streams', websocket: 'sockets' } as const

test('A gateway counts each event that it delivers, and how long the entry took from its commit.', async () => {
  await using own = await startOwnGateway()
  const { gateway, ada, grace } = own
  const options = { url: gateway.url }
  const send = (url: string) =>
    ok(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content: 'counted' }, { url })
  for (const [i, transport] of transports.entries()) {
    const cursor = await ok(grace, 'POST', '/register', { event_types: ['message'], fetch_event_types: [] }, options)
    const before = await scrape(gateway)
    const received = readEvents(transport, gateway.url, grace, cursor, 10_000)
    const series = `parley_connections{transport="${labels[transport]}"}`
    await expect.poll(async () => read(await scrape(gateway), series)).toBe(1)
    // One is committed by this gateway, the others come from another one.
    await send(i === 0 ? gateway.url : (gateways()[0] as string))
    expect((await received).map(({ type }) => type)).toEqual(['message'])
    const after = await scrape(gateway)
    const grown = (series: string) => read(after, series) - read(before, series)
    expect(grown('parley_delivered_events_total'), transport).toBe(1)
    expect(grown('parley_delivery_duration_seconds_count'), transport).toBe(1)
    expect(grown('parley_delivery_duration_seconds_sum'), transport).toBeGreaterThan(0)
    await expect.poll(async () => read(await scrape(gateway), series)).toBe(0)
  }
  const text = await scrape(gateway)
  expect(read(text, 'parley_slow_clients_closed_total')).toBe(0)
  expect(read(text, 'parley_postgres_connections')).toBe(10)
  expect(read(text, 'parley_postgres_wait_seconds')).toBeGreaterThanOrEqual(0)
  expect(read(text, 'parley_service_up{service="redis"}')).toBe(1)
})

test.runIf(process.platform === 'linux')('A process counts its open files.', async () => {
  await using own = await startOwnGateway()
  const { gateway } = own
  const before = read(await scrape(gateway), 'process_open_fds')
  const sockets = Array.from({ length: 40 }, () => connect(portOf(gateway.url), '127.0.0.1'))
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
  const grown = async () => read(await scrape(gateway), 'process_open_fds') - before
  await expect.poll(grown).toBeGreaterThanOrEqual(40)
})

test('A worker shows how many jobs of each class are due, and how long they have waited.', async () => {
  await using worker = await startWorker()
  const text = await scrape(worker)
  for (const name of ['notices', 'mail', 'webhooks']) {
    expect(read(text, `parley_jobs_due{class="${name}"}`), name).toBeGreaterThanOrEqual(0)
    expect(read(text, `parley_jobs_longest_wait_seconds{class="${name}"}`), name).toBeGreaterThanOrEqual(0)
  }
})

test('promtool finds no fault in the metrics of a gateway and a worker.', async (context) => {
  const promtool = findProgram({ path: process.env.PATH ?? '' }, 'promtool')
  if (promtool === undefined) return context.skip('this machine has no promtool')
  await using own = await startOwnGateway()
  await using worker = await startWorker()
  await ok(own.ada, 'GET', '/users/me', {}, { url: own.gateway.url })
  for (const running of [own.gateway, worker]) {
    const checked = spawnSync(promtool, ['check', 'metrics'], { input: await scrape(running), encoding: 'utf8' })
    const findings = `${checked.stdout}${checked.stderr}`.split('\n').filter((line) => line.includes('parley_'))
    expect(findings).toEqual([])
  }
})

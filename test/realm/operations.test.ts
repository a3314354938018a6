/** The listener for operators: metrics and health of gateways and workers, which no client can read. */
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { startGateway, startWorker } from '../setup/processes/processes.js'
import { newRealm } from '../setup/realm/realm.js'
import { openRawConnection, sendRequest } from '../setup/requests/raw-request.js'
import { openSocket } from '../setup/requests/socket.js'

const portOf = (url: string): number => Number(new URL(url).port)

test('A gateway does not serve metrics on the port of clients.', async () => {
  await using gateway = await startGateway()
  for (const path of ['/metrics', '//metrics', '/metrics/', '/api/v1/metrics', '/metrics?a=1']) {
    expect((await sendRequest(portOf(gateway.url), { path })).status, path).toBe(404)
  }
})

test('Operators read how many calls a gateway answered, by endpoint, transport and status.', async () => {
  await using realm = await newRealm()
  await using gateway = await startGateway()
  const [ada] = await realm.people({ full_name: 'Ada' })
  if (ada === undefined) return
  await using socket = await openSocket(ada, gateway.url)
  await socket.call('GET', '/server_settings')
  await sendRequest(portOf(gateway.url), { path: '/api/v1/server_settings', host: 'nobody.parley.test' })
  const { text, headers } = await sendRequest(portOf(gateway.operations_url), { path: '/metrics' })
  expect(headers['content-type']).toContain('text/plain')
  expect(text).toContain('# TYPE parley_call_duration_seconds histogram')
  const series = (transport: string, status: number) =>
    `parley_call_duration_seconds_count{endpoint="getServerSettings",transport="${transport}",status="${status}"} 1`
  expect(text).toContain(series('socket', 200))
  expect(text).toContain(series('http', 400))
  expect(text).toMatch(/parley_connections\{transport="sockets"\} 1/)
  expect(text).toMatch(/parley_realms [1-9]/)
  expect(text).toMatch(/parley_realm_owned_values\{kind="authorization_headers"\} [1-9]/)
  expect(text).toMatch(/parley_log_lag_entries \d/)
  expect(text).toMatch(/parley_request_body_bytes 0/)
  expect(text).toMatch(/nodejs_eventloop_lag_seconds /)
})

test('Operators read the health and the metrics of a worker.', async () => {
  await using worker = await startWorker()
  const port = portOf(worker.operations_url)
  expect((await sendRequest(port, { path: '/health/live' })).text).toBe('alive\n')
  const { status, json } = await sendRequest(port, { path: '/health/ready' })
  expect([status, json.isReady]).toEqual([200, true])
  const { text } = await sendRequest(port, { path: '/metrics' })
  expect(text).toMatch(/parley_jobs_longest_wait_seconds\{class="mail"\} \d/)
  expect(text).toMatch(/process_resident_memory_bytes \d/)
})

test('The listener for operators is on this machine only, and answers nothing else.', async () => {
  await using worker = await startWorker()
  const port = portOf(worker.operations_url)
  for (const path of ['/users', '/api/v1/server_settings', '/toString', '/__proto__', '/health']) {
    expect((await sendRequest(port, { path })).status, path).toBe(404)
  }
  expect((await sendRequest(port, { path: '/metrics', method: 'POST' })).status).toBe(405)
  const others = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  for (const { address } of others.filter(({ internal, family }) => !internal && family === 'IPv4')) {
    await expect(openRawConnection(port, address)).rejects.toThrow('ECONNREFUSED')
  }
})

test('A process whose port for operators is taken says so, and does not start.', async () => {
  await using worker = await startWorker()
  const taken = { OPERATIONS_PORT: String(portOf(worker.operations_url)) }
  await expect(startGateway(taken)).rejects.toThrow('OPERATIONS_PORT: check whether another process uses the port')
})

/** What operators are told when a service is lost: a line in the log for its loss and for its return, and a metric. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startGateway, startRedis, startWorker, type TestProcess } from '../setup/processes/processes.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const outageLines = ({ logFile }: TestProcess): Record<string, unknown>[] =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ service }) => service !== undefined)

const isUp = async ({ operations_url }: TestProcess, service: string) => {
  const { text } = await sendRequest(Number(new URL(operations_url).port), { path: '/metrics' })
  return new RegExp(`^parley_service_up\\{service="${service}"\\} (\\d)$`, 'm').exec(text)?.[1]
}

test.each([
  ['gateway', startGateway],
  ['worker', startWorker],
] as const)(
  'A %s logs once that Redis is lost, and once that it is back.',
  { timeout: 60_000 },
  async (_, startProcess) => {
    const redis = await startRedis()
    await using running = await startProcess({ REDIS_URL: redis.url })
    await expect.poll(() => isUp(running, 'redis'), { timeout: 10_000 }).toBe('1')
    await redis.kill()
    await expect.poll(() => isUp(running, 'redis'), { timeout: 10_000 }).toBe('0')
    // The process is ready without Redis, and its health names what is missing.
    const readHealth = async () =>
      (await sendRequest(Number(new URL(running.operations_url).port), { path: '/health/ready' })).json
    expect(await readHealth()).toMatchObject({ isReady: true, redis: { answers: false, problem: expect.any(String) } })
    await redis.start()
    await expect.poll(() => isUp(running, 'redis'), { timeout: 10_000 }).toBe('1')
    expect(await readHealth()).toMatchObject({ redis: { answers: true } })
    expect(outageLines(running)).toMatchObject([
      {
        service: 'Redis',
        variable: 'REDIS_URL',
        problem: expect.any(String),
        msg: 'Redis cannot be used: waiting for it',
      },
      { service: 'Redis', seconds: expect.any(Number), msg: 'Redis can be used again' },
    ])
    const { text } = await sendRequest(Number(new URL(running.operations_url).port), { path: '/metrics' })
    expect(text).toContain('parley_service_outages_total{service="redis"} 1')
    expect(Number(/outage_seconds_total\{service="redis"\} (.*)/.exec(text)?.[1])).toBeGreaterThan(0)
  },
)

test('A gateway that starts without Postgres says so.', async () => {
  await using gateway = await startGateway({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  await expect
    .poll(() => outageLines(gateway), { timeout: 15_000 })
    .toMatchObject([
      {
        service: 'Postgres',
        variable: 'DATABASE_URL',
        problem: expect.stringContaining('ECONNREFUSED 127.0.0.1:1'),
        msg: 'Postgres cannot be used: waiting for it',
      },
    ])
  expect(await isUp(gateway, 'postgres')).toBe('0')
})

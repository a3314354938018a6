/** How long supervisors wait for a gateway that they have told to end, before they kill it. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/config.js'
import { STOP_TIMEOUT_MS } from '../../src/dev/processes.js'
import { root } from '../../src/dev/root.js'
import { LONGEST_DRAIN_MS } from '../../src/gateway/drain.js'

const { DRAIN_NOTICE_MS } = parseConfig({
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  SECRET_KEY: randomBytes(32).toString('hex'),
})

/** The seconds that a file of deploy/ states, in each place. */
const readSeconds = (file: string, setting: RegExp): number[] =>
  [...readFileSync(join(root, 'deploy', file), 'utf8').matchAll(setting)].map(([, seconds]) => Number(seconds))

test.each([
  ['systemd', 'systemd/parley-gateway@.service', /^TimeoutStopSec=(\d+)$/gm],
  ['Docker Compose', 'compose.yaml', /^ *stop_grace_period: (\d+)s$/gm],
  ['Kubernetes', 'kubernetes/gateway.yaml', /^ *terminationGracePeriodSeconds: (\d+)$/gm],
  ['the Helm chart', 'helm/parley/values.yaml', /^ *terminationGracePeriodSeconds: (\d+)$/gm],
])('With %s a gateway has more time to end than it drains.', (_, file, setting) => {
  const seconds = readSeconds(file, setting)
  expect(seconds.length).toBeGreaterThan(0)
  expect(Math.min(...seconds) * 1_000).toBeGreaterThan(DRAIN_NOTICE_MS + LONGEST_DRAIN_MS)
})

test('With `npm start`, tests and benchmarks a gateway has more time to end than it drains.', () => {
  expect(STOP_TIMEOUT_MS).toBeGreaterThan(DRAIN_NOTICE_MS + LONGEST_DRAIN_MS)
})
